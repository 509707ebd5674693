import type { Session } from "../../../engine/session.js";
import { ownValue } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import type { Removal } from "../../../ownership/removal.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { Rule } from "../../../rules/rule.js";
import type { Comparison } from "../plan/comparison.js";
import type { Plan } from "../plan/plan.js";
import { resultingOrder } from "../plan/resulting-order.js";
import { haveSameEffects, reportEffect, type RuleInForce, type RulesInForce } from "../report-effect.js";

/**
 * Reports what a change of a shared list does to requests. This comes after the ruleset was read, because a rule that moves
 * between resources of the program is in force before and after.
 */
export function reportSharedEffect(
  session: Session,
  plan: Plan,
  comparison: Comparison | undefined,
  removal: Removal,
): void {
  const { desired } = plan;
  if (session.ruleAnalysis === "off" || desired.rules === undefined) return;
  const rules = rulesInForce(plan, comparison, removal);
  const { phase, kind } = desired.target;
  if (!haveSameEffects(rules)) reportEffect(session, desired.urn, { phase, kind, isPart: true }, rules);
}

/** The rules that the resource has, gets or gives to others, in the order of the ruleset if that is known. */
function rulesInForce(
  { desired, recorded }: Plan,
  comparison: Comparison | undefined,
  { handedOver = [] }: Removal,
): RulesInForce {
  const [old, wanted] = [recorded.declared, desired.rules ?? NO_RULES];
  const oldByRef = (ref: string) => inForce(ownValue(old.rules, ref), recorded.state.__secretPaths, ref);
  const wantedByRef = (ref: string) => inForce(ownValue(wanted.rules, ref), desired.secrets.__secretPaths, ref);
  const part = comparison?.shared;
  if (comparison === undefined || part === undefined)
    return { before: old.order.flatMap(oldByRef), after: wanted.order.flatMap(wantedByRef) };
  const oldRefs = new Map(Object.entries(recorded.ruleIds).map(([ref, id]) => [id, ref]));
  const refs = new Map([...part.ids].map(([ref, id]) => [id, ref]));
  const staying = new Set(handedOver.map(({ rule }) => rule.id));
  const oldRule = (id: string) => oldByRef(oldRefs.get(id) ?? "");
  const steps = part.steps.filter((step) => step.kind !== "delete" || !staying.has(step.id));
  return {
    before: comparison.actual.rules.flatMap(({ id }) => {
      const known = oldRule(id);
      return known.length > 0 ? known : wantedByRef(refs.get(id) ?? "");
    }),
    after: resultingOrder(comparison.actual.rules, part.ids, steps).flatMap(({ id = "", ref }) =>
      ref === undefined ? (staying.has(id) ? oldRule(id) : []) : wantedByRef(ref),
    ),
  };
}

function inForce(
  rule: Rule | undefined,
  secrets: Readonly<Record<string, readonly Path[]>> | undefined,
  ref: string,
): readonly RuleInForce[] {
  return rule === undefined ? [] : [{ rule, secretPaths: ownValue(secrets ?? {}, ref) ?? [] }];
}
