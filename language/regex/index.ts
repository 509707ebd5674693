import { parseRegex } from "./parse.js";
import type { RegexFault } from "./tree.js";

/** Why a pattern is invalid, as far as that is known here. */
export function regexFault(pattern: string): RegexFault | undefined {
  const parsed = parseRegex(pattern);
  return "kind" in parsed ? undefined : parsed;
}
