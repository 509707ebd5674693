import type { Session } from "../../../engine/session.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { OwnRulesPlan, type OwnRulesComparison } from "../plan/own-rules.js";
import { ChangePlans } from "../plans.js";
import { removalOfOwnRules } from "../removal-limit.js";
import type { Strategy } from "../strategy.js";
import { compareWithMoves } from "../write/compare.js";
import { plannedRuleWrites } from "../write/planned-requests.js";
import { claimOwnRules, refusalOf } from "./plan.js";
import { interleavingOf, warnOfDeleters, warnOfOrphans } from "./report.js";
import { requirePlaced } from "./unplaced.js";

/** Changes of a resource that manages its own rules in a ruleset that others share. */
export const OWN_RULES_CHANGES: Strategy<OwnRulesPlan, OwnRulesComparison> = {
  plans: () => new ChangePlans<OwnRulesPlan>(),
  planOf: (...args) => new OwnRulesPlan(...args),
  claimRules: claimOwnRules,
  compare: compareWithMoves,
  checkCompared: checkOwnRules,
  warnOfOrphans,
  removalOf: removalOfOwnRules,
  requestsOf: plannedRuleWrites,
};

/**
 * Reports how the program's rules and those of others are interleaved. Throws if a rule of somebody else has a ref of the
 * program, or if a rule cannot be where the program wants it.
 */
async function checkOwnRules(
  session: Session,
  plan: OwnRulesPlan,
  { recognised, part, actual }: OwnRulesComparison,
  preview: boolean,
): Promise<void> {
  const { urn, where, words } = plan.desired;
  const refusal = await refusalOf(session, plan, part, actual);
  if (refusal !== undefined) throw occupiedError(refusal);
  requirePlaced(session, plan.desired, part.unplaced, actual);
  if (preview) warnOfDeleters(session, plan, recognised.values());
  if (words.declaredIn === "list")
    session.reporter.info(urn, `${where}: ${interleavingOf(session, plan, part, actual)}`);
}
