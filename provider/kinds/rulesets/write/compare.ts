import { displayFor } from "../../engine/display.js";
import { planUp, UNDOES_OTHERS } from "../../engine/published-plans.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../model/errors.js";
import { mapFrom, ownValue } from "../../model/json.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { isConflict } from "../../ownership/conflict.js";
import { conflictError, conflictText, overwriteText, unreadStateText } from "../../ownership/ruleset-messages.js";
import { Rule } from "../../rules/rule.js";
import { isOwnershipRequested, type Desired } from "./desired.js";
import { OwnRulesComparison, OwnRulesPlan, planOf } from "./plan/own-rules.js";
import { findOwnState } from "./predecessor.js";
import { parseState } from "./state.js";
import { ledgerOf } from "./ledgers.js";

/**
 * Why a resource cannot be created again over its own ruleset, as with `--replace` or a taint: somebody has changed it
 * since the stack last read it, and an update would stop at that too. Warns instead if overwriting is requested.
 */
export async function findRecreateConflict(
  session: Session,
  desired: Desired,
  actual: Ruleset,
): Promise<RulesetsError | undefined> {
  const { urn, where, policy } = desired;
  if (desired.rules === undefined) return undefined;
  const last = await findOwnState(session, actual.id, urn);
  if (last === undefined) return findUnreadConflict(session, desired, actual);
  const plan = planOf(parseState(last), desired);
  const comparison =
    plan instanceof OwnRulesPlan
      ? plan.compareWith(actual, await movedAway(session, plan, actual))
      : plan.compareWith(actual);
  const { conflict } = comparison;
  if (!isConflict(conflict)) return undefined;
  const display = displayFor(session, last);
  if (session.onConflict(policy.onConflict) === "fail")
    return conflictError(conflictText(where, actual.version, conflict, "change", display));
  session.reporter.warn(urn, overwriteText(where, actual.version, conflict, "change", display));
  planUp(session, urn, UNDOES_OTHERS);
  return undefined;
}

/**
 * Where the state of the stack cannot be read, a resource that is created again looks like one that takes over rules on
 * request: rules that it would change may contain somebody's edits.
 */
async function findUnreadConflict(
  session: Session,
  { where, policy, rules, urn, secrets }: Desired,
  { rules: existing }: Ruleset,
): Promise<RulesetsError | undefined> {
  if (!isOwnershipRequested(policy) || (await session.predecessors.all()) !== undefined) return undefined;
  const changed = existing.filter((rule) => {
    const wanted = ownValue(rules?.rules ?? {}, rule.ref);
    return wanted !== undefined && !wanted.mayMeanSameAs(Rule.of(rule));
  });
  if (changed.length === 0) return undefined;
  const text = unreadStateText(where, changed, displayFor(session, { ...secrets, ruleIds: idsByRef(changed) }));
  if (session.onConflict(policy.onConflict) === "fail") return conflictError(text);
  session.reporter.warn(urn, `overwriting, as requested.\n${text}`);
  planUp(session, urn, UNDOES_OTHERS);
  return undefined;
}

function idsByRef(rules: readonly DeployedRule[]): Readonly<Record<string, string>> {
  return mapFrom(rules.map(({ ref, id }) => [ref, id] as const));
}

/** Stops before creating a resource again would undo what somebody changed. */
export async function requireRecreatable(...args: Parameters<typeof findRecreateConflict>): Promise<void> {
  const error = await findRecreateConflict(...args);
  if (error !== undefined) throw error;
}

/**
 * Compares a plan with what is at the service now, knowing which rules the program moves between this resource and others
 * of the stack. A rule that moved away is left to its new owner, which may have changed it in this run. A rule that moved
 * here may change on the way, unless somebody else has changed it meanwhile or the other resource still has it. The state
 * of the stack is read only if such a rule may exist.
 */
export async function compareWithMoves(
  session: Session,
  plan: OwnRulesPlan,
  actual: Ruleset,
): Promise<OwnRulesComparison> {
  const comparison = plan.compareWith(actual, await movedAway(session, plan, actual));
  // Somebody may have changed a rule since an earlier comparison of the same run found that it moved here.
  return comparison.part.occupied.length === 0
    ? comparison
    : comparison.adopting(await movedHere(session, plan.desired, comparison));
}

/** By ID, the new owners of rules that the program no longer declares here. */
export async function movedAway(
  session: Session,
  plan: OwnRulesPlan,
  actual: Ruleset,
): Promise<ReadonlyMap<string, string>> {
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
async function movedHere(
  session: Session,
  desired: Desired,
  { actual, part }: OwnRulesComparison,
): Promise<Set<string>> {
  const ledger = await ledgerOf(session, desired, actual.id);
  return new Set(
    part.occupied.flatMap(({ rule }) =>
      ledger.isInherited(rule, desired) && ledger.isUnchanged(rule) ? [rule.id] : [],
    ),
  );
}
