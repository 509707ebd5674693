import { changePartialState, recordIncomplete } from "../../engine/recover.js";
import type { Session } from "../../engine/session.js";
import { displayFor } from "../../engine/display.js";
import { PartialFailure, RulesetsError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import { isConflict } from "../../ownership/conflict.js";
import { conflictError, conflictText } from "../../ownership/ruleset-messages.js";
import type { RulesetSnapshot } from "../../ownership/overwritten-change.js";
import { create } from "./create.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "./description.js";
import type { Comparison } from "./plan/comparison.js";
import type { Plan } from "./plan/plan.js";
import { takenOverIn } from "./plan/shared.js";
import { planFor, plans } from "./plans.js";
import { currentRuleset } from "./read.js";
import { removalOf, requireWithinLimit } from "./removal-limit.js";
import { noteAppliedWhole } from "./ledgers.js";
import { confirmShared } from "./shared/confirm.js";
import { keepReleasedElsewhere, orphanedRules } from "./shared/released.js";
import { switchedState } from "./shared/state.js";
import { updateShared } from "./shared/update.js";
import { outputsOf, stateFrom, withOwnership, withPrevious } from "./state.js";
import { replaceRuleset, checkReplacement, type Written } from "./write.js";

/** Updates a ruleset to what the program wants. */
export async function update(
  description: RulesetDescription,
  session: Session,
  id: string,
  olds: RulesetState,
  news: RulesetInputs,
): Promise<RulesetState> {
  const complete = (state: RulesetState): Promise<RulesetState> => keepReleasedElsewhere(session, olds, state);
  const state = await changePartialState(() => write(description, session, id, olds, news), complete);
  if (state.ownership !== "shared") noteAppliedWhole(session, state.__urn, state.rulesetId);
  return complete(state);
}

/** At most one read and one write of the whole ruleset, and none if nothing differs. */
async function write(
  description: RulesetDescription,
  session: Session,
  id: string,
  olds: RulesetState,
  news: RulesetInputs,
): Promise<RulesetState> {
  const known = planFor(session, olds, news);
  session.part(plans).forget(known);
  const plan = known.reclaiming(await orphanedRules(session, known.desired, olds));
  if (!plan.hasLeftovers && !plan.changes) {
    const takenOver = plan.takesOwnership ? new Set<string>() : takenOverIn(plan.recorded);
    return plan.shared || plan.switches
      ? switchedState(olds, news, takenOver)
      : withOwnership({ ...outputsOf(olds), ...news }, plan.owned);
  }
  if (plan.shared) {
    const state = await updateShared(session, id, plan, news);
    if (state === undefined) return recreate(description, session, plan, news);
    return confirmShared(session, id, { desired: plan.desired, inputs: news }, state);
  }
  const actual = await currentRuleset(session, id, olds);
  if (actual === undefined) return recreate(description, session, plan, news);
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

async function recreate(
  description: RulesetDescription,
  session: Session,
  { desired }: Plan,
  news: RulesetInputs,
): Promise<RulesetState> {
  if (description.type === "PhaseEntrypoint") return (await create(description, session, news, desired)).state;
  throw new RulesetsError(
    `${desired.where} no longer exists at the service. Run \`pulumi refresh\`; the next \`pulumi up\` creates it again.`,
    { code: "RULESET_GONE" },
  );
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
