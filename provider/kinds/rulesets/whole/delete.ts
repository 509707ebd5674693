import { ApiError, RulesetsError } from "../../../../core/model/errors.js";
import { rulesetResourceId, scopeArguments } from "../../../../core/model/ids.js";
import { quotedRuleName, rulesetName } from "../../../../core/model/names.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { currentOf, findConflict } from "../../../ownership/conflict.js";
import { keptRulesetText, recreatedText } from "../../../ownership/ruleset-messages.js";
import type { Session } from "../../../engine/session.js";
import { NO_RULES } from "../../../../core/rules/keyed.js";
import type { RulesetState } from "../description.js";
import type { Desired, Target } from "../desired.js";
import { addressOf, readAt } from "../read.js";
import { requireDeleteWithinLimit } from "../removal-limit.js";
import type { ParsedState } from "../state.js";
import { requireNothingUndone } from "../write/conflicts.js";
import { replaceRuleset, reportDeletion } from "../write/ruleset-writes.js";

/** Deletes a ruleset, or drops its rules and keeps its versions. */
export async function deleteWhole(
  session: Session,
  id: string,
  desired: Desired,
  recorded: ParsedState,
): Promise<void> {
  const { state } = recorded;
  const { target, urn, where, policy } = desired;
  if (state.__takenOver !== undefined) {
    session.reporter.warn(urn, keptRulesetText(where));
    return;
  }
  const address = addressOf(id, state);
  const actual = await readAt(session, address);
  if (actual === undefined) return;
  if (actual.rules.length === 0 && state.rulesetId !== "" && actual.id !== state.rulesetId) {
    session.reporter.info(urn, recreatedText(where, actual.id));
    return;
  }
  const { description } = recorded;
  const conflict = findConflict(recorded, currentOf(actual), { ...NO_RULES, description });
  const changes = { version: actual.version, conflict, operation: "delete", state } as const;
  requireNothingUndone(session, desired, changes);
  requireDeleteWithinLimit(session, desired, state, actual.rules, actual);
  await (policy.onDelete === "empty"
    ? empty(session, desired, state, actual)
    : deleteRuleset(session, target, actual, where));
  session.reads.forget(address.scope, target.phase, actual.id);
}

/** Removes the rules, and keeps the versions, so that the rules can be restored. */
async function empty(session: Session, desired: Desired, state: RulesetState, actual: Ruleset): Promise<void> {
  if (actual.rules.length === 0) return;
  try {
    const content = { description: actual.description, rules: [] };
    const written = await replaceRuleset(session, desired, actual, content, { operation: "delete", state });
    const { ruleset, overwrote } = written;
    await reportDeletion(session, desired.urn, ruleset);
    if (overwrote !== undefined) throw overwrote;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
    // A proxy or an outdated replica may have answered.
    if ((await session.client.rulesets.find(desired.target.scope, actual.id)) !== undefined) throw error;
  }
}

async function deleteRuleset(session: Session, target: Target, actual: Ruleset, where: string): Promise<void> {
  try {
    await session.queue.run(rulesetResourceId(target.scope, actual.id), () =>
      session.client.rulesets.delete(target.scope, actual.id),
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND") return;
    if (!(error instanceof ApiError) || error.code !== "API_INVALID" || !/referenc|in use/i.test(error.message))
      throw error;
    const user = await findUser(session, target, actual.id);
    throw new RulesetsError(
      `${where} (${actual.id}) cannot be deleted while ${user ?? "another ruleset"} executes it. ` +
        `Remove that execute rule first, then delete this ruleset. ${error.message}`,
      { code: "RULESET_IN_USE", cause: error },
    );
  }
}

/** The ruleset that executes another one, as messages name it. */
async function findUser(session: Session, target: Target, rulesetId: string): Promise<string | undefined> {
  const { rulesets } = session.client;
  const list = await rulesets.list(target.scope);
  for (const { id, kind, phase, name } of list.filter((r) => r.kind !== "managed" && r.phase === target.phase)) {
    const whole = await rulesets.find(target.scope, id);
    const rule = whole?.rules.find((r) => r.action === "execute" && r.actionParameters?.id === rulesetId);
    if (rule !== undefined)
      return `${rulesetName({ id, kind, name, phase, ...scopeArguments(target.scope) })} (${id}, rule ${quotedRuleName(rule)})`;
  }
  return undefined;
}
