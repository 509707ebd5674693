import type { Session } from "../../../engine/session.js";
import { ApiError } from "../../../model/errors.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { noteSeen } from "../write/in-force.js";
import { runInTurn } from "../write/rule-writes.js";
import { targetId, type RuleTarget, isKnownTarget, targetOf } from "./desired.js";
import type { CheckRequest } from "../../../engine/kind.js";
import { reportUnavailableCheck } from "../../../engine/request.js";
import { sameJson } from "../../../model/json.js";
import { failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { RULESET_RULE } from "./description.js";

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

/** The ruleset, if it had to be read, or why it could not be. */
export interface Inspected {
  /** Whether it is known what the ruleset contains. */
  readonly isRead: boolean;
  readonly ruleset?: Ruleset;
  readonly findings: Findings;
}

const NOT_READ: Inspected = { isRead: false, findings: NO_FINDINGS };

/**
 * Reads the ruleset where a rule is to be created or moved; for a rule that stays in place, `diff` reads it if the rule
 * changes.
 */
export async function inspectRuleset(request: CheckRequest<typeof RULESET_RULE>): Promise<Inspected> {
  const { session, wanted, olds, preview } = request;
  const target = targetOf({ ...wanted, __byId: wanted.rulesetId !== undefined });
  const moves = wanted.position !== undefined && !sameJson(wanted.position, olds?.position);
  const sameRuleset = olds !== undefined && (wanted.rulesetId === undefined || olds.rulesetId === wanted.rulesetId);
  if ((sameRuleset && !moves) || !isKnownTarget(target)) return NOT_READ;
  if (session.previewChecks === "off" && preview) return NOT_READ;
  try {
    const ruleset = await currentRuleset(session, target);
    if (ruleset?.kind === "managed")
      return {
        isRead: true,
        findings: failure(
          ["rulesetId"],
          `is one of Cloudflare's managed rulesets (${ruleset.name}), whose rules can only be overridden where it is executed`,
        ),
      };
    if (ruleset === undefined && target.rulesetId !== undefined)
      return {
        isRead: true,
        findings: failure(
          ["rulesetId"],
          `there is no ruleset ${target.rulesetId} in ${target.scope.level}/${target.scope.id}`,
        ),
      };
    return { isRead: true, findings: NO_FINDINGS, ...(ruleset === undefined ? {} : { ruleset }) };
  } catch (error) {
    const refusal = reportUnavailableCheck(request, error, `what is in ${target.rulesetId ?? target.phase}`);
    return { isRead: false, findings: refusal === undefined ? NO_FINDINGS : { failures: [refusal], warnings: [] } };
  }
}
