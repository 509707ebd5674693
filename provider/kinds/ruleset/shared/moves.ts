import { ownValue } from "../../../model/json.js";
import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import type { Desired } from "../desired.js";
import type { Comparison } from "../plan/comparison.js";
import type { Plan } from "../plan/plan.js";
import { ledgerOf } from "../ledgers.js";

/**
 * Compares a plan with what is at the service now, knowing which rules the program moves between this resource and others
 * of the stack. A rule that moved away is left to its new owner, which may have changed it in this run. A rule that moved
 * here may change on the way, unless somebody else has changed it meanwhile or the other resource still has it. The state
 * of the stack is read only if such a rule may exist.
 */
export async function compareWithMoves(session: Session, plan: Plan, actual: Ruleset): Promise<Comparison> {
  if (!plan.shared) return plan.compareWith(actual);
  const comparison = plan.compareWith(actual, await movedAway(session, plan, actual));
  // Somebody may have changed a rule since an earlier comparison of the same run found that it moved here.
  return (comparison.shared?.occupied ?? []).length === 0
    ? comparison
    : comparison.adopting(await movedHere(session, plan.desired, comparison));
}

/** By ID, the new owners of rules that the program no longer declares here. */
export async function movedAway(session: Session, plan: Plan, actual: Ruleset): Promise<ReadonlyMap<string, string>> {
  const { desired } = plan;
  const recorded = plan.recordedAt(actual);
  const { id: rulesetId, rules } = actual;
  const kept = new Set((desired.rules?.order ?? []).map((ref) => ownValue(recorded.ruleIds, ref)));
  const mine = new Set(Object.values(recorded.ruleIds).filter((id) => !kept.has(id)));
  const dropped = rules.filter(({ id }) => mine.has(id));
  if (dropped.length === 0) return new Map();
  const ledger = await ledgerOf(session, desired, rulesetId);
  const asker = { urn: desired.urn, formerUrn: recorded.state.__urn };
  return new Map(
    dropped.flatMap((rule) => {
      const owner = ledger.otherOwnerOf(rule, asker);
      return owner === undefined ? [] : [[rule.id, owner] as const];
    }),
  );
}

/** IDs of the rules with a ref of the program that other resources of the stack owned, and that nobody else changed. */
async function movedHere(session: Session, desired: Desired, { actual, shared }: Comparison): Promise<Set<string>> {
  const ledger = await ledgerOf(session, desired, actual.id);
  return new Set(
    (shared?.occupied ?? []).flatMap(({ rule }) =>
      ledger.isInherited(rule, desired) && ledger.isUnchanged(rule) ? [rule.id] : [],
    ),
  );
}
