import type { RulesetState } from "../description.js";
import { findOwnState } from "../predecessor.js";
import { ownedIds } from "../records.js";
import { orphanedRules, wasDeletedFirst } from "../released.js";
import { claim } from "../../../engine/claims.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { ruleInWords, twoRuleOwnersText, mayBeDeletedText } from "../../../ownership/rule-messages.js";
import { newResourceOf, resolveJoin, type NewResource } from "../takeover.js";
import type { RulesetsError } from "../../../model/errors.js";
import { findRecreateConflict, movedAway } from "../write/compare.js";
import { isOwnershipRequested, ruleKeys, type Desired } from "../desired.js";
import { positionStatus } from "../../../rules/placing/position.js";
import type { RulesetRule } from "../../../model/generated/rule.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { mapFrom, ownValue } from "../../../model/json.js";
import { quotedRuleName } from "../../../model/names.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { isComplete } from "../../../model/unknown.js";
import { interleavingText, orphansText, joinText, type JoinSummary } from "../../../ownership/shared-messages.js";
import type { Join } from "../../../ownership/join.js";
import type { Plan } from "../plan/plan.js";
import type { ParsedState } from "../state.js";
import type { SharedPart } from "../plan/shared.js";
import { ledgerOf, runRecord } from "../ledgers.js";
import { resultingOrder } from "../../../rules/placing/resulting-order.js";
import { isMovedAmongOthers } from "../../../rules/placing/steps.js";
import { Rule } from "../../../rules/rule.js";
import { OwnRulesPlan, planJoin, type LeftByDelete, type OwnRulesComparison } from "../plan/own-rules.js";
import { requirePlaced } from "./unplaced.js";

/** How the program's rules and those of others are interleaved after a plan is applied. */
function interleavingOf(session: Session, { desired }: Plan, part: SharedPart, actual: Ruleset): string {
  const rules = resultingOrder(actual.rules, part.ids, part.steps);
  const { __secretPaths: secretPaths = {} } = desired.secrets;
  const nameOf = (ref: string): string => {
    const rule = desired.rules?.rules[ref]?.fields;
    const description = rule === undefined || !isComplete<RulesetRule>(rule) ? undefined : rule.description;
    const isSecret = (secretPaths[ref] ?? []).some(([step]) => step === undefined || step === "description");
    const hides = description === undefined || description === "" || isSecret || session.secrets.contains(description);
    return hides ? ref : quotedRuleName({ description, ref });
  };
  return interleavingText(rules.map(({ ref }) => ({ own: ref === undefined ? undefined : nameOf(ref) })));
}

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

/**
 * Reports how the program's rules and those of others are interleaved. Throws if a rule of somebody else has a ref of the
 * program, or if a rule cannot be where the program wants it.
 */
export async function checkOwnRules(
  session: Session,
  plan: OwnRulesPlan,
  { recognised, part, actual }: OwnRulesComparison,
  preview: boolean,
): Promise<void> {
  const { urn, where, words } = plan.desired;
  const refusal = await refusalOf(session, plan, part, actual);
  if (refusal !== undefined) throw occupiedError(refusal);
  requirePlaced(session, plan.desired, part.unplaced, actual);
  if (preview) warnOfDeleters(session, plan, recognised.values());
  if (words.declaredIn === "list")
    session.reporter.info(urn, `${where}: ${interleavingOf(session, plan, part, actual)}`);
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

/**
 * Warns in a preview about rules that move here from resources that were checked first, and that may delete them before
 * they are created again.
 */
export function warnOfDeleters(
  session: Session,
  { desired }: Pick<Plan, "desired">,
  rules: Iterable<DeployedRule>,
): void {
  const { dropped } = runRecord(session);
  for (const rule of rules) {
    const deleter = dropped.get(rule.id);
    if (deleter !== undefined) session.reporter.warn(desired.urn, mayBeDeletedText(rule, deleter));
  }
}

/** Warns in a preview about rules that the resource released, and that nobody in the stack has. */
export function warnOfOrphans(session: Session, { desired, recorded, orphans }: Plan, { rules }: Ruleset): void {
  const unclear = new Map(orphans.unclear.map((rule) => [rule.id, rule]));
  const found = rules.flatMap((rule) => {
    const missing = unclear.get(rule.id);
    const given = missing ?? orphans.mine.get(rule.id);
    if (given === undefined || given.reported === true || ownValue(desired.rules?.rules ?? {}, rule.ref) !== undefined)
      return [];
    const outcome = given.version !== rule.version ? "edited" : missing === undefined ? "deleted" : "missing";
    return [{ rule, to: given.to, outcome } as const];
  });
  if (found.length === 0) return;
  const text = orphansText(found, displayFor(session, recorded.state));
  session.reporter.warn(desired.urn, `${desired.where}: ${text}`);
}

/** The existing rules that a plan gives other content, and the fields that change. */
function changedBy(
  { desired }: Plan,
  { steps }: SharedPart,
  existing: readonly DeployedRule[],
): JoinSummary["changed"] {
  const written = new Map(
    steps.flatMap((step) => {
      const wanted = step.kind === "change" && step.rule !== undefined ? desired.rules?.rules[step.ref] : undefined;
      return step.kind !== "change" || wanted === undefined ? [] : [[step.id, wanted] as const];
    }),
  );
  return existing.flatMap((rule) => {
    const [before, wanted] = [Rule.of(rule), written.get(rule.id)];
    return wanted === undefined || wanted.mayMeanSameAs(before) ? [] : [{ rule, fields: before.changedFields(wanted) }];
  });
}

/** Reports what a resource finds in the ruleset that it will share. */
export function reportJoin(
  session: Session,
  urn: string,
  { plan, comparison: { part, actual }, join }: PlannedJoin,
): void {
  const mine = new Map([...part.ids].map(([ref, id]) => [id, ref]));
  const kept = actual.rules.filter(({ id }) => mine.has(id));
  const isTaken = ({ id }: DeployedRule): boolean => part.takenOver.has(mine.get(id) ?? "");
  const joined = {
    rulesetId: actual.id,
    version: actual.version,
    others: actual.rules.length - kept.length,
    kept,
    changed: changedBy(plan, part, kept),
    taken: kept.filter(isTaken),
    equalRules: join.equalRules.filter(({ id }) => !mine.has(id)),
  };
  const text = joinText(joined, displayFor(session, plan.recorded.state));
  const whole = `${text}\n  ${interleavingOf(session, plan, part, actual)}`;
  if (joined.taken.length + joined.equalRules.length > 0) session.reporter.warn(urn, whole);
  else session.reporter.info(urn, whole);
}
