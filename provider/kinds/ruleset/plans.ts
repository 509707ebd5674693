import { ChangePlans } from "../../engine/change-plans.js";
import type { Session } from "../../engine/session.js";
import { sameJson } from "../../model/json.js";
import type { Pending } from "../../model/unknown.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom } from "./desired.js";
import { Plan } from "./plan/plan.js";
import { parseState } from "./state.js";

/** The plans of this run, as a part of the session. */
export const plans = (): ChangePlans<Plan> => new ChangePlans();

/** The plan of a change: reused if `diff` has already made it in this run from the same state and inputs. */
export function planFor(session: Session, state: RulesetState, inputs: Pending<RulesetInputs>): Plan {
  const known = session.part(plans).find(state, inputs);
  if (known !== undefined) return known;
  const recorded = parseState(state);
  return new Plan(recorded, desiredFrom(inputs, hasSameRules(state, inputs) ? recorded.declared : undefined));
}

function hasSameRules(before: RulesetInputs, after: Pending<RulesetInputs>): boolean {
  return before.order === after.order && sameJson(before.rules, after.rules);
}
