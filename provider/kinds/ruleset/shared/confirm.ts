import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import type { Desired } from "../desired.js";
import { confirmWritten } from "../in-force.js";
import { Plan } from "../plan/plan.js";
import { parseState } from "../state.js";
import { updateShared } from "./update.js";

/**
 * Compares the last response of this run with the rules that a resource now has in a shared ruleset: exactly as the next run
 * would, but before this one ends.
 */
export function confirmShared(
  session: Session,
  id: string,
  { desired, inputs }: { readonly desired: Desired; readonly inputs: RulesetInputs },
  state: RulesetState,
): Promise<RulesetState> {
  const { target, where, urn, policy } = desired;
  const planOf = (each: RulesetState): Plan => new Plan(parseState(each), desired);
  return confirmWritten(session, id, state, {
    target,
    where,
    urn,
    declaredIn: "list",
    onConflict: policy.onConflict,
    secretsOf: (each) => each,
    isUnchanged: ({ version }, current) => version !== "" && version === current.version,
    conflictIn: (each, current) => planOf(each).compareWith(current).conflict,
    again: async (each) => {
      const next = await updateShared(session, id, planOf(each), inputs);
      if (next !== undefined) return next;
      throw new RulesetsError(`${where} was deleted by somebody else. Run \`pulumi refresh\`, then \`pulumi up\`.`, {
        code: "RULESET_GONE",
      });
    },
  });
}
