import type { HttpRequest } from "../language/index.js";
import type { SentResponse, SkipTarget } from "./effect.js";
import type { Limits, LimitStatus } from "./limits.js";
import type { ManagedRun } from "./managed.js";
import type { Origin } from "./origin.js";
import type { RulePlace } from "./place.js";

/** `unknown`: it depends on something that is not known here, given in `undecided` and `managed`. */
export type SimulatedOutcome = "allowed" | "blocked" | "challenged" | "redirected" | "limited" | "unknown";

/**
 * What happened to a rule. `skipped`: a skip rule disabled it; `not reached`: the request was decided before, or never reached
 * it.
 */
export type TraceStatus = "matched" | "not matched" | "unknown" | "skipped" | "disabled" | "not reached";

export interface TraceEntry extends RulePlace {
  readonly status: TraceStatus;
  /** Whether it matched; undefined when it was not evaluated. */
  readonly matched?: boolean | "unknown";
  /** The part of the expression that decided, or why it was not evaluated. */
  readonly why: string;
  /** For a rate limit that matched: whether its client is over the limit. */
  readonly limit?: LimitStatus;
}

/** A rule that may decide the outcome, and what that depends on. */
export interface Undecided {
  readonly rule: RulePlace;
  /**
   * What the rule would do; undefined if it only changes something. `any`: its action is not known here, so it may end the request in
   * any way, skip later rules or change what they see.
   */
  readonly outcome?: Exclude<SimulatedOutcome, "allowed" | "unknown"> | "any";
  readonly because: readonly string[];
}

export interface Simulation {
  readonly outcome: SimulatedOutcome;
  /** The outcome, if no rule of a managed ruleset stops the request. */
  readonly outcomeWithoutManaged: SimulatedOutcome;
  /** The rule that decided; undefined if the request is allowed or the outcome is unknown. */
  readonly rule?: RulePlace;
  /**
   * The decision of the rules that are known here, and the rule that made it, regardless of what may have happened before;
   * undefined if none of them stopped the request.
   */
  readonly decision?: { readonly outcome: Exclude<SimulatedOutcome, "allowed" | "unknown">; readonly rule: RulePlace };
  /** The request as the origin would see it, with the Host header that origin rules set. */
  readonly request: HttpRequest;
  /** Where origin rules send the request; undefined means the zone's DNS records apply. */
  readonly origin?: Origin;
  /** What the client receives: from the rule that decided, or from the origin, changed by response rules. */
  readonly response?: SentResponse;
  /** Every rule, in execution order. */
  readonly trace: readonly TraceEntry[];
  /** The part of the trace with the rules that matched. */
  readonly matched: readonly TraceEntry[];
  /** Managed and other unknown rulesets that would run, with the overrides that apply. */
  readonly managed: readonly ManagedRun[];
  /** Rules whose effect on the request is not known. */
  readonly undecided: readonly Undecided[];
  /** Settings by phase; later rules override earlier ones. */
  readonly settings: Readonly<Record<string, object>>;
  /** Products outside the ruleset engine that skip rules disabled. */
  readonly skippedProducts: readonly string[];
  /** Skip rules that matched, with everything they skip. */
  readonly skips: readonly { readonly rule: string; readonly phase: string; readonly target: SkipTarget }[];
  /** Sum of the `score` rules that matched. */
  readonly score: number;
  /** The counters after this request, to be passed to the next call. */
  readonly limits: Limits;
}
