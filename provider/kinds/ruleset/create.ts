import { ApiError, PartialFailure } from "../../model/errors.js";
import { ruleEntries } from "../../model/ruleset.js";
import { occupiedError } from "../../ownership/messages.js";
import type { Session } from "../../engine/session.js";
import {
  keyedRules,
  objectKeys,
  resourceIdOf,
  targetOf,
  type CheckedInputs,
  type ResourceKind,
  type RulesetState,
} from "./model.js";
import { lookForExisting, type Found, type Newcomer } from "./occupied.js";
import { findPredecessor } from "./predecessor.js";
import { stateFrom, wantedDescription, withOwnership } from "./state.js";
import { contentFrom, createRuleset, holdsMeaning, replaceRuleset, type Written } from "./write.js";

export interface Created {
  readonly id: string;
  readonly state: RulesetState;
}

/** Creates a ruleset, or takes over the one that stands there when that loses nothing or was asked for. */
export async function create(kind: ResourceKind, session: Session, inputs: CheckedInputs): Promise<Created> {
  const target = targetOf(inputs);
  const newcomer = newcomerOf(inputs);
  const { ruleset, owned, overwrote } =
    (await takeOver(session, inputs, await lookForExisting(session, newcomer))) ?? (await make(session, inputs));
  for (const key of objectKeys(target, ruleset.id)) session.owners.hold(key, inputs.__urn ?? "");
  const id = resourceIdOf(kind, target, ruleset.id);
  const state = withOwnership(stateFrom(inputs, ruleset), owned);
  if (overwrote !== undefined) throw new PartialFailure<RulesetState>(id, state, overwrote);
  return { id, state };
}

/** A ruleset as it stands now, and whether a delete may take it away. */
interface Held extends Written {
  readonly owned: boolean;
}

function newcomerOf(inputs: CheckedInputs): Newcomer {
  const wanted = ruleEntries(keyedRules(inputs)).map(({ ref, rule }) => ({ ...rule, ref }));
  return {
    target: targetOf(inputs),
    name: inputs.name,
    rulesetId: inputs.__adopt,
    onExisting: inputs.onExisting,
    onConflict: inputs.onConflict,
    wanted,
    urn: inputs.__urn,
  };
}

async function takeOver(session: Session, inputs: CheckedInputs, found: Found | undefined): Promise<Held | undefined> {
  if (found === undefined) return undefined;
  if (found.refusal !== undefined) throw occupiedError(found.refusal);
  const content = contentFrom(inputs, wantedDescription(undefined, inputs, found.existing));
  if (!holdsMeaning(found.existing, content, targetOf(inputs))) {
    return { ...(await replaceRuleset(session, inputs, found.existing, content)), owned: true };
  }
  const owned = found.asked || (await findPredecessor(session, found.existing.id))?.owned === true;
  return { ruleset: found.existing, owned };
}

/** Creates, and looks again when somebody was faster. */
async function make(session: Session, inputs: CheckedInputs): Promise<Held> {
  const target = targetOf(inputs);
  try {
    return {
      ruleset: await createRuleset(session, inputs, contentFrom(inputs, inputs.description ?? "")),
      owned: true,
    };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(20217) || !target.entrypoint) throw error;
    session.reads.forget(target.scope, target.phase, undefined);
    const taken = await takeOver(session, inputs, await lookForExisting(session, newcomerOf(inputs)));
    if (taken === undefined) throw error;
    return taken;
  }
}
