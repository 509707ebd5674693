import { displayFor } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import { isConflict } from "../../ownership/conflict.js";
import { conflictError, conflictText, overwriteText } from "../../ownership/ruleset-messages.js";
import type { Desired } from "./desired.js";
import { Plan } from "./plan/plan.js";
import { findOwnState } from "./predecessor.js";
import { movedAway } from "./shared/moves.js";
import { parseState } from "./state.js";

/**
 * Why a resource cannot be created again over its own ruleset, as with `--replace` or a taint: somebody has changed it
 * since the stack last read it, and an update would stop at that too. Warns instead if overwriting is requested.
 */
export async function findRecreateConflict(
  session: Session,
  desired: Desired,
  actual: Ruleset,
): Promise<RulesetsError | undefined> {
  const { urn, where, policy } = desired;
  if (desired.rules === undefined) return undefined;
  const last = await findOwnState(session, actual.id, urn);
  if (last === undefined) return undefined;
  const plan = new Plan(parseState(last), desired);
  const away = plan.shared ? await movedAway(session, plan, actual) : undefined;
  const { conflict } = plan.compareWith(actual, away);
  if (!isConflict(conflict)) return undefined;
  const display = displayFor(session, last);
  if (session.onConflict(policy.onConflict) === "fail")
    return conflictError(conflictText(where, actual.version, conflict, "change", display));
  session.reporter.warn(urn, overwriteText(where, actual.version, conflict, "change", display));
  return undefined;
}

/** Stops before creating a resource again would undo what somebody changed. */
export async function requireRecreatable(...args: Parameters<typeof findRecreateConflict>): Promise<void> {
  const error = await findRecreateConflict(...args);
  if (error !== undefined) throw error;
}
