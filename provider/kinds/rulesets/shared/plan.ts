import type { RulesetState } from "../description.js";
import { ownedIds } from "../records.js";
import { orphanedRules, wasDeletedFirst } from "../released.js";
import { claim } from "../../../engine/claims.js";
import { ruleInWords, twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { newResourceOf, resolveJoin, type NewResource } from "../takeover.js";
import type { RulesetsError } from "../../../model/errors.js";
import { findRecreateConflict, movedAway } from "../write/compare.js";
import { isOwnershipRequested, ruleKeys, type Desired } from "../desired.js";
import { positionStatus } from "../../../rules/placing/position.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { mapFrom, ownValue } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import type { Plan } from "../plan/plan.js";
import type { ParsedState } from "../state.js";
import type { SharedPart } from "../plan/shared.js";
import { findOwnState, ledgerOf } from "../ledgers.js";
import { isMovedAmongOthers } from "../../../rules/placing/steps.js";
import { Rule } from "../../../rules/rule.js";
import { OwnRulesPlan, planJoin, type LeftByDelete, type OwnRulesComparison } from "../plan/own-rules.js";

/** Claims the rules that a resource keeps. Returns the reason if another resource manages one of them. */
export function claimOwnRules(session: Session, { desired, recorded }: Plan, rulesetId: string): string | undefined {
  const { urn = "", where, target, rules } = desired;
  const refusals = (rules?.order ?? []).flatMap((ref) => {
    const id = ownValue(recorded.ruleIds, ref);
    const other = id === undefined ? undefined : claim(session, urn, ruleKeys(target, rulesetId, [id]));
    return other === undefined ? [] : [twoRuleOwnersText(ruleInWords(ref, where), other, urn)];
  });
  return refusals[0];
}

/** Why a plan cannot be applied: a rule has a ref of the program, and is somebody else's or was changed by somebody else. */
export async function refusalOf(
  session: Session,
  { desired, recorded }: Plan,
  { occupied }: SharedPart,
  actual: Ruleset,
): Promise<string | undefined> {
  if (occupied.length === 0) return undefined;
  const ledger = await ledgerOf(session, desired, actual.id);
  const named = occupied.map(({ ref, rule }) => {
    const owner = ledger.previousOwnerOf(rule, desired);
    const differences = changedFieldsOf(desired, ref, rule, isMoved(desired, ref, rule, actual));
    return { ref, rule, differences, ...(owner === undefined ? {} : { owner }) };
  });
  // A rule that moved here may contain secrets of this resource: they are shown in none of its rules.
  const ids = mapFrom(occupied.map(({ ref, rule }) => [ref, rule.id] as const));
  const places = { ...recorded.state, ...desired.secrets, ruleIds: { ...recorded.state.ruleIds, ...ids } };
  return desired.words.occupied(named, displayFor(session, places));
}

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
  const plan = planJoin(desired, actual, join, await leftByDelete(session, desired, actual, before));
  const comparison = plan.compareWith(actual);
  const refusal = await refusalOfJoin(session, plan, comparison.part, actual);
  return { plan, comparison, join, before, undoes, refusal };
}

async function leftByDelete(
  session: Session,
  desired: Desired,
  { id: rulesetId, rules }: Ruleset,
  before: RulesetState | undefined,
): Promise<LeftByDelete | undefined> {
  if (before === undefined || !wasDeletedFirst(session, desired.urn)) return undefined;
  const owned = new Set(ownedIds({ ...before }));
  const ledger = await ledgerOf(session, desired, rulesetId);
  return {
    own: rules.filter((rule) => owned.has(rule.id) && ledger.otherOwnerOf(rule, desired) === undefined),
    orphans: await orphanedRules(session, desired, before),
  };
}

/** Why a new resource must not: like a change; it also must not move an equal rule that may be somebody else's. */
function refusalOfJoin(session: Session, plan: Plan, part: SharedPart, actual: Ruleset): Promise<string | undefined> {
  const equal = new Set(isOwnershipRequested(plan.desired.policy) ? [] : (plan.recorded.state.__takenOverRules ?? []));
  const moved = part.steps.flatMap((step) => {
    if (step.kind !== "change" || !isMovedAmongOthers(step) || !equal.has(step.ref)) return [];
    const rule = actual.rules.find(({ id }) => id === step.id);
    return rule === undefined ? [] : [{ ref: step.ref, rule }];
  });
  return refusalOf(session, plan, { ...part, occupied: [...part.occupied, ...moved] }, actual);
}

/** The fields in which an existing rule must change, and `position` if it must move. */
export function changedFieldsOf(
  { rules }: Desired,
  ref: string,
  rule: DeployedRule,
  moves: boolean,
): readonly string[] {
  const wanted = rules?.rules[ref];
  const existing = Rule.of(rule);
  const fields = wanted === undefined || wanted.mayMeanSameAs(existing) ? [] : existing.changedFields(wanted);
  return moves ? [...fields, "position"] : fields;
}

function isMoved({ positions }: Desired, ref: string, { id }: DeployedRule, { rules }: Ruleset): boolean {
  const position = positions.get(ref);
  return position !== undefined && positionStatus(rules, id, position) === "elsewhere";
}
