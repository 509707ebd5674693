import type { Session } from "../../engine/session.js";
import { ApiError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import { noteSeen } from "../ruleset/in-force.js";
import { runInTurn } from "../ruleset/rule-writes.js";
import { targetId, type RuleTarget } from "./desired.js";

/** The ruleset of a rule, as this run has just read it or reads it now; undefined if there is none. */
export function currentRuleset(
  { reads }: Session,
  { scope, phase, rulesetId }: RuleTarget,
): Promise<Ruleset | undefined> {
  return rulesetId === undefined ? reads.entrypoint(scope, phase) : reads.byId(scope, rulesetId);
}

/**
 * Runs work on the ruleset after all earlier work of this run on it. If somebody else interfered, by creating the entry
 * point or by deleting what the work needs, it runs once more on a fresh read.
 */
export async function runOnRuleset<T>(
  session: Session,
  target: RuleTarget,
  work: (ruleset: Ruleset | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await runOnce(session, target, work);
  } catch (error) {
    if (!isInterference(error)) throw error;
    session.reads.forget(target.scope, target.phase, target.rulesetId);
    return runOnce(session, target, work);
  }
}

async function runOnce<T>(
  session: Session,
  target: RuleTarget,
  work: (ruleset: Ruleset | undefined) => Promise<T>,
): Promise<T> {
  const found = await currentRuleset(session, target);
  const onFound = ({ id }: Ruleset): Promise<T> =>
    runInTurn(session, target.scope, id, async () => {
      const current = await currentRuleset(session, target);
      if (current !== undefined) noteSeen(session, current);
      return work(current);
    });
  if (found !== undefined) return onFound(found);
  // If several find no entry point, the first creates it.
  return session.queue.run(targetId(target), async () => {
    const current = await currentRuleset(session, target);
    return current === undefined ? work(undefined) : onFound(current);
  });
}

/** The error code for an entry point that somebody else has just created. */
export const ENTRYPOINT_EXISTS = 20217;

function isInterference(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.ambiguous) return false;
  const positions = error.errors.some(({ pointer }) => pointer?.startsWith("/position") === true);
  return error.hasCode(ENTRYPOINT_EXISTS) || error.code === "API_NOT_FOUND" || positions;
}
