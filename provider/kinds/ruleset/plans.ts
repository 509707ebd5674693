import type { Session } from "../../engine/session.js";
import { sameJson } from "../../model/json.js";
import type { Pending } from "../../model/unknown.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom } from "./desired.js";
import { Plan } from "./plan/plan.js";
import { parseState } from "./state.js";

/** A plan, and what it was made from. */
interface KnownPlan {
  readonly state: RulesetState;
  readonly inputs: Pending<RulesetInputs>;
  readonly plan: Plan;
}

/** By URN, the plan that `diff` made for the update that follows it in the same run. */
const plans = (): Map<string, KnownPlan> => new Map();

/** The plan of a change: reused if it was already made in this run from the same state and inputs. */
export function planFor(session: Session, state: RulesetState, inputs: Pending<RulesetInputs>): Plan {
  const urn = typeof inputs.__urn === "string" ? inputs.__urn : "";
  const known = session.part(plans).get(urn);
  if (known !== undefined && sameJson(known.state, state) && sameJson(known.inputs, inputs)) return known.plan;
  const plan = new Plan(parseState(state), desiredFrom(inputs));
  // A resource that does not change gets no update.
  if (plan.changes || plan.finishes) session.part(plans).set(urn, { state, inputs, plan });
  return plan;
}

/** Drops the plan of a resource that has been changed: it is not needed again. */
export function forgetPlan(session: Session, { desired }: Plan): void {
  session.part(plans).delete(desired.urn ?? "");
}
