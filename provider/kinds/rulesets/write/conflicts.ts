import { displayFor, type SecretPlaces } from "../../../engine/display.js";
import { planUp, UNDOES_OTHERS } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import type { RulesetsError } from "../../../../core/model/errors.js";
import { mapFrom } from "../../../../core/model/json.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { currentOf, findConflict, isConflict, ownConflict } from "../../../ownership/conflict.js";
import { overwrittenText } from "../../../ownership/overwritten-messages.js";
import { conflictError, conflictText, overwriteText, type UndoneChanges } from "../../../ownership/ruleset-messages.js";
import { keyedDeployedRules } from "../../../../core/rules/keyed.js";
import type { Desired } from "../desired.js";
import { runRecord } from "../run.js";
import type { ParsedState } from "../state.js";

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
export function judgeForeignChanges(
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
