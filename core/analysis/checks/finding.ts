import type { Finding, FindingCode, HttpRequest, RequestInput } from "../../language/index.js";
import type { RulePlace } from "../../simulator/place.js";

/** A finding on the meaning of one rule or of several together. */
export interface AnalysisFinding extends Finding {
  readonly code: FindingCode;
  /** `proved`: it holds for every request. `witness`: it is shown by `request`, which the evaluator has confirmed. */
  readonly verdict: "proved" | "witness";
  readonly rule: RulePlace;
  /** The rules that cause it; for "covered", none of them can be omitted. */
  readonly by?: readonly RulePlace[];
  /** Whether the rules in `by` do the same to the request. */
  readonly sameAction?: boolean;
  /** The part of the expression that the finding is about. */
  readonly part?: string;
  /** A request that readers may expect the rule to match, but it does not. */
  readonly request?: HttpRequest;
  /** The input that `request` is built from. */
  readonly input?: RequestInput;
}

/** A question that the analysis could not decide within its budget. */
export interface Undecided {
  readonly code: FindingCode;
  readonly rule: RulePlace;
}

/** A finding on an expression, before it is assigned to a rule. */
export type ExpressionFinding = Omit<AnalysisFinding, "rule">;

/** What is proved of an expression. */
export function proved(code: FindingCode, message: string): ExpressionFinding {
  return { code, severity: "warning", verdict: "proved", message };
}
