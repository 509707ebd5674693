import type { Change } from "../../engine/lifecycle.js";
import type { PreviewPlan } from "../../engine/preview-plan.js";
import type { Session } from "../../engine/session.js";
import { sameJson } from "../../../core/model/json.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import type { Pending } from "../../../core/model/unknown.js";
import type { Removal } from "../../ownership/removal.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, type Desired } from "./desired.js";
import type { Comparison, Plan } from "./plan/plan.js";
import { parseState, type ParsedState } from "./state.js";

/**
 * What is different about a change where a resource manages the whole of its ruleset, and where it manages its own rules among
 * those of others.
 */
export interface Strategy<P extends Plan, C extends Comparison> {
  readonly planOf: PlanOf<P>;
  /**
   * Claims what the resource manages by the plan, in a ruleset with an ID or in a new one. Returns the reason if another resource
   * conflicts with it.
   */
  readonly claim: (session: Session, plan: P, rulesetId: string | undefined) => string | undefined;
  /** Reports rules of others where nothing is written. */
  readonly reportOthers?: (session: Session, id: string, plan: P, change: Change) => Promise<void>;
  /** Compares a plan with what is at the service now. */
  readonly compare: (session: Session, plan: P, actual: Ruleset) => C;
  /** Reports what the comparison shows. Throws if the plan cannot be carried out. */
  readonly checkCompared?: (session: Session, plan: P, comparison: C, preview: boolean) => void;
  /** The rules that the plan removes. */
  readonly removalOf: (session: Session, plan: P, comparison: C | undefined) => Removal;
  /** What the plan sends; without a comparison, what it may send. */
  readonly requestsOf: (plan: P, comparison: C | undefined) => Partial<PreviewPlan>;
}

/** How an update is planned and carried out. */
export interface Updates<P extends Plan> {
  readonly planOf: PlanOf<P>;
  /** The state where nothing is written. */
  readonly keep: (session: Session, plan: P, news: RulesetInputs) => RulesetState;
  /** Writes, and returns the state; undefined if the ruleset no longer exists. */
  readonly write: (session: Session, id: string, plan: P, news: RulesetInputs) => Promise<RulesetState | undefined>;
}

/** Plans a change, from what the stack knows of a ruleset and what the program wants. */
type PlanOf<P extends Plan> = (recorded: ParsedState, desired: Desired) => P;

/** The plan of a change. */
export function planFor<P extends Plan>(planOf: PlanOf<P>, state: RulesetState, inputs: Pending<RulesetInputs>): P {
  const recorded = parseState(state);
  const isSameList = state.order === inputs.order && sameJson(state.rules, inputs.rules);
  return planOf(recorded, desiredFrom(inputs, isSameList ? recorded.declared : undefined));
}
