import { ApiError, RulesetsError } from "../model/errors.js";
import type { Ruleset } from "../model/ruleset.js";
import { findConflict, isConflict } from "../ownership/conflict.js";
import { conflictError, conflictText } from "../ownership/messages.js";
import type { Session } from "../session/session.js";
import { objectKeys, targetOf, targetWords, type RulesetState, type Target } from "./model.js";
import { addressOf, readAt } from "./read.js";
import { lastSeen } from "./state.js";

/** Takes a ruleset away as `onDelete` says, unless somebody in this run still needs it. Gone already is fine. */
export async function deleteRuleset(session: Session, id: string, state: RulesetState): Promise<void> {
  const target = targetOf(state);
  const urn = state.__urn;
  const where = targetWords(target, state.name);
  const keeper = stillNeeded(session, target, state.rulesetId, urn);
  if (keeper !== undefined) {
    session.reporter.info(urn, `${where} stays as it is: ${keeper}. Nothing was sent.`);
    return;
  }
  const mode = state.onDelete ?? (target.entrypoint ? "empty" : "delete");
  if (mode === "keep") {
    session.reporter.info(urn, `${where} stays as it is: onDelete is "keep". Nothing was sent.`);
    return;
  }
  const address = addressOf(id, state);
  const actual = await readAt(session, address);
  if (actual === undefined) return;
  refuseConflict(session, state, actual, where);
  await session.queue.run(`${address.scope.level}/${address.scope.id}/${actual.id}`, () =>
    mode === "empty" ? empty(session, target, actual) : remove(session, target, actual, where),
  );
  session.reads.forget(address.scope, target.phase, actual.id);
}

/** Why a delete must not be sent: the program addresses the object, under another resource or under this one again. */
function stillNeeded(session: Session, target: Target, rulesetId: string, urn: string | undefined): string | undefined {
  for (const key of objectKeys(target, rulesetId)) {
    const holder = session.owners.holderOf(key, urn);
    if (holder !== undefined) return holder === urn ? "it is created again over itself" : `${holder} holds it now`;
  }
  return undefined;
}

function refuseConflict(session: Session, state: RulesetState, actual: Ruleset, where: string): void {
  const seen = lastSeen(state);
  const conflict = findConflict(seen, actual, { rules: {}, order: [], description: seen.description });
  if (!isConflict(conflict) || session.onConflict(state.onConflict) !== "fail") return;
  throw conflictError(conflictText(where, actual.version, conflict, "delete"));
}

/** Drops the rules and keeps the versions, from which they can be brought back. */
async function empty(session: Session, target: Target, actual: Ruleset): Promise<void> {
  if (actual.rules.length === 0) return;
  const content = { description: actual.description, rules: [] };
  try {
    await session.client.rulesets.replace(target.scope, actual.id, content, target.phase);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    const now = await session.client.rulesets.find(target.scope, actual.id);
    if (now !== undefined && now.rules.length > 0) {
      if (now.version !== actual.version) throw error;
      await session.client.rulesets.replace(target.scope, actual.id, content, target.phase);
    }
  }
}

async function remove(session: Session, target: Target, actual: Ruleset, where: string): Promise<void> {
  try {
    await session.client.rulesets.delete(target.scope, actual.id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND") return;
    if (!(error instanceof ApiError) || error.code !== "API_INVALID" || !/referenc|in use/i.test(error.message))
      throw error;
    const user = await findUser(session, target, actual.id);
    throw new RulesetsError(
      `${where} (${actual.id}) cannot be deleted while ${user ?? "another ruleset"} executes it. ` +
        `Take the execute rule out there first, then delete this one. ${error.message}`,
      { code: "RULESET_IN_USE", cause: error },
    );
  }
}

/** The ruleset that executes another one, in words. */
async function findUser(session: Session, target: Target, rulesetId: string): Promise<string | undefined> {
  const { rulesets } = session.client;
  const list = await rulesets.list(target.scope);
  for (const { id, kind, phase, name } of list.filter((r) => r.kind !== "managed" && r.phase === target.phase)) {
    const whole = await rulesets.find(target.scope, id);
    const rule = whole?.rules.find((r) => r.action === "execute" && r.actionParameters?.id === rulesetId);
    if (rule !== undefined)
      return `the ${kind} ruleset ${JSON.stringify(name)} of phase ${phase} (${id}, rule ${rule.ref})`;
  }
  return undefined;
}
