import { Resolver } from "node:dns/promises";
import type { CaaRecord, ResolveCaa } from "../../certificates/authorities.js";

const TIMEOUT_MS = 2000;
/** After this many failed lookups, assume that the machine has no working DNS and stop asking. */
const MAX_FAILURES = 3;

/**
 * Looks up CAA records with the machine's own resolver: each name once, with a short timeout, and not at all once
 * lookups keep failing. A preview of a thousand hostnames must not hang on DNS.
 */
export function caaResolver(ask: ResolveCaa = resolveLocally): ResolveCaa {
  const known = new Map<string, Promise<readonly CaaRecord[]>>();
  let failures = 0;
  const resolve = async (name: string): Promise<readonly CaaRecord[]> => {
    if (failures >= MAX_FAILURES) throw new Error("DNS does not answer");
    try {
      return await ask(name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // "No records" is an answer; any other error is a failed lookup.
      if (code === "ENODATA" || code === "ENOTFOUND") return [];
      failures += 1;
      throw error;
    }
  };
  return (name) => {
    const response = known.get(name) ?? resolve(name);
    known.set(name, response);
    return response;
  };
}

function resolveLocally(name: string): Promise<readonly CaaRecord[]> {
  return new Resolver({ timeout: TIMEOUT_MS, tries: 1 }).resolveCaa(name);
}
