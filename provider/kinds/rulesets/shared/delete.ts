import type { Session } from "../../../engine/session.js";
import type { Position } from "../../../../core/model/position.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { NO_RULES } from "../../../../core/rules/keyed.js";
import type { Desired } from "../desired.js";
import { planRules } from "../plan/rules.js";
import { currentRuleset } from "../read.js";
import { requireDeleteWithinLimit } from "../removal-limit.js";
import { takenOverIn, type ParsedState } from "../state.js";
import { thereFor } from "../run.js";
import { findReappeared, runInTurn } from "../write/in-force.js";
import { requireNothingUndone } from "../write/conflicts.js";
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
  const { scope } = desired.target;
  await runInTurn(session, scope, recorded.state.rulesetId, () => deleteRules(session, id, desired, recorded));
  const undone = await findReappeared(session, desired, recorded.state.rulesetId);
  if (undone !== undefined) throw undone;
}

async function deleteRules(session: Session, id: string, desired: Desired, before: ParsedState): Promise<void> {
  const { state } = before;
  if (state.__incomplete !== true && ownsNothing(session, desired, before)) return;
  const actual = await currentRuleset(session, id, state);
  if (actual === undefined) return;
  const none = { ...desired, rules: NO_RULES, positions: new Map<string, Position>() };
  const there = thereFor(session, desired, actual);
  // What another resource of the program declares stays, and what this one declares again.
  const newOwnerOf = (rule: DeployedRule) => there.owners.keeperOf(rule);
  const { requests: steps, notes } = planRules({ before, desired: none, difference: undefined, newOwnerOf }, there);
  reportKept(session, desired, before, notes.own.kept);
  if (steps.length === 0) return;
  const deleted = new Set(steps.flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  const removed = actual.rules.filter((rule) => deleted.has(rule.id));
  // What somebody changed in a rule that stays is not undone.
  const edited = notes.conflict.edited.filter(({ rule }) => deleted.has(rule.id));
  const conflict = { ...notes.conflict, edited };
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
