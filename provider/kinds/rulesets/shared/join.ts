import { isMovedAmongOthers } from "../../../rules/placing/steps.js";
import type { Session } from "../../../engine/session.js";
import type { RulesetsError } from "../../../model/errors.js";
import type { Ruleset } from "../../../model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import type { RulesetState } from "../description.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import { findOwnState, ledgerOf, orphanedRules, runRecord } from "../ledgers.js";
import { OwnRulesPlan, planJoin, type KeptByDelete, type OwnRulesComparison } from "../plan/own-rules.js";
import { ownedIds } from "../records.js";
import type { ParsedState } from "../state.js";
import { newResourceOf, resolveJoin, type NewResource } from "../takeover.js";
import { findRecreateConflict, movedAway, refusalOf } from "../write/compare.js";

/** What a new resource does in a ruleset that others share. */
export interface PlannedJoin {
  readonly plan: OwnRulesPlan;
  readonly comparison: OwnRulesComparison;
  readonly join: Join;
  /** What it had before it was deleted first, if that is known. */
  readonly before: RulesetState | undefined;
  /** Why it must not be created again: that would undo what somebody has changed since. */
  readonly undoes: RulesetsError | undefined;
  /** Why it must not do there what it would. */
  readonly refusal: string | undefined;
}

/** What is already known of a new resource. */
interface KnownOfNew {
  /** @default what the program wants */
  readonly resource?: NewResource;
  /** The rules that belong to it. @default they are found out */
  readonly join?: Join | undefined;
  /** What it had before it was deleted first. @default what the state of the stack says */
  readonly before?: RulesetState | undefined;
}

/** Decides what a new resource does there with the rules that belong to it, also one that is created again. */
export async function planNew(
  session: Session,
  desired: Desired,
  actual: Ruleset,
  { resource = newResourceOf(desired), join: known, before: shown }: KnownOfNew = {},
): Promise<PlannedJoin> {
  const last = await findOwnState(session, actual.id, desired.urn);
  const compare = async (before: ParsedState): Promise<OwnRulesComparison> => {
    const plan = new OwnRulesPlan(before, desired);
    return plan.compareWith(actual, await movedAway(session, plan, actual));
  };
  const undoes = await findRecreateConflict(session, desired, actual, compare, last);
  const join = known ?? (await resolveJoin(session, resource, actual));
  const before = shown ?? last?.state;
  const plan = planJoin(desired, actual, join, await keptByDelete(session, desired, actual, before));
  const comparison = plan.compareWith(actual);
  const refusal = await refusalOfJoin(session, comparison);
  return { plan, comparison, join, before, undoes, refusal };
}

async function keptByDelete(
  session: Session,
  desired: Desired,
  { id: rulesetId, rules }: Ruleset,
  before: RulesetState | undefined,
): Promise<KeptByDelete | undefined> {
  if (before === undefined || !runRecord(session).wasDeletedFirst(desired.urn)) return undefined;
  const owned = new Set(ownedIds({ ...before }));
  const ledger = await ledgerOf(session, desired, rulesetId);
  return {
    own: rules.filter((rule) => owned.has(rule.id) && ledger.otherOwnerOf(rule, desired) === undefined),
    orphans: await orphanedRules(session, desired, before),
  };
}

/** Why a new resource must not: like a change; it also must not move an equal rule that may be somebody else's. */
function refusalOfJoin(session: Session, comparison: OwnRulesComparison): Promise<string | undefined> {
  const { desired, recorded, part, actual } = comparison;
  const equal = new Set(isOwnershipRequested(desired.policy) ? [] : (recorded.state.__takenOverRules ?? []));
  const moved = part.steps.flatMap((step) => {
    if (step.kind !== "change" || !isMovedAmongOthers(step) || !equal.has(step.ref)) return [];
    const rule = actual.rules.find(({ id }) => id === step.id);
    return rule === undefined ? [] : [comparison.occupant(step.ref, rule)];
  });
  return refusalOf(session, comparison, moved);
}
