import type { CheckRequest } from "../../../engine/kind.js";
import { reportUnavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { sameJson } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { RULESET_RULE } from "./description.js";
import { isKnownTarget, targetOf, type RuleTarget } from "./desired.js";

/** The ruleset of a rule, as this run has just read it or reads it now; undefined if there is none. */
export function currentRuleset(
  { reads }: Session,
  { scope, phase, rulesetId }: RuleTarget,
): Promise<Ruleset | undefined> {
  return rulesetId === undefined ? reads.entrypoint(scope, phase) : reads.byId(scope, rulesetId);
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
