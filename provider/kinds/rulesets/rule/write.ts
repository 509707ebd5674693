import { requireKnownRule } from "../../../rules/keyed.js";
import { planUp, UNDOES_OTHERS } from "../../../engine/published-plans.js";
import { sendWithRecovery } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import { displayFor } from "../../../engine/display.js";
import { ApiError, RulesetsError } from "../../../model/errors.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { conflictError, occupiedError, type Operation } from "../../../ownership/ruleset-messages.js";
import { type Conflict, isConflict } from "../../../ownership/conflict.js";
import {
  anchorMissingText,
  ruleConflictText,
  ruleInWords,
  ruleOverwriteText,
  ruleOverwrittenText,
} from "../../../ownership/rule-messages.js";
import { isSameMeaning } from "../../../rules/rule.js";
import { noteSeen, wasPlaced, type WrittenPart } from "../write/in-force.js";
import { writeRule, type NamedRule, type RuleOp } from "../write/rule-writes.js";
import { type Desired, rulesetTarget } from "./desired.js";
import { anchorOf, findAnchor } from "../position.js";
import { ENTRYPOINT_EXISTS } from "./ruleset.js";
import type { RuleState } from "./description.js";

/** A rule after a write, and the error to fail with if the write undid somebody's change. */
export interface Written {
  readonly ruleset: Ruleset;
  readonly rule: DeployedRule | undefined;
  readonly overwrote?: RulesetsError;
}

/** What a write is for, and the rule's ID in the state. */
interface Purpose {
  readonly operation: Operation;
  readonly ruleId: string | undefined;
}

/** Writes a rule, inside the ruleset's queue, and checks whether that undid somebody's change. */
export async function writeAndCheck(
  session: Session,
  desired: Desired,
  { before, op, ...purpose }: Purpose & { readonly before: Ruleset; readonly op: RuleOp },
): Promise<Written> {
  const { where, target, urn, policy } = desired;
  const { ruleset, overwritten } = await writeRule(session, { scope: target.scope, where }, before, op);
  const rule = asWritten(before, op, ruleset);
  if (overwritten === undefined) return { ruleset, rule };
  const display = displayOf(session, desired, purpose.ruleId);
  const words = { where: ruleInWords(desired.ref, where), scope: target.scope, rulesetId: ruleset.id, display };
  const text = ruleOverwrittenText({ ...words, operation: purpose.operation }, overwritten);
  if (session.onConflict(policy.onConflict) === "fail") return { ruleset, rule, overwrote: conflictError(text) };
  session.reporter.warn(urn, text);
  return { ruleset, rule };
}

/** The rule after a write. One that is only moved may contain somebody else's edit, which is left out: it is not from this run. */
function asWritten(before: Ruleset, op: RuleOp, { rules }: Ruleset): DeployedRule | undefined {
  const rule = rules.find((each) => (op.kind === "add" ? each.ref === op.rule.ref : each.id === op.id));
  const known = op.kind === "move" ? before.rules.find(({ id }) => id === op.id) : undefined;
  return rule === undefined || known === undefined || isSameMeaning(known, rule) ? rule : known;
}

/**
 * Creates the entry point of a phase with the rule in it. Fails with {@link ENTRYPOINT_EXISTS} if somebody else has
 * created it.
 */
export async function createEntrypoint(session: Session, { target }: Desired, rule: NamedRule): Promise<Written> {
  const { scope, phase, kind = "" } = target;
  const { rulesets } = session.client;
  const own = (ruleset: Ruleset): DeployedRule | undefined =>
    ruleset.rules.find((each) => each.ref === rule.ref && isSameMeaning(each, rule));
  try {
    const ruleset = await sendWithRecovery(
      () => rulesets.create(scope, { name: "default", kind, phase, rules: [requireKnownRule(rule)] }),
      {
        read: () => rulesets.findEntrypoint(scope, phase),
        wasApplied: (current) => own(current) !== undefined,
        refuseRepeat: (_, cause) => entrypointExistsError(cause),
      },
    );
    session.reads.store(scope, ruleset);
    noteSeen(session, ruleset);
    return { ruleset, rule: own(ruleset) ?? ruleset.rules[0] };
  } catch (error) {
    session.reads.forget(scope, phase, undefined);
    throw error;
  }
}

/** The write was never applied, and somebody else has created the entry point meanwhile. */
function entrypointExistsError(cause: ApiError): ApiError {
  const { message } = cause;
  return new ApiError(message, { code: "API_CONFLICT", errors: [{ code: ENTRYPOINT_EXISTS, message }], cause });
}

/** Stops if somebody else changed a rule, or warns that the change is overwritten as requested. */
export function checkConflict(
  session: Session,
  desired: Desired,
  conflict: Conflict,
  { operation, ruleId }: Purpose,
): void {
  if (!isConflict(conflict)) return;
  const { text, overwrites } = conflictMessage(session, desired, conflict, { operation, ruleId });
  if (!overwrites) throw conflictError(text);
  session.reporter.warn(desired.urn, text);
  planUp(session, desired.urn, UNDOES_OTHERS);
}

/** What a write would undo of somebody else's changes, and whether that was requested. */
export function conflictMessage(
  session: Session,
  desired: Desired,
  conflict: Conflict,
  { operation, ruleId }: Purpose,
): { readonly text: string; readonly overwrites: boolean } {
  const { ref, where, policy } = desired;
  const overwrites = session.onConflict(policy.onConflict) === "overwrite";
  const textOf = overwrites ? ruleOverwriteText : ruleConflictText;
  return {
    text: textOf(ruleInWords(ref, where), conflict, operation, displayOf(session, desired, ruleId)),
    overwrites,
  };
}

/** Stops if the rule that a position names does not exist. */
export function requireAnchor({ where, position }: Desired, missing: boolean, rules: Ruleset["rules"]): void {
  if (!missing || position === undefined) return;
  throw occupiedError(`position: ${anchorMissingText(where, anchorOf(position) ?? "", rules)}.`);
}

function displayOf(session: Session, { ref, secretPaths }: Desired, ruleId: string | undefined) {
  const known = ruleId === undefined ? {} : { ruleIds: { [ref]: ruleId } };
  return displayFor(session, { ...known, __secretPaths: { [ref]: secretPaths } });
}

/** What is compared with the last response of a run, for a rule that the run has written. */
export function writtenPart(
  session: Session,
  { target, ref, where, urn, policy, position, secretPaths }: Desired,
  conflictIn: (state: RuleState, current: Ruleset) => Conflict,
): Omit<WrittenPart<RuleState>, "again"> {
  return {
    target: rulesetTarget(target, undefined),
    where: ruleInWords(ref, where),
    urn,
    declaredIn: "arguments",
    onConflict: policy.onConflict,
    secretsOf: ({ ruleId }) => ({ ruleIds: { [ref]: ruleId }, __secretPaths: { [ref]: secretPaths } }),
    isUnchanged: ({ ruleId, version }, { rules }) => {
      const rule = position === undefined ? rules.find(({ id }) => id === ruleId) : undefined;
      return version !== "" && rule?.version === version;
    },
    conflictIn: (state, current) => {
      const conflict = conflictIn(state, current);
      return conflictOfOthers(session, conflict, position, current);
    },
  };
}

/** The part of a conflict that other writes of this run cannot have caused, given the position that the rule had. */
export function conflictOfOthers(
  session: Session,
  conflict: Conflict,
  position: Desired["position"],
  current: Pick<Ruleset, "id" | "rules"> | undefined,
): Conflict {
  return isMovedByOthers(session, position, current) ? conflict : { ...conflict, moved: [] };
}

/** Other writes of this run change indexes, and what is before or after a rule that they move. */
function isMovedByOthers(
  session: Session,
  position: Desired["position"],
  current: Pick<Ruleset, "id" | "rules"> | undefined,
): boolean {
  if (position === undefined || current === undefined) return false;
  const name = anchorOf(position);
  if (name === undefined) return !wasPlaced(session, current.id);
  const anchor = findAnchor(current.rules, name);
  return anchor !== undefined && !wasPlaced(session, current.id, anchor.id);
}
