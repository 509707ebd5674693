import { claim } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import { ApiError, PartialFailure, RulesetsError } from "../../../../core/model/errors.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { objectKeys, placeId, type Created, type Desired } from "../desired.js";
import { newResourceOf, planTakeover, type TakeoverPlan } from "../takeover.js";
import { ownersOf } from "../run.js";
import { contentToCreate, contentOver } from "../plan/content.js";
import { findRecreateConflict, noteTakeover, refuseForeignChanges } from "../write/compare.js";
import { outputsOf, stateFrom, switchedState, withOwnership, withPrevious } from "../state.js";
import type { Updates } from "../plans.js";
import { WHOLE_CHANGES } from "./strategy.js";
import { createRuleset, replaceRuleset, type Written, checkReplacement } from "../write/ruleset-writes.js";
import { recordIncomplete } from "../../../engine/recover.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import type { RulesetSnapshot } from "../../../ownership/overwritten-change.js";
import type { Comparison, Plan } from "../plan/plan.js";
import { currentRuleset } from "../read.js";
import { requireWithinLimit } from "../removal-limit.js";

/** Creates a ruleset that the resource owns as a whole, or takes it over. */
export async function createWhole(session: Session, desired: Desired, inputs: RulesetInputs): Promise<Created> {
  const found = await planTakeover(session, newResourceOf(desired));
  const { ruleset, owned, overwrote, previousVersion } =
    (await takeOver(session, desired, found)) ?? (await make(session, desired));
  claim(session, desired.urn, objectKeys(desired.target, ruleset.id));
  const id = placeId(desired.target, ruleset.id);
  const state = withPrevious(
    withOwnership(stateFrom(inputs, ruleset, undefined, desired.rules), owned),
    previousVersion,
  );
  if (overwrote !== undefined) throw new PartialFailure<RulesetState>(id, state, overwrote);
  return { id, state };
}

/** A ruleset after the create, and whether a delete may remove it. */
interface Held extends Written {
  readonly owned: boolean;
  /** The version that was replaced; undefined if nothing was written or nothing existed before. */
  readonly previousVersion?: string;
}

async function takeOver(
  session: Session,
  desired: Desired,
  found: TakeoverPlan | undefined,
): Promise<Held | undefined> {
  if (found === undefined) return undefined;
  if (found.refusal !== undefined) throw found.refusal;
  const { existing } = found;
  const undoes = findRecreateConflict(session, desired, existing);
  if (undoes !== undefined) throw undoes;
  const content = contentOver(desired, existing);
  if (content !== undefined) {
    const written = await replaceRuleset(session, desired, existing, content);
    noteTakeover(session, desired, existing, written.ruleset);
    return { ...written, owned: true, previousVersion: existing.version };
  }
  if (found.requested) return { ruleset: existing, owned: true };
  const before = ownersOf(session, desired, existing.id).previousHolder(existing.rules);
  return { ruleset: existing, owned: before !== undefined };
}

/** Creates the ruleset, and reads again if somebody else created it first. */
async function make(session: Session, desired: Desired): Promise<Held> {
  const { target } = desired;
  try {
    return { ruleset: await createRuleset(session, desired, contentToCreate(desired)), owned: true };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(20217) || !target.entrypoint) throw error;
    session.reads.forget(target.scope, target.phase, undefined);
    const taken = await takeOver(session, desired, await planTakeover(session, newResourceOf(desired)));
    if (taken === undefined) throw error;
    return taken;
  }
}

/** Updates of a whole ruleset. */
export const WHOLE_UPDATES: Updates<Plan> = {
  planOf: WHOLE_CHANGES.planOf,
  keep: (_session, plan, news) => keptState(plan, news),
  write: updateWhole,
};

function keptState(plan: Plan, news: RulesetInputs): RulesetState {
  const { state } = plan.recorded;
  return plan.switches
    ? switchedState(state, news, plan.staysTakenOver)
    : withOwnership({ ...news, ...outputsOf(state) }, plan.owned);
}

/** At most one read and one write of the whole ruleset. Returns undefined if the ruleset no longer exists. */
async function updateWhole(
  session: Session,
  id: string,
  plan: Plan,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const { state: olds } = plan.recorded;
  const actual = await currentRuleset(session, id, olds);
  if (actual === undefined) return undefined;
  const comparison = plan.compareWith(actual);
  const { conflict } = comparison;
  const [operation, state] = ["change" as const, olds];
  const refusal = refuseForeignChanges(session, plan.desired, { version: actual.version, conflict, operation, state });
  if (refusal !== undefined) throw refusal;
  requireWithinLimit(session, plan.desired, { removal: plan.removal(comparison), operation, state });
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
