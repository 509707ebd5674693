import type { ZoneVerdict } from "../../../../invariants/judge.js";
import { groupVerdicts, invariantWords, reasonLines, verdictWords, zonesWords } from "../../../../invariants/words.js";
import type { ZoneState } from "./judge.js";

/** What is said of verdicts for the same reason: `the invariant "closed" is violated in a.com, b.com`. */
export function subject(group: readonly ZoneVerdict[]): string {
  const [first] = group;
  return first === undefined
    ? ""
    : `the invariant "${first.invariant.name}" is ${verdictWords(first.verdict)} in ${zonesWords(group)}`;
}

/**
 * Why, on lines of their own.
 * @param notKnown what is not known of the zones
 */
export function reasons([first]: readonly ZoneVerdict[], notKnown: readonly string[]): string {
  if (first === undefined) return "";
  const lines = [
    invariantWords(first.invariant),
    ...reasonLines(first),
    ...(first.verdict === "unknown" ? notKnown : []),
  ];
  return lines.map((line) => `\n  ${line}`).join("");
}

/** Before what is judged with every resource. */
export const WHOLE = "with everything that the program declares";

/**
 * What is said of verdicts, those for the same reason together.
 * @param what is judged
 */
export function verdictTexts(states: readonly ZoneState[], what: string): readonly string[] {
  const all = states.flatMap(({ verdicts, known: { notKnown } }) => verdicts.map((one) => ({ ...one, notKnown })));
  return groupVerdicts(all).map((group) => `${what}, ${subject(group)}:${reasons(group, group[0]?.notKnown ?? [])}`);
}
