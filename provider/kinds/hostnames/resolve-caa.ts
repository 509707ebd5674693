import { Resolver } from "node:dns/promises";
import type { CaaRecord, ResolveCaa } from "../../certificates/authorities.js";

const TIMEOUT_MS = 2000;
/** After so many look-ups that failed, the machine has no DNS to speak of, and is not asked again. */
const ENOUGH_FAILURES = 3;

/**
 * CAA records by the machine's own resolver: each name asked once, not for long, and no more when nothing answers. A
 * preview of a thousand hostnames must not hang on DNS.
 */
export function caaResolver(ask: ResolveCaa = askMachine): ResolveCaa {
  const known = new Map<string, Promise<readonly CaaRecord[]>>();
  let failures = 0;
  const resolve = async (name: string): Promise<readonly CaaRecord[]> => {
    if (failures >= ENOUGH_FAILURES) throw new Error("DNS does not answer");
    try {
      return await ask(name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // No records is an answer; anything else is none.
      if (code === "ENODATA" || code === "ENOTFOUND") return [];
      failures += 1;
      throw error;
    }
  };
  return (name) => {
    const answer = known.get(name) ?? resolve(name);
    known.set(name, answer);
    return answer;
  };
}

function askMachine(name: string): Promise<readonly CaaRecord[]> {
  return new Resolver({ timeout: TIMEOUT_MS, tries: 1 }).resolveCaa(name);
}
