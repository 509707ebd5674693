import { claimParts } from "../../../engine/claims.js";
import { recordIncomplete } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { ApiError } from "../../../model/errors.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "../description.js";
import { objectKeys, resourceIdOf, type Desired } from "../desired.js";
import { findExisting, newResourceOf, refuseAmbiguousName, resolveJoin } from "../existing.js";
import { contentFrom } from "../plan/content.js";
import { ledgerOf, noteApplied, runRecord } from "../ledgers.js";
import { findOwnState } from "../predecessor.js";
import { ownedIds } from "../records.js";
import { requireRecreatable } from "../compare.js";
import { runInTurn } from "../write/rule-writes.js";
import { stateFrom } from "../state.js";
import { createRuleset } from "../write/ruleset-writes.js";
import { confirmShared } from "./update.js";
import { noteSeen } from "../write/in-force.js";
import { applyShared, claimRules } from "./apply.js";
import { planJoin } from "./join.js";

/** Adds a program's rules to a ruleset that others share, or creates the ruleset with them if there is none. */
export async function createShared(
  type: RulesetDescription["type"],
  session: Session,
  desired: Desired,
  inputs: RulesetInputs,
): Promise<{ readonly id: string; readonly state: RulesetState }> {
  const { target, urn } = desired;
  const existing = await findShared(session, desired);
  const state =
    existing === undefined
      ? await make(type, session, desired, inputs)
      : await join(type, session, desired, inputs, existing);
  claimParts(session, urn, objectKeys(target, state.rulesetId));
  const id = resourceIdOf(type, target, state.rulesetId);
  return { id, state: await confirmShared(session, id, { desired, inputs }, state) };
}

/** The ruleset to share. Which of its rules belong to the program is decided inside the queue, from the current ruleset. */
async function findShared(session: Session, desired: Desired): Promise<Ruleset | undefined> {
  const resource = newResourceOf(desired);
  const existing = await findExisting(session, resource);
  const refusal = existing === undefined ? undefined : await refuseAmbiguousName(session, resource);
  if (refusal !== undefined) throw refusal;
  return existing;
}

/** Creates the ruleset with every rule in one request, or joins it if somebody else created it first. */
async function make(
  type: RulesetDescription["type"],
  session: Session,
  desired: Desired,
  inputs: RulesetInputs,
): Promise<RulesetState> {
  const { target, urn } = desired;
  try {
    const send = () => createRuleset(session, desired, contentFrom(desired, ""), { shared: true });
    // Without the ruleset's ID, only an entry point is found again.
    const made = await (type === "PhaseEntrypoint"
      ? recordIncomplete(resourceIdOf(type, target, ""), lostState(desired, inputs), send)
      : send());
    const state = stateFrom(inputs, made, undefined, desired.rules);
    noteSeen(session, made);
    claimRules(session, urn, target, made.id, Object.values(state.ruleIds));
    noteApplied(session, urn, Object.values(state.ruleIds));
    return state;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(20217) || !target.entrypoint) throw error;
    session.reads.forget(target.scope, target.phase, undefined);
    const existing = await findShared(session, desired);
    if (existing === undefined) throw error;
    return join(type, session, desired, inputs, existing);
  }
}

/** The state after a create with an unknown result: the next run looks for the rules by their refs. */
function lostState({ target, rules }: Desired, inputs: RulesetInputs): RulesetState {
  const { kind, phase } = target;
  const none = { id: "", name: inputs.name ?? "", description: "", kind, phase, version: "", rules: [] };
  return stateFrom(inputs, none, undefined, rules);
}

function join(
  type: RulesetDescription["type"],
  session: Session,
  desired: Desired,
  inputs: RulesetInputs,
  existing: Ruleset,
): Promise<RulesetState> {
  const { target } = desired;
  return runInTurn(session, target.scope, existing.id, async () => {
    const actual = (await session.reads.byId(target.scope, existing.id)) ?? existing;
    noteSeen(session, actual);
    await requireRecreatable(session, desired, actual);
    const joined = await resolveJoin(session, newResourceOf(desired), actual);
    const before = await findOwnState(session, actual.id, desired.urn);
    const left = await leftByDelete(session, desired, actual, before);
    const kept = new Set(joined.kept.map(({ rule }) => rule.id));
    const dropped = left.filter(({ id }) => !kept.has(id));
    const plan = planJoin(desired, actual, joined, dropped);
    const { part } = plan.compareWith(actual);
    const id = resourceIdOf(type, target, actual.id);
    return applyShared(session, { id, plan, part, actual, news: inputs, exists: false, before });
  });
}

/**
 * The resource's own rules that its delete left for this create, with `deleteBeforeReplace`, and that no other resource
 * has: those that the program no longer declares are deleted.
 */
async function leftByDelete(
  session: Session,
  desired: Desired,
  { id: rulesetId, rules }: Ruleset,
  before: RulesetState | undefined,
): Promise<readonly DeployedRule[]> {
  if (before === undefined || !runRecord(session).deletedFirst.has(desired.urn ?? "")) return [];
  const owned = new Set(ownedIds({ ...before }));
  const ledger = await ledgerOf(session, desired, rulesetId);
  return rules.filter((rule) => owned.has(rule.id) && ledger.otherOwnerOf(rule, desired) === undefined);
}
