import type { Change } from "../../engine/lifecycle.js";
import type { PreviewPlan } from "../../engine/preview-plan.js";
import type { Session } from "../../engine/session.js";
import { sameJson } from "../../model/json.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { Pending } from "../../model/unknown.js";
import type { Removal } from "../../ownership/removal.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, type Desired } from "./desired.js";
import type { Comparison, Plan } from "./plan/plan.js";
import { parseState, type ParsedState } from "./state.js";

/** How the changes of a resource are planned. */
interface Planning<P extends Plan> {
  readonly planOf: (recorded: ParsedState, desired: Desired) => P;
  /** The plans of this run, as a part of the session. */
  readonly plans: () => ChangePlans<P>;
}

/**
 * What is different about a change where a resource manages the whole of its ruleset, and where it manages its own rules among
 * those of others.
 */
export interface Strategy<P extends Plan, C extends Comparison> extends Planning<P> {
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

/** How a planned update is carried out. */
export interface Updates<P extends Plan> {
  readonly strategy: Planning<P>;
  /** The state where nothing is written. */
  readonly keep: (session: Session, plan: P, news: RulesetInputs) => RulesetState;
  /** Writes, and returns the state; undefined if the ruleset no longer exists. */
  readonly write: (session: Session, id: string, plan: P, news: RulesetInputs) => Promise<RulesetState | undefined>;
}

/** The plan of a change: reused if `diff` has already made it in this run from the same state and inputs. */
export function planFor<P extends Plan>(
  session: Session,
  { planOf, plans }: Planning<P>,
  state: RulesetState,
  inputs: Pending<RulesetInputs>,
): P {
  const known = session.part(plans).find(state, inputs);
  if (known !== undefined) return known;
  const recorded = parseState(state);
  return planOf(recorded, desiredFrom(inputs, isSameList(state, inputs) ? recorded.declared : undefined));
}

function isSameList(before: RulesetInputs, after: Pending<RulesetInputs>): boolean {
  return before.order === after.order && sameJson(before.rules, after.rules);
}

/** By URN, the plans that `diff` made for the updates that follow them in the same run. */
export class ChangePlans<P extends Plan> {
  private readonly plans = new Map<string, { readonly inputs: object; readonly plan: P }>();

  /** The plan of an update, if it was made from the same state and inputs. */
  find(state: object, inputs: { readonly __urn?: unknown }): P | undefined {
    const known = this.plans.get(typeof inputs.__urn === "string" ? inputs.__urn : "");
    if (known === undefined) return undefined;
    return sameJson(known.plan.recorded.state, state) && sameJson(known.inputs, inputs) ? known.plan : undefined;
  }

  /** Keeps a plan for the update that follows. */
  keep(plan: P, inputs: object): void {
    this.plans.set(plan.desired.urn ?? "", { inputs, plan });
  }

  /** Drops the plan of a resource that is being changed: it is not needed again. */
  forget({ desired }: Plan): void {
    this.plans.delete(desired.urn ?? "");
  }
}
