import type { HttpRequest, RequestInput } from "../../language/index.js";
import type { RulePlace } from "../../simulator/place.js";

/** What a finding says of its rule. */
export type AnalysisCheck =
  /** The expression cannot be read, so nothing is known of it. */
  | "invalid-expression"
  /** No request matches. */
  | "never-matches"
  /** Every request matches, though the expression looks as if it chose some. */
  | "always-matches"
  /** Rules before it stop or skip every request that it matches. */
  | "covered"
  /** Another rule before it matches the same requests. */
  | "twin"
  /** A skip rule that stands behind all that it would skip. */
  | "late-skip"
  /** A part of the expression that changes nothing. */
  | "redundant-condition"
  /** A member of a set that another one contains. */
  | "contained-member"
  /** A text that is percent-encoded where the field is decoded, or the other way round. */
  | "encoded-text"
  /** A header name as only some clients send it. */
  | "header-name-case";

/** Something that rules mean, together or by themselves. */
export interface AnalysisFinding {
  readonly check: AnalysisCheck;
  /** `proved`: it holds for every request. `witness`: it is shown by `request`, which the evaluator has confirmed. */
  readonly verdict: "proved" | "witness";
  readonly rule: RulePlace;
  /** The rules that make it so; for "covered" none of them can be left out. */
  readonly by?: readonly RulePlace[];
  /** Whether the rules in `by` do the same to the request. */
  readonly sameAction?: boolean;
  /** The part of the expression that it is about. */
  readonly part?: string;
  /** The expression without that part, which means the same. */
  readonly instead?: string;
  /** One or two sentences. */
  readonly message: string;
  /** A request that people may expect the rule to match, and that it does not. */
  readonly request?: HttpRequest;
  /** What `request` is made from. */
  readonly input?: RequestInput;
}

/** A question that the analysis gave up. */
export interface Undecided {
  readonly check: AnalysisCheck;
  readonly rule: RulePlace;
}

/** A finding about an expression, before it is known of which rule. */
export type OwnFinding = Omit<AnalysisFinding, "rule">;
