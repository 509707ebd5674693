import { claim } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import { ApiError, PartialFailure, RulesetsError } from "../../../../core/model/errors.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { objectKeys, placeId, type Created, type Desired } from "../desired.js";
import { newResourceOf, planTakeover, type TakeoverPlan } from "../takeover.js";
import { planWhole, refsAfter, type Edit, type WholeChange } from "../plan/change.js";
import { thereFor } from "../run.js";
import { noteTakeover, refuseForeignChanges } from "../write/conflicts.js";
import { planNew } from "../write/new.js";
import { stateFrom, withOwnership, withPrevious, type ParsedState } from "../state.js";
import { createRuleset, replaceRuleset, type Written, checkReplacement } from "../write/ruleset-writes.js";
import { recordIncomplete } from "../../../engine/recover.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import type { RulesetSnapshot } from "../../../ownership/overwritten-change.js";
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
  const { change, undoes } = planNew(session, desired, thereFor(session, desired, existing));
  if (undoes !== undefined) throw undoes;
  if (change.requests.length > 0) {
    const written = await replaceRuleset(session, desired, existing, change.after);
    noteTakeover(session, desired, existing, written.ruleset);
    return { ...written, owned: true, previousVersion: existing.version };
  }
  if (found.requested) return { ruleset: existing, owned: true };
  const before = change.there.owners.previousHolder(existing.rules);
  return { ruleset: existing, owned: before !== undefined };
}

/** Creates the ruleset, and reads again if somebody else created it first. */
async function make(session: Session, desired: Desired): Promise<Held> {
  const { target } = desired;
  try {
    const { after } = planNew(session, desired, thereFor(session, desired, undefined)).change;
    return { ruleset: await createRuleset(session, desired, after), owned: true };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(20217) || !target.entrypoint) throw error;
    session.reads.forget(target.scope, target.phase, undefined);
    const taken = await takeOver(session, desired, await planTakeover(session, newResourceOf(desired)));
    if (taken === undefined) throw error;
    return taken;
  }
}

/** At most one read and one write of the whole ruleset. Returns undefined if the ruleset no longer exists. */
export async function updateWhole(
  session: Session,
  id: string,
  edit: Edit,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const { before, desired } = edit;
  const { state: olds } = before;
  const actual = await currentRuleset(session, id, olds);
  if (actual === undefined) return undefined;
  const change = planWhole(edit, thereFor(session, desired, actual));
  const { conflict, removal } = change.notes;
  const [operation, state] = ["change" as const, olds];
  const refusal = refuseForeignChanges(session, desired, { version: actual.version, conflict, operation, state });
  if (refusal !== undefined) throw refusal;
  requireWithinLimit(session, desired, { removal, operation, state });
  const wasApplied = mayHaveBeenApplied(before, actual);
  const lost = wasApplied ? (await checkLostWrite(session, before, desired, actual)).overwrote : undefined;
  const refs = refsAfter(change);
  const [request] = change.requests;
  if (request === undefined) {
    const state = withOwnership(stateFrom(news, actual, refs, desired.rules), edit.owned || wasApplied);
    return whole(id, withPrevious(state, wasApplied ? versionBefore(olds) : olds.previousVersion), [lost]);
  }
  const { ruleset, overwrote } = await send(session, id, change, actual);
  const after = withPrevious(stateFrom(news, ruleset, refs, desired.rules), actual.version);
  return whole(id, after, [lost, overwrote]);
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
async function checkLostWrite(
  session: Session,
  recorded: ParsedState,
  desired: Desired,
  response: Ruleset,
): Promise<Written> {
  const before = await contentBefore(session, recorded, desired);
  return checkReplacement(session, desired, { before, response, operation: "change", state: recorded.state });
}

/** The ruleset before a write whose response was lost. A state that was refreshed since then records the version. */
async function contentBefore(
  session: Session,
  { state, lastRuleset }: ParsedState,
  desired: Desired,
): Promise<RulesetSnapshot> {
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
function mayHaveBeenApplied({ state }: ParsedState, actual: Ruleset): boolean {
  return state.__incomplete === true && actual.version !== versionBefore(state);
}

/** Sends the write. If it fails, what this run has read is no longer valid. */
async function send(
  session: Session,
  id: string,
  { before: { state }, desired, after }: WholeChange,
  actual: Ruleset,
): Promise<Written> {
  const { scope, phase } = desired.target;
  return recordIncomplete(id, state, async () => {
    try {
      return await replaceRuleset(session, desired, actual, after, { state });
    } catch (error) {
      session.reads.forget(scope, phase, actual.id);
      throw error;
    }
  });
}
