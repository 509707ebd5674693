import type { Span } from "../ast.js";
import { regexFault } from "../regex/index.js";
import type { Judge } from "./judge.js";

/** The maximum number of regular expressions per rule. */
export const MAX_REGEXES = 64;

/** Checks a regular expression and counts it. */
export function judgePattern(pattern: string, span: Span, judge: Judge): void {
  judge.regexes += 1;
  if (judge.regexes === MAX_REGEXES + 1) {
    judge.error("regex-count", span, `a rule allows at most ${String(MAX_REGEXES)} regular expressions`);
  }
  const fault = regexFault(pattern);
  if (fault !== undefined) judge.report(fault.sure, "regex", span, fault.message);
}
