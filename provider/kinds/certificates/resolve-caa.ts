import { Resolver } from "node:dns/promises";
import type { CaaRecord, ResolveCaa } from "../../../core/certificates/authorities.js";

const TIMEOUT_MS = 2000;
/** After this many lookups without an answer in a row, assume that no resolver answers, and stop asking. */
const MAX_FAILURES = 3;

/**
 * Looks up CAA records: each name once, with a short timeout, and not at all once no resolver answers. A preview of a
 * thousand hostnames must not hang on DNS.
 */
export function caaResolver(ask: ResolveCaa): ResolveCaa {
  const known = new Map<string, Promise<readonly CaaRecord[]>>();
  let failures = 0;
  const resolve = async (name: string): Promise<readonly CaaRecord[]> => {
    if (failures >= MAX_FAILURES) throw new Error("no DNS server answers");
    try {
      const records = await ask(name);
      failures = 0;
      return records;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      failures = ANSWERS.has(code) ? 0 : failures + 1;
      // "No records" is an answer; any other error is a failed lookup.
      if (code === "ENODATA" || code === "ENOTFOUND") return [];
      throw error;
    }
  };
  return (name) => {
    const response = known.get(name) ?? resolve(name);
    known.set(name, response);
    return response;
  };
}

/** Errors with which a DNS server answers. */
const ANSWERS = new Set(["ENODATA", "ENOTFOUND", "ESERVFAIL", "EREFUSED", "EFORMERR", "ENOTIMP"]);

/** Asks a DNS server, such as `127.0.0.1:5353`. @param server default: the machine's own */
export function askDns(server?: string): ResolveCaa {
  return (name) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
    if (server !== undefined) resolver.setServers([server]);
    return resolver.resolveCaa(name);
  };
}
