import type { HttpRequest, RequestInput } from "../../language/index.js";
import type { RulePlace } from "../../simulator/place.js";

/** The kind of a finding. */
export type AnalysisCheck =
  /** The expression cannot be parsed, so nothing is known about the rule. */
  | "invalid-expression"
  /** No request matches. */
  | "never-matches"
  /** Every request matches, although the expression looks selective. */
  | "always-matches"
  /** Earlier rules stop or skip every request that it matches. */
  | "covered"
  /** An earlier rule matches the same requests. */
  | "twin"
  /** A skip rule that comes after everything it would skip. */
  | "late-skip"
  /** A part of the expression that changes nothing. */
  | "redundant-condition"
  /** A set member that another member contains. */
  | "contained-member"
  /** A string that is percent-encoded where the field is decoded, or the other way round. */
  | "encoded-text"
  /** A header name spelled as only some clients send it. */
  | "header-name-case";

/** A finding on the meaning of one rule or of several together. */
export interface AnalysisFinding {
  readonly check: AnalysisCheck;
  /** `proved`: it holds for every request. `witness`: it is shown by `request`, which the evaluator has confirmed. */
  readonly verdict: "proved" | "witness";
  readonly rule: RulePlace;
  /** The rules that cause it; for "covered", none of them can be omitted. */
  readonly by?: readonly RulePlace[];
  /** Whether the rules in `by` do the same to the request. */
  readonly sameAction?: boolean;
  /** The part of the expression that the finding is about. */
  readonly part?: string;
  /** The equivalent expression without that part. */
  readonly instead?: string;
  /** One or two sentences. */
  readonly message: string;
  /** A request that readers may expect the rule to match, but it does not. */
  readonly request?: HttpRequest;
  /** The input that `request` is built from. */
  readonly input?: RequestInput;
}

/** A question that the analysis could not decide within its budget. */
export interface Undecided {
  readonly check: AnalysisCheck;
  readonly rule: RulePlace;
}

/** A finding on an expression, before it is assigned to a rule. */
export type ExpressionFinding = Omit<AnalysisFinding, "rule">;
