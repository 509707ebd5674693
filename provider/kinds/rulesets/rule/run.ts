import { ChangePlans } from "../../../engine/change-plans.js";
import type { Session } from "../../../engine/session.js";
import { type Pending, isUnknown } from "../../../model/unknown.js";
import type { RuleInputs, RuleState } from "./description.js";
import { desiredFrom, isKnownTarget, rulesetTarget, type Desired } from "./desired.js";
import { Plan } from "./plan.js";
import { parseState } from "./state.js";
import { declareRules } from "../ledgers.js";

/** The plans of this run, as a part of the session. */
export const plans = (): ChangePlans<Plan> => new ChangePlans();

/** The plan of a change: reused if `diff` has already made it in this run from the same state and inputs. */
export function planFor(session: Session, state: RuleState, inputs: Pending<RuleInputs>): Plan {
  return session.part(plans).find(state, inputs) ?? new Plan(parseState(state), desiredFrom(inputs), inputs);
}

/** Records a rule that a resource is to have. */
export function declareRule(
  session: Session,
  { target, urn, ref, rule }: Desired,
  found: { readonly id: string; readonly kind: string } | undefined,
): void {
  if (isUnknown(ref) || !isKnownTarget(target)) return;
  const rules = { rules: { [ref]: rule }, order: [ref] };
  const policy = { ownership: "shared" } as const;
  declareRules(
    session,
    { target: rulesetTarget(target, found?.kind), urn, policy },
    found?.id ?? target.rulesetId,
    rules,
  );
}
