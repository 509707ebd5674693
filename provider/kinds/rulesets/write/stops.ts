import { PartialFailure, type RulesetsError } from "../../../../core/model/errors.js";
import { rulesetResourceId, type Scope } from "../../../../core/model/ids.js";
import { mapFrom } from "../../../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { keyedDeployedRules } from "../../../../core/rules/keyed.js";
import { anchorOf } from "../../../../core/rules/placing/position.js";
import { isSameMeaning } from "../../../../core/rules/rule.js";
import { displayFor, type SecretPlaces } from "../../../engine/display.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import { planUp, UNDOES_OTHERS } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import { type Conflict, contentById, findConflict, isConflict, ownConflict } from "../../../ownership/conflict.js";
import { overwrittenText, reappearedText, undoneText } from "../../../ownership/overwritten-messages.js";
import {
  findRemoved,
  isWithinLimit,
  type Removal,
  removalError,
  type RemovingOperation,
} from "../../../ownership/removal.js";
import { anchorMissingText, positionImpossibleText } from "../../../ownership/rule-messages.js";
import {
  conflictError,
  conflictText,
  occupiedError,
  overwriteText,
  type UndoneChanges,
} from "../../../ownership/ruleset-messages.js";
import { failure, type Findings } from "../../../validation/index.js";
import type { RulesetState } from "../description.js";
import { type Desired, desiredFrom } from "../desired.js";
import { type Change, contentFrom, type Unplaced } from "../plan/change.js";
import { planDelete } from "../plan/rules.js";
import { ownersOf, runRecord, type There, thereFor, type WritesOfRun } from "../run.js";
import { coveredIn, type ParsedState } from "../state.js";

/** Changes of somebody else that an operation would undo. */
export interface ForeignChanges extends Omit<UndoneChanges, "display"> {
  /** Where the rules contain secrets. */
  readonly state: SecretPlaces;
}

/** Why an operation must stop at changes of somebody else; undefined where overwriting them is requested. */
export function refuseForeignChanges(
  session: Session,
  { policy, words }: Desired,
  { state, ...changes }: ForeignChanges,
): RulesetsError | undefined {
  if (!isConflict(changes.conflict) || session.onConflict(policy.onConflict) !== "fail") return undefined;
  return conflictError(conflictText(words, { ...changes, display: displayFor(session, state) }));
}

/** Why an operation must stop at changes of somebody else; warns where overwriting them is requested. */
export function judgeForeignChanges(
  session: Session,
  desired: Desired,
  undoes: ForeignChanges | undefined,
): RulesetsError | undefined {
  if (undoes === undefined || !isConflict(undoes.conflict)) return undefined;
  const refusal = refuseForeignChanges(session, desired, undoes);
  if (refusal !== undefined) return refusal;
  const { state, ...changes } = undoes;
  session.reporter.warn(desired.urn, overwriteText(desired.words, { ...changes, display: displayFor(session, state) }));
  planUp(session, desired.urn, UNDOES_OTHERS);
  return undefined;
}

/** Stops at changes of somebody else that an operation would undo, and warns where overwriting them is requested. */
export function requireNothingUndone(...args: Parameters<typeof judgeForeignChanges>): void {
  const refusal = judgeForeignChanges(...args);
  if (refusal !== undefined) throw refusal;
}

/** Records what a new resource has made of a ruleset that it found, unless it is to overwrite the changes of others. */
export function noteTakeover(session: Session, { policy }: Desired, found: Ruleset, after: Ruleset): void {
  if (session.onConflict(policy.onConflict) === "fail") runRecord(session).noteTakeover(found, after);
}

/**
 * Stops after a resource of this run has taken the place of another one and undone what somebody had changed: the engine shows what
 * the old one had only at its delete, which comes last.
 */
export function requireNothingOverwritten(session: Session, desired: Desired, recorded: ParsedState): void {
  const { state, description, deployedRules } = recorded;
  const { rulesetId } = state;
  const taken = runRecord(session).takeovers.get(rulesetId);
  // What an interrupted run of this stack wrote is no change of somebody else.
  if (taken === undefined || state.__incomplete === true) return;
  const { before, after } = taken;
  const { covered } = coveredIn(recorded, recorded.lastRuleset.rules);
  const ruleIds = mapFrom(covered.map(({ ref, id }) => [ref, id] as const));
  const stands = { ...keyedDeployedRules(after.rules), description: after.description };
  const undone = findConflict({ ruleIds, deployedRules, description }, contentById(before), stands);
  const conflict = desired.reach.isPart ? ownConflict(undone) : undone;
  if (!isConflict(conflict)) return;
  const display = displayFor(session, state);
  const write = {
    words: desired.words,
    scope: desired.target.scope,
    rulesetId,
    version: after.version,
    display,
  } as const;
  const change = { kind: "undone", version: before.version, conflict } as const;
  throw conflictError(overwrittenText({ ...write, operation: "change", onConflict: "fail" }, change));
}

/** Something that removes rules from a ruleset. */
interface RuleRemoval {
  readonly removal: Removal;
  readonly operation: RemovingOperation;
  /** Where the existing rules contain secrets. */
  readonly state?: SecretPlaces;
}

/** A ruleset, as messages name it, and how much of it a run may remove. */
interface Limited {
  readonly where: string;
  readonly reach: Desired["reach"];
  readonly policy: Pick<Desired["policy"], "maxRemovedPercent">;
}

/** The error if more rules would be removed than one run may remove; otherwise undefined. */
export function findLimitError(
  session: Session,
  { where, reach, policy }: Limited,
  { removal, operation, state }: RuleRemoval,
): RulesetsError | undefined {
  const limit = session.maxRemovedPercent(policy.maxRemovedPercent);
  if (!reach.isLimited || limit === undefined || isWithinLimit(removal, limit)) return undefined;
  const exceeded = { maxPercent: limit, operation, toMove: reach.texts.toMove };
  return removalError(where, removal, exceeded, displayFor(session, state));
}

/** Stops before more rules are removed than one run may remove. */
export function requireWithinLimit(...args: Parameters<typeof findLimitError>): void {
  const error = findLimitError(...args);
  if (error !== undefined) throw error;
}

/**
 * Stops a delete of more rules than one run may remove. A resource that this run has checked is being replaced: its removal was
 * checked before anything was written.
 */
export function requireDeleteWithinLimit(
  session: Session,
  desired: Desired,
  state: SecretPlaces,
  removed: readonly DeployedRule[],
  { rules }: Pick<Ruleset, "rules">,
): void {
  if (session.checked.has(desired.urn ?? "")) return;
  requireWithinLimit(session, desired, { removal: { removed, before: rules.length }, operation: "delete", state });
}

/**
 * Stops a replacement whose final delete would remove too many rules, or undo changes of somebody else. The delete itself does
 * not check the limit again, because the run has already checked the resource here.
 * @param read reads what is there; undefined if nothing is, or if that is not known
 */
export async function requireReplaceable(
  session: Session,
  recorded: ParsedState,
  desired: Desired,
  read: () => Promise<Ruleset | undefined>,
): Promise<void> {
  const { state, declared, lastRuleset } = recorded;
  const before = desiredFrom(state, declared);
  const { target, where, reach, policy } = before;
  if (policy.onDelete === "keep" || (!reach.isPart && state.__takenOver !== undefined)) return;
  // The delete leaves the ruleset to a resource that owns the whole of it.
  const owners = ownersOf(session, before, state.rulesetId);
  if (owners.otherHolder() !== undefined) return;
  const { rules } = lastRuleset;
  const { scope, phase } = desired.target;
  const stays = scope.level === target.scope.level && scope.id === target.scope.id && phase === target.phase;
  const { others } = coveredIn(recorded, rules);
  const after = [...(stays ? contentFrom(desired, "").rules : []), ...others];
  const removal = owners.withoutReleased(findRemoved(rules, after));
  const operation = "replacement";
  requireWithinLimit(session, { where, reach, policy: desired.policy }, { removal, operation, state });
  const deployed = await read();
  if (deployed === undefined) return;
  const { conflict } = planDelete(recorded, thereFor(session, before, deployed)).notes;
  requireNothingUndone(session, before, { version: deployed.version, conflict, operation, state });
}

/** Stops a write: a rule cannot be where the program wants it, because positions contradict each other or name no rule. */
export function unplacedError(desired: Desired, unplaced: Unplaced, rules: readonly NamedRule[]): Error {
  const { path, text } = unplacedFault(desired, unplaced, rules);
  return occupiedError(`${path.join(".")}: ${text}.`);
}

/** What a write would stop at because of positions, as findings of `check`. */
export function checkPlaced({ desired, there, notes: { unplaced } }: Change): Findings {
  if (unplaced === undefined || isExpected(unplaced, there)) return [];
  const { path, text } = unplacedFault(desired, unplaced, there.deployed?.rules ?? []);
  return failure(path, text);
}

/** Stops a change that has no place for a rule, unless another resource of the program is to create what its position names. */
export function requirePlaced({ desired, there, notes: { unplaced } }: Change): void {
  if (unplaced !== undefined && !isExpected(unplaced, there))
    throw unplacedError(desired, unplaced, there.deployed?.rules ?? []);
}

function isExpected(unplaced: Unplaced, { owners }: There): boolean {
  if (unplaced.kind === "impossible") return false;
  const name = anchorOf(unplaced.position) ?? "";
  return owners.claimantOf({ id: name, ref: name }) !== undefined;
}

type NamedRule = Pick<DeployedRule, "ref">;

function unplacedFault({ reach, where }: Desired, unplaced: Unplaced, rules: readonly NamedRule[]) {
  const { ref } = unplaced;
  return unplaced.kind === "impossible"
    ? { path: reach.positionPath(ref), text: positionImpossibleText(where, unplaced) }
    : {
        path: reach.positionPath(ref, unplaced.position),
        text: anchorMissingText(where, anchorOf(unplaced.position) ?? "", rules),
      };
}

/*
 * A ruleset that others share is written rule by rule, and somebody can undo one write before the next. Every response
 * contains the whole ruleset, so the last one that a resource waits for shows whether what it wrote is still in force.
 */

/**
 * Runs work on a ruleset after all work of this run that was queued for it before. The work must read the ruleset again
 * (`session.reads` has the response of the previous write), and must not itself wait for a turn at the same ruleset.
 */
export function runInTurn<T>(session: Session, scope: Scope, rulesetId: string, work: () => Promise<T>): Promise<T> {
  return session.queue.run(rulesetResourceId(scope, rulesetId), work);
}

/** What a resource of this run has written to a shared ruleset, or found there. */
interface WrittenPart {
  readonly desired: Desired;
  /** What somebody else changed in the ruleset since the state was written, and the program does not also want. */
  readonly conflictIn: (state: RulesetState, current: Ruleset) => Conflict;
  /** Writes it again, and confirms that. */
  readonly again: (state: RulesetState) => Promise<RulesetState>;
}

/** How often a part is written again if somebody keeps undoing it. */
const MAX_REPEATS = 3;

/**
 * Waits for the writes of this run that are queued for a ruleset, and compares what the last one returned with what the
 * resource wrote. What somebody undid is written again if overwriting was requested; otherwise this fails, and the state
 * makes the next run compare again.
 */
export async function confirmWritten(
  session: Session,
  id: string,
  state: RulesetState,
  part: WrittenPart,
): Promise<RulesetState> {
  const { target, urn = "", words, policy } = part.desired;
  const written = await settledWrites(session, target.scope, state.rulesetId);
  if (written === undefined) return state;
  const { last } = written;
  const onConflict = session.onConflict(policy.onConflict);
  const text = undoneIn(session, state, part, last);
  if (text !== undefined) {
    const repeats = written.repeats.get(urn) ?? 0;
    if (onConflict === "fail" || repeats === MAX_REPEATS)
      throw new PartialFailure<RulesetState>(id, asIncomplete(state), conflictError(text));
    written.repeats.set(urn, repeats + 1);
    session.reporter.warn(urn, `overwriting, as requested.\n${text}`);
    return part.again(asIncomplete(state));
  }
  const error = await findReappeared(session, { target, where: words.subject }, state.rulesetId);
  if (error !== undefined) throw new PartialFailure<RulesetState>(id, state, error);
  return state;
}

/** After the writes of this run that are queued for a ruleset: rules that this run deleted and that exist again, each reported once. */
export async function findReappeared(
  session: Session,
  { target, where }: Pick<Desired, "target" | "where">,
  rulesetId: string,
): Promise<RulesetsError | undefined> {
  const written = await settledWrites(session, target.scope, rulesetId);
  if (written === undefined) return undefined;
  const { deleted, last } = written;
  const owners = ownersOf(session, { target }, last.id);
  const restored = last.rules.filter((rule) => {
    const before = deleted.get(rule.ref);
    if (before === undefined || !isSameMeaning(before, rule)) return false;
    return owners.claimantOf(rule) === undefined;
  });
  if (restored.length === 0) return undefined;
  for (const { ref } of restored) deleted.delete(ref);
  return conflictError(reappearedText(where, last.version, restored));
}

async function settledWrites(session: Session, scope: Scope, rulesetId: string): Promise<WritesOfRun | undefined> {
  await session.queue.settled(rulesetResourceId(scope, rulesetId));
  return runRecord(session).writes.get(rulesetId);
}

function undoneIn(
  session: Session,
  state: RulesetState,
  { desired, conflictIn }: WrittenPart,
  current: Ruleset,
): string | undefined {
  if (isUnchanged(desired, state, current)) return undefined;
  const conflict = conflictIn(state, current);
  if (!isConflict(conflict)) return undefined;
  const display = displayFor(session, state);
  return undoneText({ words: desired.words, version: current.version, display }, conflict);
}

/** Whether versions alone show that nobody has changed the rules of a resource. One rule without a position has no place to lose. */
function isUnchanged({ positions }: Desired, state: RulesetState, { version, rules }: Ruleset): boolean {
  if (state.version !== "" && state.version === version) return true;
  const [id, ...others] = Object.values(state.ruleIds);
  if (id === undefined || others.length > 0 || positions.size > 0) return false;
  const [was, is] = [state.deployedRules, rules].map((all) => all.find((rule) => rule.id === id)?.version ?? "");
  return was !== "" && was === is;
}
