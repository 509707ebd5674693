import type { HttpRequest } from "../language/index.js";
import type { SentResponse } from "./effect.js";
import type { Limits, Standing } from "./limits.js";
import type { ManagedRun } from "./managed.js";
import type { Origin } from "./origin.js";
import type { RulePlace } from "./place.js";

/** `unknown`: it depends on something that is not known here; `undecided` and `managed` say on what. */
export type SimulatedOutcome = "allowed" | "blocked" | "challenged" | "redirected" | "limited" | "unknown";

/** What came of a rule. `skipped`: a skip rule took it out; `not reached`: the request was decided before, or never came there. */
export type TraceStatus = "matched" | "not matched" | "unknown" | "skipped" | "disabled" | "not reached";

export interface TraceEntry extends RulePlace {
  readonly status: TraceStatus;
  /** Whether it matched; undefined when it was not evaluated. */
  readonly matched?: boolean | "unknown";
  /** By which part of the expression, or why it was not evaluated. */
  readonly why: string;
  /** Of a rate limit that matched: where its client stands. */
  readonly limit?: Standing;
}

/** A rule that may decide about the request, and what that depends on. */
export interface Undecided {
  readonly rule: RulePlace;
  readonly outcome?: Exclude<SimulatedOutcome, "allowed" | "unknown">;
  readonly because: readonly string[];
}

export interface Simulation {
  readonly outcome: SimulatedOutcome;
  /** The outcome, if no rule of a managed ruleset stops the request. */
  readonly outcomeWithoutManaged: SimulatedOutcome;
  /** The rule that decided; undefined when the request is allowed, or nobody here can know. */
  readonly rule?: RulePlace;
  /**
   * What the rules that are known here decided, and by which of them, whatever may have happened before; undefined when
   * none of them stopped the request.
   */
  readonly decision?: { readonly outcome: Exclude<SimulatedOutcome, "allowed" | "unknown">; readonly rule: RulePlace };
  /** The request as the origin would see it, with the Host header that origin rules give it. */
  readonly request: HttpRequest;
  /** Where origin rules send the request; undefined: where the zone's DNS records say. */
  readonly origin?: Origin;
  /** What the client gets: from the rule that decided, or from the origin, changed by response rules. */
  readonly response?: SentResponse;
  /** Every rule, in the order they run. */
  readonly trace: readonly TraceEntry[];
  /** Managed and other unknown rulesets that would run, with what the overrides make of them. */
  readonly managed: readonly ManagedRun[];
  /** Rules of which nobody here can know what they do to the request. */
  readonly undecided: readonly Undecided[];
  /** Settings by phase, later rules over earlier ones. */
  readonly settings: Readonly<Record<string, object>>;
  /** Products outside the ruleset engine that skip rules switched off. */
  readonly skippedProducts: readonly string[];
  /** Sum of `score` rules that matched. */
  readonly score: number;
  /** The counters after this request: hand them to the next call. */
  readonly limits: Limits;
}
