import type { Change } from "../../engine/lifecycle.js";
import type { PreviewPlan } from "../../engine/preview-plan.js";
import type { Session } from "../../engine/session.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { Removal } from "../../ownership/removal.js";
import type { Comparison, Plan } from "./plan/plan.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import type { Planning } from "./plans.js";

/**
 * What is different about a change where a resource manages the whole of its ruleset, and where it manages its own rules among
 * those of others.
 */
export interface Strategy<P extends Plan, C extends Comparison> extends Planning<P> {
  /** Claims the rules that the plan keeps. Returns the reason if another resource manages one of them. */
  readonly claimRules?: (session: Session, plan: P, rulesetId: string) => string | undefined;
  /** Reports rules of others where nothing is written. */
  readonly reportOthers?: (session: Session, id: string, plan: P, change: Change) => Promise<void>;
  /** Compares a plan with what is at the service now. */
  readonly compare: (session: Session, plan: P, actual: Ruleset) => Promise<C>;
  /** Reports what the comparison shows. Throws if the plan cannot be carried out. */
  readonly checkCompared?: (session: Session, plan: P, comparison: C, preview: boolean) => Promise<void>;
  /** Warns in a preview about what the resource leaves behind. */
  readonly warnOfOrphans?: (session: Session, plan: P, actual: Ruleset) => void;
  /** The rules that the plan removes. */
  readonly removalOf: (session: Session, plan: P, comparison: C | undefined) => Removal;
  /** What the plan sends; without a comparison, what it may send. */
  readonly requestsOf: (plan: P, comparison: C | undefined) => Partial<PreviewPlan>;
}

/** How a planned update is carried out. */
export interface Updates<P extends Plan> {
  readonly strategy: Planning<P>;
  /** The state where nothing is written. */
  readonly keep: (session: Session, plan: P, news: RulesetInputs) => RulesetState;
  /** Writes, and returns the state; undefined if the ruleset no longer exists. */
  readonly write: (session: Session, id: string, plan: P, news: RulesetInputs) => Promise<RulesetState | undefined>;
}
