import { PartialFailure, RulesetsError } from "../../../../core/model/errors.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { claim } from "../../../engine/claims.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import { recordIncomplete } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { conflictError, occupiedError } from "../../../ownership/ruleset-messages.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { type Desired, ruleKeys } from "../desired.js";
import { type Change, type Edit, editOf, planWhole, type WholeChange } from "../plan/change.js";
import { reportKept } from "../plan/preview.js";
import { conflictSince, planRules, type RulesChange } from "../plan/rules.js";
import { currentRuleset } from "../find.js";
import { runRecord, thereFor } from "../run.js";
import { type ParsedState, parseState } from "../state.js";
import { checkReplacement, replaceRuleset, type Written } from "./ruleset-writes.js";
import { joinedRefs, stateAfterSteps, stateAfterWhole } from "./state-after.js";
import { writeSteps } from "./steps.js";
import {
  confirmWritten,
  noteTakeover,
  refuseForeignChanges,
  requireWithinLimit,
  runInTurn,
  unplacedError,
} from "./stops.js";

/** Updates a ruleset, or the rules of a resource in it. Returns undefined if the ruleset no longer exists. */
export type Update = (
  session: Session,
  id: string,
  edit: Edit,
  news: RulesetInputs,
) => Promise<RulesetState | undefined>;

/**
 * Updates a program's rules of a shared ruleset: one read, and one write for each rule that changes. Compares the last response of
 * the run with them.
 */
export const updateOwnRules: Update = async (session, id, edit, news) => {
  const { desired, recorded } = edit;
  const { scope } = desired.target;
  const state = await runInTurn(session, scope, recorded.state.rulesetId, () => updateInTurn(session, id, edit, news));
  return state === undefined ? undefined : confirmShared(session, id, { desired, inputs: news }, state);
};

async function updateInTurn(...[session, id, edit, news]: Parameters<Update>): ReturnType<Update> {
  const { recorded, desired } = edit;
  const deployed = await currentRuleset(session, id, recorded.state);
  if (deployed === undefined) return undefined;
  runRecord(session).noteSeen(deployed);
  const change = planRules(edit, thereFor(session, desired, deployed));
  requireAllowed(session, change, deployed);
  const { refusal } = change.notes;
  if (refusal !== undefined) throw occupiedError(refusal);
  return applyShared(session, { id, change, news, exists: true });
}

/** Stops an update that would undo changes of somebody else, or remove more rules than a run may. */
function requireAllowed(session: Session, { recorded, desired, notes }: Change, { version }: Ruleset): void {
  const { conflict, removal } = notes;
  const [operation, state] = ["change" as const, recorded.state];
  const refusal = refuseForeignChanges(session, desired, { version, conflict, operation, state });
  if (refusal !== undefined) throw refusal;
  requireWithinLimit(session, desired, { removal, operation, state });
}

/**
 * Compares the last response of this run with the rules that a resource now has in a shared ruleset: exactly as the next run
 * would, but before this one ends.
 */
export function confirmShared(
  session: Session,
  id: string,
  { desired, inputs }: { readonly desired: Desired; readonly inputs: RulesetInputs },
  state: RulesetState,
): Promise<RulesetState> {
  return confirmWritten(session, id, state, {
    desired,
    conflictIn: (each, current) =>
      conflictSince({ recorded: parseState(each), desired }, thereFor(session, desired, current)),
    again: async (each) => {
      const edit = editOf({ recorded: parseState(each), desired });
      const next = await updateOwnRules(session, id, edit, inputs);
      if (next !== undefined) return next;
      const text = `${desired.where} was deleted by somebody else. To continue: run \`pulumi refresh\`, then \`pulumi up\`.`;
      throw new RulesetsError(text, { code: "RULESET_GONE" });
    },
  });
}

/** Writes of a resource's own rules. */
interface SharedWork {
  readonly id: string;
  readonly change: RulesChange;
  readonly news: RulesetInputs;
  /** Whether the resource already exists, so that a failure before the first write leaves it unchanged. */
  readonly exists: boolean;
}

/**
 * Writes a program's rules of a shared ruleset one by one, and returns the resulting state; call it while holding the ruleset's queue. If a write
 * fails, the state records what was applied, and the next run continues from there.
 */
export async function applyShared(session: Session, work: SharedWork): Promise<RulesetState> {
  const { id, change, news, exists } = work;
  const { recorded, desired, requests: steps, there, notes } = change;
  const { own, unplaced } = notes;
  const { deployed } = there;
  if (unplaced !== undefined) throw unplacedError(desired, unplaced, deployed.rules);
  reportKept(session, desired, recorded, own.kept);
  const before = exists ? recorded.state : undefined;
  const progress = await writeSteps(session, { desired, deployed, ids: own.ids, steps, state: before });
  if (!exists) noteTakeover(session, desired, deployed, progress.current);
  claimRules(session, desired, deployed.id, progress.ids.values());
  const { error, overwrote, done, lost } = progress;
  // A rule that moved here as it is is recorded in any case: its previous owner no longer has it.
  const isUnchanged = done.size === 0 && lost === undefined && joinedRefs(change).size === 0;
  if (error !== undefined && isUnchanged) throw error;
  const state = stateAfterSteps(change, news, progress);
  const isEmpty = Object.keys(state.ruleIds).length === 0 && lost === undefined;
  if (error !== undefined && !exists && isEmpty) throw error;
  if (error === undefined && overwrote.length === 0) return state;
  // If somebody undid a write, the next run must compare again, although nothing else is left to write.
  const isUndone = error === undefined && state.version !== progress.current.version;
  throw new PartialFailure<RulesetState>(id, isUndone ? asIncomplete(state) : state, failureOf(error, overwrote));
}

/** Records which rules a resource manages: deleting another resource in this run keeps them. */
export function claimRules(
  session: Session,
  { urn, target }: Pick<Desired, "urn" | "target">,
  rulesetId: string,
  ids: Iterable<string>,
): void {
  claim(session, urn, ruleKeys(target, rulesetId, ids));
}

/** The error that ended the writes, together with the changes of others that earlier writes undid. */
function failureOf(error: Error | undefined, overwrote: readonly string[]): Error {
  if (error !== undefined && overwrote.length === 0) return error;
  const last = error === undefined ? [] : [error.message];
  return conflictError([...overwrote, ...last].join("\n"));
}

/** Updates a whole ruleset: at most one read and one write. */
export const updateWhole: Update = async (session, id, edit, news) => {
  const { recorded, desired } = edit;
  const { state } = recorded;
  const deployed = await currentRuleset(session, id, state);
  if (deployed === undefined) return undefined;
  const change = planWhole(edit, thereFor(session, desired, deployed));
  requireAllowed(session, change, deployed);
  const wasApplied = mayHaveBeenApplied(recorded, deployed);
  const lost = wasApplied ? (await checkLostWrite(session, recorded, desired, deployed)).overwrote : undefined;
  if (change.requests.length === 0) {
    const unsent = wasApplied ? { previousVersion: versionBefore(state) } : { owned: edit.owned };
    return whole(id, stateAfterWhole(change, news, deployed, unsent), [lost]);
  }
  const { ruleset, overwrote } = await send(session, id, change, deployed);
  return whole(id, stateAfterWhole(change, news, ruleset), [lost, overwrote]);
};

/**
 * Returns the state after a write. Throws it as a partial failure if this write, or an earlier lost one, undid
 * somebody's change: the engine then keeps the inputs of before, until a refresh that reads the ruleset.
 */
function whole(id: string, state: RulesetState, judgements: readonly (RulesetsError | undefined)[]): RulesetState {
  const found = judgements.filter((error) => error !== undefined);
  if (found.length === 0) return state;
  throw new PartialFailure<RulesetState>(
    id,
    { ...state, __incomplete: false },
    conflictError(found.map(({ message }) => message).join("\n")),
  );
}

/**
 * Judges a write whose response was lost in an earlier run, from what is known of the time before it. A state that was refreshed
 * since then records the version that it was to replace.
 */
async function checkLostWrite(
  session: Session,
  { state, lastRuleset }: ParsedState,
  desired: Desired,
  response: Ruleset,
): Promise<Written> {
  const version = versionBefore(state);
  const { rulesets } = session.client;
  const before =
    version === state.version
      ? lastRuleset
      : await rulesets
          .getVersion(desired.target.scope, state.rulesetId, version)
          .catch(() => ({ ...lastRuleset, version }));
  return checkReplacement(session, desired, { before, response, operation: "change", state });
}

/** The version that a write whose response was lost was to replace. */
function versionBefore({ __lostOver, version }: RulesetState): string {
  return __lostOver ?? version;
}

/** Whether a write with an unknown result may have been applied: the ruleset has a new version. */
function mayHaveBeenApplied({ state }: ParsedState, deployed: Ruleset): boolean {
  return state.__incomplete === true && deployed.version !== versionBefore(state);
}

/** Sends the write. If it fails, what this run has read is no longer valid. */
async function send(
  session: Session,
  id: string,
  { recorded: { state }, desired, after }: WholeChange,
  deployed: Ruleset,
): Promise<Written> {
  const { scope, phase } = desired.target;
  return recordIncomplete(id, state, async () => {
    try {
      return await replaceRuleset(session, desired, deployed, after, { state });
    } catch (error) {
      session.reads.forget(scope, phase, deployed.id);
      throw error;
    }
  });
}
