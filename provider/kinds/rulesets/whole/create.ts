import { claim } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import { ApiError, PartialFailure } from "../../../model/errors.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "../description.js";
import { objectKeys, resourceIdOf, type Created, type Desired } from "../desired.js";
import { newResourceOf, planTakeover, type TakeoverPlan } from "../existing.js";
import { noteAppliedWhole } from "../ledgers.js";
import { contentToCreate, contentOver } from "../plan/content.js";
import { findRulesetPredecessor } from "../predecessor.js";
import { requireRecreatable } from "../write/compare.js";
import { stateFrom, withOwnership, withPrevious } from "../state.js";
import { createRuleset, replaceRuleset, type Written } from "../write/ruleset-writes.js";

/** Creates a ruleset that the resource owns as a whole, or takes it over. */
export async function createWhole(
  type: RulesetDescription["type"],
  session: Session,
  desired: Desired,
  inputs: RulesetInputs,
): Promise<Created> {
  const found = await planTakeover(session, newResourceOf(desired));
  const { ruleset, owned, overwrote, previousVersion } =
    (await takeOver(session, desired, found)) ?? (await make(session, desired));
  claim(session, desired.urn, objectKeys(desired.target, ruleset.id));
  noteAppliedWhole(session, desired.urn, ruleset.id);
  const id = resourceIdOf(type, desired.target, ruleset.id);
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
  await requireRecreatable(session, desired, found.existing);
  const content = contentOver(desired, found.existing);
  if (content !== undefined) {
    const written = await replaceRuleset(session, desired, found.existing, content);
    return { ...written, owned: true, previousVersion: found.existing.version };
  }
  const owned =
    found.requested || (await findRulesetPredecessor(session, found.existing.id, found.existing.rules))?.owned === true;
  return { ruleset: found.existing, owned };
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
