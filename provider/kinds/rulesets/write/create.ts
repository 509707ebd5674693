import { ApiError, PartialFailure, RulesetsError } from "../../../../core/model/errors.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { claim, claimParts } from "../../../engine/claims.js";
import { recordIncomplete } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { type Created, type Desired, nothingAt, objectKeys, placeId } from "../desired.js";
import { findExisting, type NewResource, newResourceOf, refuseAmbiguousName } from "../find.js";
import { planJoin, planNew, planTakeover, type TakeoverPlan } from "../new-resource.js";
import type { Change } from "../plan/change.js";
import { runRecord, thereFor } from "../run.js";
import { createRuleset, createToShare, replaceRuleset, type Written } from "./ruleset-writes.js";
import { stateAfterWhole } from "./state-after.js";
import { noteTakeover, requireNothingUndone, runInTurn, unplacedError } from "./stops.js";
import { applyShared, claimRules, confirmShared } from "./update.js";

/** A resource that is created among rules of others. */
interface Creating {
  readonly session: Session;
  readonly resource: NewResource;
  readonly desired: Desired;
  readonly inputs: RulesetInputs;
}

/** Adds a program's rules to a ruleset that others share, or creates the ruleset with them if there is none. */
export async function createShared(session: Session, desired: Desired, inputs: RulesetInputs): Promise<Created> {
  const { target, urn } = desired;
  const state = await joinOrMake({ session, resource: newResourceOf(desired), desired, inputs });
  claimParts(session, urn, objectKeys(target, state.rulesetId));
  const id = placeId(target, state.rulesetId);
  return { id, state: await confirmShared(session, id, { desired, inputs }, state) };
}

/** Once more if somebody deletes the entry point between the read and the first write. */
async function joinOrMake(creating: Creating): Promise<RulesetState> {
  const { session, desired } = creating;
  const attempt = async (): Promise<RulesetState> => {
    const deployed = await findShared(creating);
    return deployed === undefined ? makeInTurn(creating) : join(creating, deployed);
  };
  const { scope, phase, entrypoint } = desired.target;
  try {
    return await attempt();
  } catch (error) {
    const isGone = error instanceof ApiError && error.code === "API_NOT_FOUND" && !error.ambiguous;
    if (!isGone || !entrypoint) throw error;
    session.reads.forget(scope, phase, undefined);
    return attempt();
  }
}

/** The ruleset, found by its phase, its name or its ID; which of its rules belong to the resource is decided inside the queue. */
async function findShared({ session, resource }: Creating): Promise<Ruleset | undefined> {
  const { target, where } = resource;
  const deployed = await findExisting(session, resource);
  if (deployed === undefined && target.rulesetId !== undefined)
    throw new RulesetsError(`there is no ${where}. To continue: check rulesetId.`, { code: "RULESET_GONE" });
  const refusal = deployed === undefined ? undefined : await refuseAmbiguousName(session, resource);
  if (refusal !== undefined) throw refusal;
  return deployed;
}

/** If several find no ruleset, the first creates it. */
function makeInTurn(creating: Creating): Promise<RulesetState> {
  const { session, desired } = creating;
  return session.queue.run(placeId(desired.target), async () => {
    const deployed = await findShared(creating);
    return deployed === undefined ? make(creating) : join(creating, deployed);
  });
}

/** Creates the ruleset with every rule in one request, or joins it if somebody else created it first. */
async function make(creating: Creating): Promise<RulesetState> {
  const { session, desired, inputs } = creating;
  const { target } = desired;
  const { change } = planNew(desired, thereFor(session, desired, undefined));
  const { after, notes } = change;
  if (notes.unplaced !== undefined) throw unplacedError(desired, notes.unplaced, []);
  // After a create with an unknown result, the next run looks for the rules by their refs.
  const lost = stateAfterWhole(change, inputs, { ...nothingAt(target), name: inputs.name ?? "" });
  try {
    const send = () => createToShare(session, desired, after);
    // Without the ruleset's ID, only an entry point is found again.
    const made = await (target.byPhase ? recordIncomplete(placeId(target), lost, send) : send());
    const state = stateAfterWhole(change, inputs, made);
    runRecord(session).noteSeen(made);
    claimRules(session, desired, made.id, Object.values(state.ruleIds));
    return state;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(20217) || !target.entrypoint) throw error;
    session.reads.forget(target.scope, target.phase, undefined);
    const deployed = await findShared(creating);
    if (deployed === undefined) throw error;
    return join(creating, deployed);
  }
}

function join(creating: Creating, found: Ruleset): Promise<RulesetState> {
  const { session, desired, inputs } = creating;
  const { target } = desired;
  return runInTurn(session, target.scope, found.id, async () => {
    const deployed = (await findShared(creating)) ?? found;
    runRecord(session).noteSeen(deployed);
    const { change, undoes } = planJoin(desired, thereFor(session, desired, deployed));
    requireNothingUndone(session, change.desired, undoes);
    const { refusal } = change.notes;
    if (refusal !== undefined) throw occupiedError(refusal);
    return applyShared(session, { id: placeId(target, deployed.id), change, news: inputs, exists: false });
  });
}

/** Creates a ruleset that the resource owns as a whole, or takes it over. */
export async function createWhole(session: Session, desired: Desired, inputs: RulesetInputs): Promise<Created> {
  const found = await planTakeover(session, newResourceOf(desired));
  const { change, ruleset, owned, overwrote } =
    (await takeOver(session, desired, found)) ?? (await makeWhole(session, desired));
  claim(session, desired.urn, objectKeys(desired.target, ruleset.id));
  const id = placeId(desired.target, ruleset.id);
  const state = stateAfterWhole(change, inputs, ruleset, { owned });
  if (overwrote !== undefined) throw new PartialFailure<RulesetState>(id, state, overwrote);
  return { id, state };
}

/** A ruleset after the create, and whether a delete may remove it. */
interface Held extends Written {
  readonly change: Change;
  readonly owned: boolean;
}

async function takeOver(
  session: Session,
  desired: Desired,
  found: TakeoverPlan | undefined,
): Promise<Held | undefined> {
  if (found === undefined) return undefined;
  if (found.refusal !== undefined) throw found.refusal;
  const { deployed } = found;
  const { change, undoes } = planNew(desired, thereFor(session, desired, deployed));
  requireNothingUndone(session, desired, undoes);
  if (change.requests.length > 0) {
    const written = await replaceRuleset(session, desired, deployed, change.after);
    noteTakeover(session, desired, deployed, written.ruleset);
    return { ...written, change, owned: true };
  }
  if (found.requested) return { ruleset: deployed, change, owned: true };
  const before = change.there.owners.previousHolder(deployed.rules);
  return { ruleset: deployed, change, owned: before !== undefined };
}

/** Creates the ruleset, and reads again if somebody else created it first. */
async function makeWhole(session: Session, desired: Desired): Promise<Held> {
  const { target } = desired;
  try {
    const { change } = planNew(desired, thereFor(session, desired, undefined));
    return { ruleset: await createRuleset(session, desired, change.after), change, owned: true };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(20217) || !target.entrypoint) throw error;
    session.reads.forget(target.scope, target.phase, undefined);
    const taken = await takeOver(session, desired, await planTakeover(session, newResourceOf(desired)));
    if (taken === undefined) throw error;
    return taken;
  }
}
