import { ownValue } from "../../../core/model/json.js";
import { NOT_KNOWN, type Pending } from "../../../core/model/unknown.js";
import { NO_RULES } from "../../../core/rules/keyed.js";
import { removalWarning } from "../../../core/rules/summary.js";
import { claim } from "../../engine/claims.js";
import { displayFor } from "../../engine/display.js";
import { hasChanged } from "../../engine/inputs.js";
import type { Change as Decision } from "../../engine/lifecycle.js";
import { planUp } from "../../engine/published-plans.js";
import { unavailableCheck } from "../../engine/request.js";
import type { CheckRecord, Session } from "../../engine/session.js";
import { foreignRules, isConflict } from "../../ownership/conflict.js";
import { releasedText, type Removal } from "../../ownership/removal.js";
import { twoRuleOwnersText } from "../../ownership/rule-messages.js";
import { foreignText, occupiedError, recognisedText, twoOwnersText } from "../../ownership/ruleset-messages.js";
import { ruleInWords } from "../../ownership/words.js";
import { RULESET, type RulesetInputs, type RulesetState } from "./description.js";
import { type Desired, objectKeys, policyOf, ruleKeys } from "./desired.js";
import type { Judges } from "./judge.js";
import { type Change, type Edit, editOf, sidesOf } from "./plan/change.js";
import { previewOfUpdate, requireNotDeleted, requireRecreatable, warnOfDeleters } from "./plan/preview.js";
import { planChange } from "./plan/rules.js";
import { currentRuleset } from "./find.js";
import { claimRuleset, runRecord, thereFor, unreadThere } from "./run.js";
import type { ParsedState } from "./state.js";
import { requireNothingUndone, requirePlaced, requireReplaceable, requireWithinLimit } from "./write/stops.js";

/** What a kind of resource says about a change. */
interface OfKind {
  /** Names of inputs that replace the resource. */
  readonly replaces: readonly string[];
  readonly judges: Judges;
}

/**
 * Decides what must happen to a ruleset, and in a preview or an `up` also reports it: what it plans, a note about rules of
 * others, and an error if the change would undo somebody's work. In a refresh, where no `check` ran, it is pure and offline.
 */
export async function diff(
  session: Session,
  id: string,
  olds: RulesetState,
  news: Pending<RulesetInputs>,
  { replaces, judges }: OfKind,
): Promise<Decision> {
  const sides = sidesOf(olds, news);
  const { recorded, desired } = sides;
  const { urn = "", reach } = desired;
  const edit = replaces.length > 0 ? undefined : editOf(sides);
  const decision = decide(edit, replaces, changesPolicy(desired, olds, news));
  const checked = session.checked.get(urn);
  // What a refresh claimed would not be deleted by the rest of the run, or could not move to another resource.
  if (checked === undefined) return decision;
  if (decision.kind === "none") runRecord(session).wantedBefore.delete(urn);
  else runRecord(session).noteState(urn, recorded);
  // A ruleset that is replaced is no longer managed; the place of the new one is.
  const refusal = claimManaged(session, recorded, desired, edit === undefined ? undefined : olds.rulesetId);
  if (refusal !== undefined) throw occupiedError(refusal);
  if (edit === undefined) {
    const read = () => currentRuleset(session, id, olds);
    await requireReplaceable(session, recorded, desired, () => compared(session, desired, checked, read));
    return decision;
  }
  if (decision.kind === "none" && checked.preview) {
    const rules = Object.entries(recorded.ruleIds).map(([ref, ruleId]) => ({ ref, id: ruleId }));
    warnOfDeleters(session, desired, rules, false);
  } else if (decision.kind === "none") await requireNotDeleted(session, desired, recorded);
  if (!reach.isPart && !edit.writes) await reportForeignRules(session, id, edit);
  if (decision.kind === "none") return decision;
  if (!edit.writes) planUp(session, urn, { writes: [] });
  else await reportUpdate(session, id, edit, judges, checked);
  return decision;
}

/** Whether the engine must call for a write or a new state, which can be needed for arguments alone. */
function decide(edit: Edit | undefined, replaces: readonly string[], changesArguments: boolean): Decision {
  if (edit === undefined) return { kind: "replace", replaces, shownByInputs: true };
  const changed = edit.writes || edit.changesState || changesArguments;
  return { kind: changed ? "update" : "none", replaces, shownByInputs: edit.recorded.state.__incomplete === undefined };
}

/**
 * Whether other arguments changed that a delete or the next run reads from the state, although nothing changes at the
 * service.
 */
function changesPolicy({ policy }: Desired, olds: RulesetState, news: Pending<RulesetInputs>): boolean {
  const { onDelete } = policyOf(olds);
  return hasChanged(RULESET, ["record"], { ...olds, onDelete }, { ...news, onDelete: policy.onDelete });
}

/**
 * Claims what the resource manages, in a ruleset with an ID or in a new one. Where it shares the ruleset, also the rules there that
 * it keeps. Returns the reason if another resource conflicts with it.
 */
function claimManaged(
  session: Session,
  recorded: ParsedState,
  { urn = "", where, target, reach, rules = NO_RULES }: Desired,
  rulesetId: string | undefined,
): string | undefined {
  const whole = claimRuleset(session, urn, objectKeys(target, rulesetId), reach);
  if (whole !== undefined) return twoOwnersText(where, whole, urn);
  if (!reach.isPart || rulesetId === undefined) return undefined;
  for (const ref of rules.order) {
    const id = ownValue(recorded.ruleIds, ref);
    const other = id === undefined ? undefined : claim(session, urn, ruleKeys(target, rulesetId, [id]));
    if (other !== undefined) return twoRuleOwnersText(ruleInWords(ref, where), other, urn);
  }
  return undefined;
}

/**
 * Reports rules of others where nothing is written: the next change stops at them. When the ruleset stops being shared it is read
 * first, because until then they were not reported.
 */
async function reportForeignRules(session: Session, id: string, { recorded, desired, switches }: Edit): Promise<void> {
  const { state, lastRuleset } = recorded;
  const deployed = switches ? await currentRuleset(session, id, state).catch(() => undefined) : undefined;
  const foreign = foreignRules(recorded, (deployed ?? lastRuleset).rules);
  if (foreign.length > 0)
    session.reporter.warn(desired.urn, foreignText(desired.where, foreign, displayFor(session, state)));
}

/** Plans and reports an update, and stops where it would undo somebody's work. */
async function reportUpdate(
  session: Session,
  id: string,
  edit: Edit,
  judges: Judges,
  checked: CheckRecord,
): Promise<void> {
  const { preview } = checked;
  const { recorded, desired, difference } = edit;
  const { urn = "", description } = desired;
  const isKnown = difference !== undefined && description !== NOT_KNOWN;
  const read = isKnown
    ? await compared(session, desired, checked, () => readForUpdate(session, id, edit, preview))
    : undefined;
  const change = read ?? planChange(edit, unreadThere(session, desired, recorded.state.rulesetId));
  planUp(session, urn, previewOfUpdate(change));
  if (difference !== undefined) {
    // Resources that take them over are warned from then on.
    const { removal } = change.notes;
    for (const rule of removal.removed) runRecord(session).dropped.set(rule.id, urn);
    reportRemoval(session, edit, removal);
    for (const { changing } of judges) await changing?.({ session, urn, preview }, change);
    requireWithinLimit(session, desired, { removal, operation: "change", state: recorded.state });
  }
  for (const { planned } of judges) await planned?.({ session, urn, preview }, change);
}

/**
 * Warns if most rules are removed, and reports those that move to other resources of this run instead. This comes after the
 * ruleset was read, because the engine may check those resources in the meantime.
 */
function reportRemoval(
  session: Session,
  { recorded, desired, difference }: Edit,
  { removed: gone, released = [] }: Removal,
): void {
  if (difference === undefined || (difference.removed.length === 0 && gone.length === 0)) return;
  if (released.length > 0) {
    const text = releasedText(released, displayFor(session, recorded.state));
    session.reporter.info(desired.urn, `${desired.where}: ${text}`);
  }
  const ids = new Set(released.map(({ rule }) => rule.id));
  const removed = difference.removed.filter((ref) => !ids.has(ownValue(recorded.ruleIds, ref) ?? ""));
  const warning = removalWarning({ ...difference, removed }, recorded.declared.order.length, desired.reach.manages);
  if (warning !== undefined) session.reporter.warn(desired.urn, `${desired.where}: ${warning}`);
}

/** Reads for a comparison with what somebody else changed; undefined where a preview cannot, or is not to. */
async function compared<T>(
  session: Session,
  { urn = "", where }: Desired,
  { preview }: CheckRecord,
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (preview && session.previewChecks === "off") return undefined;
  try {
    return await read();
  } catch (error) {
    const request = { session, urn, preview };
    if (unavailableCheck(request, error, `whether somebody else changed ${where}`).length > 0) throw error;
    return undefined;
  }
}

/** Plans an update from what is at the service. Stops if it would undo somebody's work. */
async function readForUpdate(session: Session, id: string, edit: Edit, preview: boolean): Promise<Change> {
  const { desired, recorded } = edit;
  const { urn, where } = desired;
  const deployed = await currentRuleset(session, id, recorded.state);
  const change = planChange(edit, thereFor(session, desired, deployed, recorded.state.rulesetId));
  if (deployed === undefined) {
    requireRecreatable(session, edit);
    return change;
  }
  const { refusal, recognised, conflict } = change.notes;
  if (refusal !== undefined) throw occupiedError(refusal);
  requirePlaced(change);
  if (preview) warnOfDeleters(session, desired, recognised.values());
  if (recognised.size > 0 && !isConflict(conflict))
    session.reporter.info(urn, `${where}: ${recognisedText([...recognised], desired.rules ?? NO_RULES)}`);
  requireNothingUndone(session, desired, {
    ...{ version: deployed.version, conflict, operation: "change", state: recorded.state },
  });
  return change;
}
