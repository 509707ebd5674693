import { reasonOf } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { Desired } from "../desired.js";
import { OwnRulesPlan } from "../plan/own-rules.js";
import { ownedElsewhere, reportReleased, requireApplied, requireReplaced } from "../released.js";
import { currentRuleset } from "../read.js";
import { requireDeleteWithinLimit } from "../removal-limit.js";
import { takenOverIn, type ParsedState } from "../state.js";
import { ledgerOf, runRecord } from "../ledgers.js";
import { findReappeared, runInTurn } from "../write/in-force.js";
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
  const undone = await findReappeared(session, desired, recorded.state.rulesetId);
  if (undone !== undefined) throw undone;
}

async function deleteRules(session: Session, id: string, desired: Desired, before: ParsedState): Promise<void> {
  const { urn } = desired;
  const { state } = before;
  const ledger = await ledgerOf(session, desired, state.rulesetId);
  const released = ledger.releasedOnDelete(state, desired);
  runRecord(session).release(released.withOthers, state.rulesetId);
  const open = released.mine.size + released.unclear.length + released.withOthers.length;
  if (open === 0 && state.__incomplete !== true && ownsNothing(session, desired, before)) return;
  const actual = await currentRuleset(session, id, state);
  if (actual === undefined) return;
  await requireApplied(session, desired, state, actual.rules);
  reportReleased(session, desired, released, actual, displayFor(session, state));
  const owner = ledger.keeperOfRules(state, desired);
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

/** By ID, the resources that have the rules that stay: others of the stack, or the new object of the same resource. */
async function stayingRules(
  session: Session,
  plan: OwnRulesPlan,
  actual: Ruleset,
): Promise<ReadonlyMap<string, string>> {
  const { desired, recorded } = plan;
  const held = new Set(Object.values(plan.recordedAt(actual).ruleIds));
  const ledger = await ledgerOf(session, desired, actual.id);
  const newer = ledger.heldByNewer(recorded.state, desired);
  const own = actual.rules.filter(({ id }) => held.has(id));
  const isNeeded = (rule: DeployedRule): boolean => newer.has(rule.id) || ledger.isClaimed(rule, desired);
  const others = { id: actual.id, rules: own.filter((rule) => !isNeeded(rule)) };
  const kept = await ownedElsewhere(session, desired, recorded, others);
  return new Map([...own.filter(isNeeded), ...kept].map(({ id }) => [id, desired.urn ?? ""]));
}
