import { ChangePlans } from "../../engine/change-plans.js";
import type { Session } from "../../engine/session.js";
import type { Pending } from "../../model/unknown.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom } from "./desired.js";
import { Plan } from "./plan/plan.js";
import { parseState } from "./state.js";

const plans = (): ChangePlans<Plan> => new ChangePlans();

/** The plan of a change: reused if it was already made in this run from the same state and inputs. */
export function planFor(session: Session, state: RulesetState, inputs: Pending<RulesetInputs>): Plan {
  const urn = typeof inputs.__urn === "string" ? inputs.__urn : "";
  const known = session.part(plans).find(urn, { state, inputs });
  if (known !== undefined) return known;
  const plan = new Plan(parseState(state), desiredFrom(inputs));
  // A resource that does not change gets no update.
  if (plan.changes || plan.finishes) keepPlan(session, plan, inputs);
  return plan;
}

/** Keeps a plan for the update that follows. */
export function keepPlan(session: Session, plan: Plan, inputs: Pending<RulesetInputs>): void {
  const { recorded, desired } = plan;
  session.part(plans).keep(desired.urn ?? "", { state: recorded.state, inputs, plan });
}

/** Drops the plan of a resource that is being changed: it is not needed again. */
export function forgetPlan(session: Session, { desired }: Plan): void {
  session.part(plans).forget(desired.urn ?? "");
}
