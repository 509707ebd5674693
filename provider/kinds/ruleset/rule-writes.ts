import type { Position } from "../../client/index.js";
import { findOverwrittenRule } from "../../engine/overwritten.js";
import { settle } from "../../engine/recover.js";
import type { Session } from "../../engine/session.js";
import { ApiError } from "../../model/errors.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { rulesetResourceId, type Scope } from "../../model/ids.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { conflictError } from "../../ownership/messages.js";
import type { Overwritten } from "../../ownership/overwritten.js";
import { sameContent, sameForm } from "../../rules/rule.js";

/** One change of one rule. Every rule carries its ref; positions name rules by their ids. */
export type RuleOp =
  | { readonly kind: "add"; readonly rule: NamedRule; readonly position?: Position }
  /** Says a rule anew, whole, and moves it where a position is given. */
  | { readonly kind: "change"; readonly id: string; readonly rule: NamedRule; readonly position?: Position }
  | { readonly kind: "move"; readonly id: string; readonly position: Position }
  | { readonly kind: "delete"; readonly id: string };

/** A rule under the ref that the service knows, or will know, it by. */
export type NamedRule = RulesetRule & { readonly ref: string };

/** The ruleset that a rule is in. */
export interface RulePlace {
  readonly scope: Scope;
  /** In words, for messages. */
  readonly where: string;
}

/** The ruleset after a write, and what somebody had made of the same rule since it was read, if the write undid that. */
export interface RuleWritten {
  readonly ruleset: Ruleset;
  readonly overwritten?: Overwritten;
}

/**
 * Runs work on a ruleset when all work of this run on it that began before is done. Work must look at the ruleset anew
 * (`session.reads` holds the answer of the write before), and must not wait for a turn at the same ruleset itself.
 */
export function inTurn<T>(session: Session, scope: Scope, rulesetId: string, work: () => Promise<T>): Promise<T> {
  return session.queue.run(rulesetResourceId(scope, rulesetId), work);
}

/**
 * Writes one rule and leaves every other as it is; to be called in turn. After an answer that leaves open whether it
 * landed, the ruleset is read: the rule is there as sent, done; it is as it was, sent once more; anything else is somebody
 * else's change of this rule. Changes of other rules in between are none.
 */
export async function writeRule(session: Session, place: RulePlace, before: Ruleset, op: RuleOp): Promise<RuleWritten> {
  const { scope } = place;
  const { rulesets } = session.client;
  try {
    const ruleset = await send(session, place, before, op);
    session.reads.learn(scope, ruleset);
    // A rule that is moved stays what somebody else made of it.
    if (op.kind === "add" || op.kind === "move") return { ruleset };
    const overwritten = await findOverwrittenRule(rulesets, scope, { before, answer: ruleset, id: op.id });
    return { ruleset, ...(overwritten === undefined ? {} : { overwritten }) };
  } catch (error) {
    session.reads.forget(scope, before.phase, before.id);
    throw error;
  }
}

function send(session: Session, place: RulePlace, before: Ruleset, op: RuleOp): Promise<Ruleset> {
  if (op.kind === "delete") return remove(session, place, before, op.id);
  const { rulesets } = session.client;
  return settle(() => sendOnce(session, place, before, op), {
    look: () => rulesets.find(place.scope, before.id),
    landed: (now) => hasLanded(before, now, op),
    refuse: (now, cause) => (isUntouched(before, now, op) ? undefined : conflictAfterLoss(place, now, cause)),
  });
}

type RuleWrite = Exclude<RuleOp, { readonly kind: "delete" }>;

/** The service refuses to move a rule to where it stands. */
const AT_THAT_POSITION = 20011;

async function sendOnce(session: Session, { scope }: RulePlace, before: Ruleset, op: RuleWrite): Promise<Ruleset> {
  const { rulesets } = session.client;
  if (op.kind === "add") return rulesets.addRule(scope, before.id, op.rule, op.position);
  try {
    return await rulesets.patchRule(scope, before.id, op.id, op);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.hasCode(AT_THAT_POSITION)) throw error;
    return op.kind === "move"
      ? rulesets.get(scope, before.id)
      : rulesets.patchRule(scope, before.id, op.id, { rule: op.rule });
  }
}

/** Deletes a rule. One that was already deleted, or gone with its ruleset, is fine. */
async function remove(session: Session, { scope }: RulePlace, before: Ruleset, id: string): Promise<Ruleset> {
  const { rulesets } = session.client;
  const rest = { ...before, rules: before.rules.filter((rule) => rule.id !== id) };
  try {
    const answer = await rulesets.deleteRule(scope, before.id, id);
    return answer ?? (await rulesets.find(scope, before.id)) ?? rest;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
    return (await rulesets.find(scope, before.id)) ?? rest;
  }
}

function hasLanded(before: Ruleset, now: Ruleset, op: RuleWrite): boolean {
  if (op.kind === "add") return now.rules.some((rule) => rule.ref === op.rule.ref && sameContent(rule, op.rule));
  const rule = ruleById(now, op.id);
  if (rule === undefined) return false;
  if (op.kind === "move") return isPlaced(now.rules, op.id, op.position);
  const said = ruleById(before, op.id) ?? {};
  const placed = op.position === undefined || isPlaced(now.rules, op.id, op.position);
  // Definition and place arrive together: where the definition tells nothing, the place does.
  return sameForm(rule, op.rule) && (placed || !sameForm(said, op.rule));
}

/** Whether a write that has not landed may go out again. */
function isUntouched(before: Ruleset, now: Ruleset, op: RuleWrite): boolean {
  if (op.kind === "add") return !now.rules.some(({ ref }) => ref === op.rule.ref);
  const [was, is] = [ruleById(before, op.id), ruleById(now, op.id)];
  return was !== undefined && is !== undefined && sameForm(was, is);
}

function conflictAfterLoss({ where }: RulePlace, now: Ruleset, cause: ApiError): Error {
  return conflictError(
    `${where}: the response to the write of a rule was lost, and the ruleset now contains the rule neither as it was nor ` +
      `as it was sent (version ${now.version}). Run \`pulumi refresh\`, review what it shows, then \`pulumi up\`. ${cause.message}`,
  );
}

function ruleById({ rules }: Pick<Ruleset, "rules">, id: string): DeployedRule | undefined {
  return rules.find((rule) => rule.id === id);
}

/** Whether a rule stands exactly where a write of that position puts it. */
export function isPlaced(rules: readonly { readonly id: string }[], id: string, position: Position): boolean {
  const index = rules.findIndex((rule) => rule.id === id);
  if (index < 0) return false;
  if ("index" in position) return index === position.index - 1;
  if ("before" in position) return position.before === "" ? index === 0 : rules[index + 1]?.id === position.before;
  return position.after === "" ? index === rules.length - 1 : rules[index - 1]?.id === position.after;
}
