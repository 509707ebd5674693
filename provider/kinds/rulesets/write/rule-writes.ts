import { ApiError, RulesetsError } from "../../../../core/model/errors.js";
import type { Scope } from "../../../../core/model/ids.js";
import type { Position } from "../../../../core/model/position.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { type PendingFields, requireKnownRule } from "../../../../core/rules/keyed.js";
import { isSameForm, isSameMeaning } from "../../../../core/rules/rule.js";
import { findOverwrittenRuleChange } from "../../../engine/overwritten-changes.js";
import { sendWithRecovery } from "../../../engine/recover.js";
import type { Session } from "../../../engine/session.js";
import type { OverwrittenChange } from "../../../ownership/overwritten-change.js";
import { runRecord } from "../run.js";

/** One change of one rule. Every rule has its ref; positions name rules by their IDs. */
export type RuleOp =
  | { readonly kind: "add"; readonly rule: RuleToSend; readonly position?: Position }
  /** Replaces a rule completely, and moves it if a position is given. */
  | { readonly kind: "change"; readonly id: string; readonly rule: RuleToSend; readonly position?: Position }
  | { readonly kind: "move"; readonly id: string; readonly position: Position }
  | { readonly kind: "delete"; readonly id: string };

/** A rule with the ref that it has, or will have, at the service. */
export type RuleToSend = PendingFields & { readonly ref: string };

/** The ruleset that a rule is in. */
interface RulesetLocation {
  readonly scope: Scope;
  /** As messages name it. */
  readonly where: string;
}

/** The ruleset after a write, and somebody's change of the same rule since it was read, if the write undid it. */
export interface RuleWritten {
  readonly ruleset: Ruleset;
  /** Whether it is known that the write made this version: somebody else may have deleted the rule before. */
  readonly made: boolean;
  readonly overwritten?: OverwrittenChange;
}

/**
 * Writes one rule and leaves all others unchanged; call it while holding the ruleset's queue. If it is unknown whether the write was applied,
 * reads the ruleset. If the rule is there as sent, it is done. If the rule is unchanged, sends the write once more.
 * Anything else is somebody else's change of this rule. Changes of other rules do not matter.
 */
export async function writeRule(
  session: Session,
  place: RulesetLocation,
  before: Ruleset,
  op: RuleOp,
): Promise<RuleWritten> {
  const { scope } = place;
  const { rulesets } = session.client;
  try {
    const { ruleset, made } = await send(session, place, before, op);
    session.reads.store(scope, ruleset);
    runRecord(session).noteWrite(before, ruleset, op);
    // A move does not undo somebody's edit of the rule.
    if (op.kind === "add" || op.kind === "move") return { ruleset, made };
    const overwritten = await findOverwrittenRuleChange(rulesets, scope, { before, response: ruleset, id: op.id });
    return { ruleset, made, ...(overwritten === undefined ? {} : { overwritten }) };
  } catch (error) {
    session.reads.forget(scope, before.phase, before.id);
    throw error;
  }
}

type Sent = Pick<RuleWritten, "ruleset" | "made">;

async function send(session: Session, place: RulesetLocation, before: Ruleset, op: RuleOp): Promise<Sent> {
  if (op.kind === "delete") return deleteOne(session, place, before, op.id);
  const { rulesets } = session.client;
  const ruleset = await sendWithRecovery(() => sendOnce(session, place, before, op), {
    read: () => rulesets.find(place.scope, before.id),
    wasApplied: (current) => wasApplied(before, current, op),
    refuseRepeat: (current, cause) =>
      isUntouched(before, current, op) ? undefined : conflictAfterLoss(place, current, cause),
  });
  return { ruleset, made: true };
}

type RuleWrite = Exclude<RuleOp, { readonly kind: "delete" }>;

/** The error code for moving a rule to the position that it already has. */
const AT_THAT_POSITION = 20011;

async function sendOnce(
  session: Session,
  { scope }: RulesetLocation,
  before: Ruleset,
  op: RuleWrite,
): Promise<Ruleset> {
  const { rulesets } = session.client;
  if (op.kind === "add") return rulesets.addRule(scope, before.id, requireKnownRule(op.rule), op.position);
  const change = op.kind === "move" ? op : { ...op, rule: requireKnownRule(op.rule) };
  try {
    return await rulesets.patchRule(scope, before.id, op.id, change);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(AT_THAT_POSITION)) throw error;
    return change.kind === "move"
      ? rulesets.get(scope, before.id)
      : rulesets.patchRule(scope, before.id, change.id, { rule: change.rule });
  }
}

/** Deletes a rule. A rule that was already deleted, alone or with its ruleset, is fine. */
async function deleteOne(session: Session, { scope }: RulesetLocation, before: Ruleset, id: string): Promise<Sent> {
  const { rulesets } = session.client;
  const rest = { ...before, rules: before.rules.filter((rule) => rule.id !== id) };
  try {
    const { made, found } = await rulesets.deleteRule(scope, before.id, id);
    if (made !== undefined) return { ruleset: made, made: true };
    return { ruleset: found ?? (await rulesets.find(scope, before.id)) ?? rest, made: false };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
    return { ruleset: rest, made: false };
  }
}

function wasApplied(before: Ruleset, current: Ruleset, op: RuleWrite): boolean {
  if (op.kind === "add") return current.rules.some((rule) => rule.ref === op.rule.ref && isSameMeaning(rule, op.rule));
  const rule = ruleById(current, op.id);
  if (rule === undefined) return false;
  if (op.kind === "move") return isPlaced(current.rules, op.id, op.position);
  const previous = ruleById(before, op.id) ?? {};
  const placed = op.position === undefined || isPlaced(current.rules, op.id, op.position);
  // Definition and position are applied together: if the definition is the same before and after, only the position
  // shows it.
  return isSameForm(rule, op.rule) && (placed || !isSameForm(previous, op.rule));
}

/** Whether a write that was not applied may be sent again. */
function isUntouched(before: Ruleset, current: Ruleset, op: RuleWrite): boolean {
  if (op.kind === "add") return !current.rules.some(({ ref }) => ref === op.rule.ref);
  const [was, is] = [ruleById(before, op.id), ruleById(current, op.id)];
  return was !== undefined && is !== undefined && isSameForm(was, is);
}

function conflictAfterLoss({ where }: RulesetLocation, current: Ruleset, cause: ApiError): Error {
  const text =
    `${where}: the response to the write of a rule was lost, and the rule now has neither its previous content nor ` +
    `the content that was sent (version ${current.version}). ${cause.message} To continue: run \`pulumi refresh\`, review what it shows, then \`pulumi up\`.`;
  return new RulesetsError(text, { code: "OWNERSHIP_CONFLICT", cause });
}

function ruleById({ rules }: Pick<Ruleset, "rules">, id: string): DeployedRule | undefined {
  return rules.find((rule) => rule.id === id);
}

/** Whether a rule is exactly where a write with that position puts it. */
export function isPlaced(rules: readonly { readonly id: string }[], id: string, position: Position): boolean {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index < 0) return false;
  if ("index" in position) return index === position.index - 1;
  if ("before" in position) return position.before === "" ? index === 0 : rules[index + 1]?.id === position.before;
  return position.after === "" ? index === rules.length - 1 : rules[index - 1]?.id === position.after;
}
