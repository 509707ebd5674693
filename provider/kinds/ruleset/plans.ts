import { createHash } from "node:crypto";
import type { Session } from "../../engine/session.js";
import { stableText } from "../../model/json.js";
import type { Pending } from "../../model/unknown.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom } from "./desired.js";
import { Plan } from "./plan/plan.js";
import { parseState } from "./state.js";

/**
 * By URN, the plan that `diff` made for the update that follows it in the same run, and a fingerprint of what it was
 * made from.
 */
const plans = (): Map<string, { readonly of: string; readonly plan: Plan }> => new Map();

/** The plan of a change: reused if it was already made in this run from the same state and inputs. */
export function planFor(session: Session, state: RulesetState, inputs: Pending<RulesetInputs>): Plan {
  const urn = typeof inputs.__urn === "string" ? inputs.__urn : "";
  const known = session.part(plans).get(urn);
  if (known !== undefined && known.of === fingerprintOf(state, inputs)) return known.plan;
  const plan = new Plan(parseState(state), desiredFrom(inputs));
  // A resource that does not change gets no update.
  if (plan.changes || plan.finishes) session.part(plans).set(urn, { of: fingerprintOf(state, inputs), plan });
  return plan;
}

/** Drops the plan of a resource that has been changed: it is not needed again. */
export function forgetPlan(session: Session, { desired }: Plan): void {
  session.part(plans).delete(desired.urn ?? "");
}

function fingerprintOf(state: RulesetState, inputs: Pending<RulesetInputs>): string {
  return createHash("sha256")
    .update(stableText([state, inputs]))
    .digest("base64");
}
