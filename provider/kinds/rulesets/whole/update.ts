import { recordIncomplete } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { displayFor } from "../../../engine/display.js";
import { PartialFailure, RulesetsError } from "../../../model/errors.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { isConflict } from "../../../ownership/conflict.js";
import { conflictError, conflictText } from "../../../ownership/ruleset-messages.js";
import type { RulesetSnapshot } from "../../../ownership/overwritten-change.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import type { Comparison } from "../plan/comparison.js";
import type { Plan } from "../plan/plan.js";
import { currentRuleset } from "../read.js";
import { removalOf, requireWithinLimit } from "../removal-limit.js";
import { stateFrom, withOwnership, withPrevious } from "../state.js";
import { replaceRuleset, checkReplacement, type Written } from "../write/ruleset-writes.js";

/** At most one read and one write of the whole ruleset. Returns undefined if the ruleset no longer exists. */
export async function updateWhole(
  session: Session,
  id: string,
  plan: Plan,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const { state: olds } = plan.recorded;
  const actual = await currentRuleset(session, id, olds);
  if (actual === undefined) return undefined;
  const comparison = plan.compareWith(actual);
  refuseConflict(session, plan, actual, comparison);
  requireWithinLimit(session, plan.desired, {
    removal: removalOf(session, plan, comparison),
    operation: "change",
    state: olds,
  });
  const wasApplied = mayHaveBeenApplied(plan, actual);
  const lost = wasApplied ? (await checkLostWrite(session, plan, actual)).overwrote : undefined;
  if (comparison.isUpToDate) {
    const state = withOwnership(stateFrom(news, actual, comparison.refs, plan.desired.rules), plan.owned || wasApplied);
    return whole(id, withPrevious(state, wasApplied ? versionBefore(olds) : olds.previousVersion), [lost]);
  }
  const { ruleset, overwrote } = await send(session, id, plan, actual, comparison);
  return whole(id, withPrevious(stateFrom(news, ruleset, comparison.refs, plan.desired.rules), actual.version), [
    lost,
    overwrote,
  ]);
}

function refuseConflict(
  session: Session,
  { recorded, desired }: Plan,
  actual: Ruleset,
  { conflict }: Comparison,
): void {
  if (!isConflict(conflict) || session.onConflict(desired.policy.onConflict) !== "fail") return;
  const display = displayFor(session, recorded.state);
  throw conflictError(conflictText(desired.where, actual.version, conflict, "change", display));
}

/**
 * Returns the state after a write. Throws it as a partial failure if this write, or an earlier lost one, undid
 * somebody's change.
 */
function whole(id: string, state: RulesetState, judgements: readonly (RulesetsError | undefined)[]): RulesetState {
  const found = judgements.filter((error) => error !== undefined);
  if (found.length === 0) return state;
  throw new PartialFailure<RulesetState>(id, state, conflictError(found.map(({ message }) => message).join("\n")));
}

/** Judges a write whose response was lost in an earlier run, from what is known of the time before it. */
async function checkLostWrite(session: Session, plan: Plan, response: Ruleset): Promise<Written> {
  const before = await contentBefore(session, plan);
  return checkReplacement(session, plan.desired, { before, response, operation: "change", state: plan.recorded.state });
}

/** The ruleset before a write whose response was lost. A state that was refreshed since then records the version. */
async function contentBefore(session: Session, { recorded, desired }: Plan): Promise<RulesetSnapshot> {
  const { state, lastRuleset } = recorded;
  const version = versionBefore(state);
  if (version === state.version) return lastRuleset;
  const known = { ...lastRuleset, version };
  return session.client.rulesets.getVersion(desired.target.scope, state.rulesetId, version).catch(() => known);
}

/** The version that a write whose response was lost was to replace. */
function versionBefore({ __lostOver, version }: RulesetState): string {
  return __lostOver ?? version;
}

/** Whether a write with an unknown result may have been applied: the ruleset has a new version. */
function mayHaveBeenApplied({ finishes, recorded }: Plan, actual: Ruleset): boolean {
  return finishes && actual.version !== versionBefore(recorded.state);
}

/** Sends the write. If it fails, what this run has read is no longer valid. */
async function send(
  session: Session,
  id: string,
  { recorded, desired }: Plan,
  actual: Ruleset,
  { content }: Comparison,
): Promise<Written> {
  const { scope, phase } = desired.target;
  return recordIncomplete(id, recorded.state, async () => {
    try {
      return await replaceRuleset(session, desired, actual, content, { state: recorded.state });
    } catch (error) {
      session.reads.forget(scope, phase, actual.id);
      throw error;
    }
  });
}
