import { hasClaimedParts, reasonOf, reasonToKeep } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { sameJson } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { currentOf, findConflict, isConflict, ownConflict } from "../../../ownership/conflict.js";
import { conflictError, conflictText, overwriteText } from "../../../ownership/ruleset-messages.js";
import { keptRulesText } from "../../../ownership/shared-messages.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { RulesetState } from "../description.js";
import { objectKeys, type Desired } from "../desired.js";
import { takenOverIn, withOrphans, withUnconfirmedAdditions, withoutRules } from "../plan/shared.js";
import type { Step } from "../plan/steps.js";
import { ownedElsewhere } from "../keep.js";
import { currentRuleset } from "../read.js";
import { requireWithinLimit } from "../removal-limit.js";
import { runInTurn } from "../write/rule-writes.js";
import type { ParsedState } from "../state.js";
import { isDeletedFirst, ledgerOf, noteDeleted } from "../ledgers.js";
import { findOwnState } from "../predecessor.js";
import { heldIds } from "../records.js";
import { findUndone } from "../write/in-force.js";
import { releasedOnDelete, reportReleased, requireApplied, requireReplaced } from "../released.js";
import { writeSteps } from "./write-steps.js";

/**
 * Deletes the rules that a resource owns in a shared ruleset, from the bottom up, so that no exception is deleted
 * before the rule that it applies to. The ruleset and all other rules stay, and so does a rule that another resource of
 * the program has taken over.
 */
export async function deleteOwnRules(
  session: Session,
  id: string,
  desired: Desired,
  recorded: ParsedState,
): Promise<void> {
  await runInTurn(session, desired.target.scope, recorded.state.rulesetId, async () => {
    await deleteRules(session, id, desired, recorded);
    noteDeleted(session, desired.urn);
  });
  const undone = await findUndone(session, desired, recorded.state.rulesetId);
  if (undone !== undefined) throw undone;
}

async function deleteRules(session: Session, id: string, desired: Desired, before: ParsedState): Promise<void> {
  const { target, urn } = desired;
  const { state } = before;
  const released = await releasedOnDelete(session, desired, state);
  const { mine: orphans, unclear, left } = released;
  const open = orphans.size + unclear.length + left.length;
  if (Object.keys(before.ruleIds).length + open === 0 && state.__incomplete !== true) return;
  session.reads.forget(target.scope, target.phase, state.rulesetId);
  const actual = await currentRuleset(session, id, state);
  if (actual === undefined) return;
  await requireApplied(session, desired, state, actual.rules);
  reportReleased(session, desired, released, actual, displayFor(session, state));
  const known = state.__incomplete === true ? withUnconfirmedAdditions(before, actual) : before;
  const recorded = withOrphans(known, orphans, NO_RULES, actual);
  const steps = await deletionsOf(session, desired, recorded, actual);
  if (steps.length === 0) return;
  const deleted = new Set(steps.map(({ ref }) => recorded.ruleIds[ref] ?? ""));
  await requireReplaced(session, desired, state, actual, deleted);
  const others = Object.values(recorded.ruleIds).filter((each) => !deleted.has(each));
  // A rule that stays may have been changed in this run, by the resource that has it now.
  refuseConflict(session, desired, withoutRules(recorded, new Set(others)), actual);
  // A resource that this run has checked is being replaced: its removal was checked before anything was written.
  if (!session.checked.has(urn ?? "")) {
    const gone = new Set(steps.map((step) => step.kind === "delete" && step.id));
    const removal = { removed: actual.rules.filter((rule) => gone.has(rule.id)), before: actual.rules.length };
    requireWithinLimit(session, desired, { removal, operation: "delete", state });
  }
  const progress = await writeSteps(session, { desired, actual, ids: new Map(), steps, operation: "delete", state });
  if (progress.error !== undefined) throw progress.error;
  if (progress.overwrote.length > 0) throw conflictError(progress.overwrote.join("\n"));
}

/**
 * Why the rules must stay: another resource of this run owns the whole ruleset now, or this one is created again over
 * its own rules.
 */
export async function keeperOfOwnRules(
  session: Session,
  desired: Desired,
  state: RulesetState,
): Promise<string | undefined> {
  const { target, urn = "" } = desired;
  const recreated = await isRecreatedHere(session, desired, state);
  const whole = reasonToKeep(session, objectKeys(target, state.rulesetId), desired.urn, { parts: false });
  return whole ?? (recreated ? reasonOf(urn, urn) : undefined);
}

/** Whether a resource is deleted before this run creates it again in the same ruleset: the create then takes over its rules. */
async function isRecreatedHere(session: Session, { target, urn = "" }: Desired, state: RulesetState): Promise<boolean> {
  const isHere = hasClaimedParts(session, urn, objectKeys(target, state.rulesetId));
  return isHere && isDeletedFirst(session, urn, { ...state });
}

async function deletionsOf(
  session: Session,
  desired: Desired,
  recorded: ParsedState,
  actual: Ruleset,
): Promise<Step[]> {
  const { urn, where } = desired;
  const taken = takenOverIn(recorded);
  const refOf = new Map(Object.entries(recorded.ruleIds).map(([ref, each]) => [each, ref]));
  const newer = await heldByNewer(session, desired, recorded.state);
  const ledger = await ledgerOf(session, desired, actual.id);
  const own = actual.rules.flatMap((rule) => {
    const ref = refOf.get(rule.id);
    const isNeeded = newer.has(rule.id) || ledger.isClaimedAgain(rule, desired);
    return ref === undefined || isNeeded ? [] : [{ ref, rule }];
  });
  const mine = { id: actual.id, rules: own.map(({ rule }) => rule) };
  const kept = new Set((await ownedElsewhere(session, desired, recorded, mine)).map(({ id }) => id));
  const left = own.filter(({ ref }) => taken.has(ref)).map(({ rule }) => rule);
  if (left.length > 0) session.reporter.warn(urn, keptRulesText(where, left, displayFor(session, recorded.state)));
  return own
    .flatMap(({ ref, rule }) =>
      taken.has(ref) || kept.has(rule.id) ? [] : [{ kind: "delete" as const, ref, id: rule.id }],
    )
    .reverse();
}

/**
 * IDs of the rules that the new object of a resource has or has released, if an earlier run replaced the resource and did not
 * delete its old object: what happens to them is for the new one to decide.
 */
async function heldByNewer(
  session: Session,
  { urn }: Pick<Desired, "urn">,
  state: RulesetState,
): Promise<ReadonlySet<string>> {
  if (!session.checked.has(urn ?? "")) return new Set();
  const newest = await findOwnState(session, state.rulesetId, urn);
  const versionOf = ({ version, ruleIds, __handedOver: given = [] }: RulesetState) => [version, ruleIds, given];
  // In the run that replaces it, the state of the stack still is the old one.
  if (newest === undefined || sameJson(versionOf(newest), versionOf(state))) return new Set();
  return new Set(heldIds({ ...newest }));
}

function refuseConflict(
  session: Session,
  { where, policy, urn }: Desired,
  recorded: ParsedState,
  actual: Ruleset,
): void {
  const conflict = ownConflict(
    findConflict(recorded, currentOf(actual), { ...NO_RULES, description: recorded.description }),
  );
  if (!isConflict(conflict)) return;
  const display = displayFor(session, recorded.state);
  if (session.onConflict(policy.onConflict) === "fail")
    throw conflictError(conflictText(where, actual.version, conflict, "delete", display));
  session.reporter.warn(urn, overwriteText(where, actual.version, conflict, "delete", display));
}
