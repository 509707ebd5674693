import { reasonOf } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { sameJson } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { RulesetState } from "../description.js";
import type { Desired } from "../desired.js";
import { OwnRulesPlan } from "../plan/own-rules.js";
import { ownedElsewhere, releasedOnDelete, reportReleased, requireApplied, requireReplaced } from "../released.js";
import { currentRuleset } from "../read.js";
import { requireDeleteWithinLimit } from "../removal-limit.js";
import { takenOverIn, type ParsedState } from "../state.js";
import { findOwnState, isDeletedFirst, ledgerOf, programLedger, runRecord } from "../ledgers.js";
import { heldIds, releasedHere } from "../records.js";
import { findUndone, runInTurn } from "../write/in-force.js";
import { requireNothingUndone } from "../write/compare.js";
import { reportKept } from "./report.js";
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
    runRecord(session).deleted.add(desired.urn ?? "");
  });
  const undone = await findUndone(session, desired, recorded.state.rulesetId);
  if (undone !== undefined) throw undone;
}

async function deleteRules(session: Session, id: string, desired: Desired, before: ParsedState): Promise<void> {
  const { urn } = desired;
  const { state } = before;
  const released = await releasedOnDelete(session, desired, state);
  const open = released.mine.size + released.unclear.length + released.withOthers.length;
  if (open === 0 && state.__incomplete !== true && ownsNothing(session, desired, before)) return;
  const actual = await currentRuleset(session, id, state);
  if (actual === undefined) return;
  await requireApplied(session, desired, state, actual.rules);
  reportReleased(session, desired, released, actual, displayFor(session, state));
  const owner = newOwnerOf(session, desired, state);
  if (owner !== undefined)
    session.reporter.info(urn, `${desired.words.subject} was not deleted: ${reasonOf(owner, urn)}.`);
  const nothing = { ...desired, rules: NO_RULES, positions: new Map() };
  const plan = new OwnRulesPlan(before, nothing, { orphans: released });
  const comparison = plan.compareWith(actual, await stayingRules(session, plan, actual));
  reportKept(session, desired, comparison.recorded, comparison.part.kept.values());
  const { steps } = comparison.part;
  if (steps.length === 0) return;
  const deleted = new Set(steps.flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  const removed = actual.rules.filter(({ id }) => deleted.has(id));
  await requireReplaced(session, desired, state, actual, deleted);
  // What somebody changed in a rule that stays is not undone.
  const edited = comparison.conflict.edited.filter(({ rule }) => deleted.has(rule.id));
  const conflict = { ...comparison.conflict, edited };
  requireNothingUndone(session, desired, { version: actual.version, conflict, operation: "delete", state });
  requireDeleteWithinLimit(session, desired, state, removed, actual);
  const progress = await writeSteps(session, { desired, actual, ids: new Map(), steps, operation: "delete", state });
  if (progress.error !== undefined) throw progress.error;
  if (progress.overwrote.length > 0) throw conflictError(progress.overwrote.join("\n"));
}

/** Whether a resource has no rule that its delete may remove. Reports those that it only took over. */
function ownsNothing(session: Session, desired: Desired, recorded: ParsedState): boolean {
  const taken = takenOverIn(recorded);
  if (Object.keys(recorded.ruleIds).some((ref) => !taken.has(ref))) return false;
  const ids = new Set(Object.values(recorded.ruleIds));
  const rules = recorded.lastRuleset.rules.filter(({ id }) => ids.has(id));
  reportKept(session, desired, recorded, rules);
  return true;
}

/**
 * The resource because of which the rules stay: another one of this run that owns the whole ruleset now, or this one, which is
 * created again over its own rules.
 */
export async function keeperOfOwnRules(
  session: Session,
  desired: Desired,
  state: RulesetState,
): Promise<string | undefined> {
  const { urn = "" } = desired;
  const ledger = programLedger(session, desired, state.rulesetId);
  // The create then takes over its rules.
  const isRecreated = ledger.isSharedBy(desired) && (await isDeletedFirst(session, urn, { ...state }));
  const whole = ledger.keeperOfShared(desired);
  if (whole !== undefined || isRecreated) return whole ?? urn;
  const keeper = newOwnerOf(session, desired, state);
  // The rules that it released are still deleted.
  return keeper === urn || releasedHere(state.__released).length === 0 ? keeper : undefined;
}

/** The resource that has the rules now: others of this run, or the same one again if it is one rule. */
function newOwnerOf(session: Session, desired: Desired, { ruleIds, rulesetId }: RulesetState): string | undefined {
  const rules = Object.entries(ruleIds).map(([ref, id]) => ({ id, ref }));
  const isSingle = desired.words.declaredIn === "arguments";
  return programLedger(session, desired, rulesetId).keeperOfRules(rules, desired, isSingle);
}

/** By ID, the resources that have the rules that stay: others of the stack, or the new object of the same resource. */
async function stayingRules(
  session: Session,
  plan: OwnRulesPlan,
  actual: Ruleset,
): Promise<ReadonlyMap<string, string>> {
  const { desired, recorded } = plan;
  const held = new Set(Object.values(plan.recordedAt(actual).ruleIds));
  const newer = await heldByNewer(session, desired, recorded.state);
  const ledger = await ledgerOf(session, desired, actual.id);
  const own = actual.rules.filter(({ id }) => held.has(id));
  const isNeeded = (rule: DeployedRule): boolean => newer.has(rule.id) || ledger.isClaimed(rule, desired);
  const others = { id: actual.id, rules: own.filter((rule) => !isNeeded(rule)) };
  const kept = await ownedElsewhere(session, desired, recorded, others);
  return new Map([...own.filter(isNeeded), ...kept].map(({ id }) => [id, desired.urn ?? ""]));
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
  const newest = (await findOwnState(session, state.rulesetId, urn))?.state;
  const versionOf = ({ version, ruleIds, __released: released = [] }: RulesetState) => [version, ruleIds, released];
  // In the run that replaces it, the state of the stack still is the old one.
  if (newest === undefined || sameJson(versionOf(newest), versionOf(state))) return new Set();
  return new Set(heldIds({ ...newest }));
}
