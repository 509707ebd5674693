import type { Span } from "../ast.js";
import { regexFault } from "../regex/parse.js";
import type { FindingCollector } from "./finding-collector.js";

/** The maximum number of regular expressions per rule. */
const MAX_REGEXES = 64;

/** Checks a regular expression and counts it. */
export function checkPattern(pattern: string, span: Span, collector: FindingCollector): void {
  collector.regexes += 1;
  if (collector.regexes === MAX_REGEXES + 1) {
    collector.error("regex-count", span, `a rule allows at most ${String(MAX_REGEXES)} regular expressions`);
  }
  const fault = regexFault(pattern);
  if (fault !== undefined) collector.report(fault.sure, "regex", span, fault.message);
}
