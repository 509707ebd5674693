import { displayFor, type SecretPlaces } from "../../../engine/display.js";
import { planUp, UNDOES_OTHERS } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import type { RulesetsError } from "../../../../core/model/errors.js";
import { mapFrom, ownValue } from "../../../../core/model/json.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { currentOf, findConflict, isConflict, ownConflict, type Conflict } from "../../../ownership/conflict.js";
import { overwrittenText } from "../../../ownership/overwritten-messages.js";
import { conflictError, conflictText, overwriteText, type UndoneChanges } from "../../../ownership/ruleset-messages.js";
import type { Desired } from "../desired.js";
import type { OwnRulesComparison, OwnRulesPlan } from "../plan/own-rules.js";
import { anchorOf, findAnchor } from "../../../../core/rules/placing/position.js";
import type { Position } from "../../../../core/model/position.js";
import { keyedDeployedRules } from "../../../../core/rules/keyed.js";
import type { ParsedState } from "../state.js";
import { Plan, type Comparison } from "../plan/plan.js";
import { occupiedRefsText, type OccupiedRef } from "../../../ownership/shared-messages.js";
import { wasPlaced } from "./in-force.js";
import { ownersOf, runRecord } from "../run.js";

/** Changes of somebody else that an operation would undo. */
interface ForeignChanges extends Omit<UndoneChanges, "display"> {
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

/** The same, and warns where overwriting is requested. */
function judgeForeignChanges(
  session: Session,
  desired: Desired,
  { state, ...changes }: ForeignChanges,
): RulesetsError | undefined {
  const refusal = refuseForeignChanges(session, desired, { state, ...changes });
  if (refusal !== undefined || !isConflict(changes.conflict)) return refusal;
  session.reporter.warn(desired.urn, overwriteText(desired.words, { ...changes, display: displayFor(session, state) }));
  planUp(session, desired.urn, UNDOES_OTHERS);
  return undefined;
}

/** Stops at changes of somebody else that an operation would undo, and warns where overwriting them is requested. */
export function requireNothingUndone(...args: Parameters<typeof judgeForeignChanges>): void {
  const refusal = judgeForeignChanges(...args);
  if (refusal !== undefined) throw refusal;
}

/**
 * Why a resource cannot be created again over its own ruleset: somebody has changed it since the stack last read it, and an
 * update would stop at that too. Warns instead if overwriting is requested.
 * @param compare compares what the stack recorded with what is there, by default as a resource does that owns the whole
 */
export function findRecreateConflict(
  session: Session,
  desired: Desired,
  actual: Ruleset,
  compare: (last: ParsedState) => Comparison = (last) => new Plan(last, desired).compareWith(actual),
): RulesetsError | undefined {
  const { urn, words } = desired;
  const last = runRecord(session).stateOf(urn, actual.id);
  if (desired.rules === undefined || last === undefined) return undefined;
  // A resource that is one rule becomes another one under another ref.
  const isOther = words.manages === "rule" && last.declared.order.join() !== desired.rules.order.join();
  if (isOther) return undefined;
  const conflict = conflictOfOthers(session, compare(last));
  const changes = { version: actual.version, conflict, operation: "change", state: last.state } as const;
  return judgeForeignChanges(session, desired, changes);
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
  const isWhole = desired.words.manages === "ruleset";
  const taken = runRecord(session).takeovers.get(rulesetId);
  // What an interrupted run of this stack wrote is no change of somebody else.
  if (taken === undefined || state.__incomplete === true) return;
  const { before, after } = taken;
  const ids = isWhole ? [...deployedRules.keys()] : Object.values(recorded.ruleIds);
  const ruleIds = mapFrom(ids.map((id) => [deployedRules.get(id)?.fields.ref ?? "", id] as const));
  const stands = { ...keyedDeployedRules(after.rules), description: after.description };
  const undone = findConflict({ ruleIds, deployedRules, description }, currentOf(before), stands);
  const conflict = isWhole ? undone : ownConflict(undone);
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

/** The part of a conflict that other writes of this run cannot have caused: they change indexes, and what is beside a rule. */
export function conflictOfOthers(session: Session, comparison: Comparison): Conflict {
  const { conflict, actual, lastPositions } = comparison;
  if (conflict.moved.length === 0) return conflict;
  const isMovedByOthers = (position: Position): boolean => {
    const name = anchorOf(position);
    if (name === undefined) return !wasPlaced(session, actual.id);
    const anchor = findAnchor(actual.rules, name);
    return anchor !== undefined && !wasPlaced(session, actual.id, anchor.id);
  };
  return {
    ...conflict,
    moved: conflict.moved.filter((ref) => {
      const last = lastPositions.get(ref);
      return last === undefined || isMovedByOthers(last);
    }),
  };
}

/** Why a change must not be applied: a rule has a ref of the program, and is somebody else's or was changed by somebody else. */
export function refusalOf(session: Session, comparison: OwnRulesComparison): string | undefined {
  return occupiedRefusal(session, comparison, comparison.part.occupied, false);
}

/**
 * Why rules of others stop a comparison.
 * @param isNew whether the resource is new
 */
export function occupiedRefusal(
  session: Session,
  { desired, actual }: OwnRulesComparison,
  occupied: readonly OccupiedRef[],
  isNew: boolean,
): string | undefined {
  if (occupied.length === 0) return undefined;
  const owners = ownersOf(session, desired, actual.id);
  const named = occupied.map((each) => {
    const owner = owners.ownerOf(each.rule);
    return owner?.declares === false ? { ...each, owner: owner.urn } : each;
  });
  return occupiedRefsText(desired.where, desired.words, named, { scope: desired.target.scope, ruleset: actual, isNew });
}

/**
 * Compares a plan with what is at the service now, knowing which rules the program moves between this resource and others
 * of the stack. A rule that moved away belongs to its new owner, which may have changed it in this run. A rule that moved
 * here may change on the way, unless somebody else has changed it meanwhile or the other resource still has it.
 */
export function compareWithMoves(session: Session, plan: OwnRulesPlan, actual: Ruleset): OwnRulesComparison {
  const comparison = plan.compareWith(actual, movedAway(session, plan, actual));
  // Somebody may have changed a rule since an earlier comparison of the same run found that it moved here.
  return comparison.part.occupied.length === 0
    ? comparison
    : comparison.adopting(movedHere(session, plan.desired, comparison));
}

/** By ID, the new owners of rules that the program no longer declares here. */
export function movedAway(session: Session, plan: OwnRulesPlan, actual: Ruleset): ReadonlyMap<string, string> {
  const { desired } = plan;
  const recorded = plan.recordedAt(actual);
  const { id: rulesetId, rules } = actual;
  const kept = new Set((desired.rules?.order ?? []).map((ref) => ownValue(recorded.ruleIds, ref)));
  const mine = new Set(Object.values(recorded.ruleIds).filter((id) => !kept.has(id)));
  const dropped = rules.filter(({ id }) => mine.has(id));
  if (dropped.length === 0) return new Map();
  const owners = ownersOf(session, desired, rulesetId);
  return new Map(
    dropped.flatMap((rule) => {
      const owner = owners.claimantOf(rule);
      return owner === undefined ? [] : [[rule.id, owner] as const];
    }),
  );
}

/** IDs of the rules with a ref of the program that other resources of it had, and that nobody else has changed since. */
function movedHere(session: Session, desired: Desired, { actual, part }: OwnRulesComparison): ReadonlySet<string> {
  const owners = ownersOf(session, desired, actual.id);
  const isUnchanged = ({ rule }: OccupiedRef): boolean =>
    rule.version !== "" && owners.ownerOf(rule)?.version === rule.version;
  return new Set(part.occupied.filter(isUnchanged).map(({ rule }) => rule.id));
}
