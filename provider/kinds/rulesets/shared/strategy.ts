import { claim, claimParts } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import { occupiedError, twoOwnersText } from "../../../ownership/ruleset-messages.js";
import { objectKeys, ruleKeys } from "../desired.js";
import { ruleInWords, twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { ownValue } from "../../../../core/model/json.js";
import type { Plan } from "../plan/plan.js";
import { OwnRulesPlan, type OwnRulesComparison } from "../plan/own-rules.js";
import type { Strategy } from "../plans.js";
import { removalOfOwnRules } from "../removal-limit.js";
import { compareWithMoves, refusalOf } from "../write/compare.js";
import { plannedRuleWrites } from "../write/planned-requests.js";
import { interleavingOf, warnOfDeleters } from "./report.js";
import { requirePlaced } from "./positions.js";

/** Changes of a resource that manages its own rules in a ruleset that others share. */
export const OWN_RULES_CHANGES: Strategy<OwnRulesPlan, OwnRulesComparison> = {
  planOf: (...args) => new OwnRulesPlan(...args),
  claim: claimOwnRules,
  compare: compareWithMoves,
  checkCompared: checkOwnRules,
  removalOf: removalOfOwnRules,
  requestsOf: plannedRuleWrites,
};

/** Claims a part of the ruleset, and the rules there that the resource keeps. */
function claimOwnRules(
  session: Session,
  { desired, recorded }: Plan,
  rulesetId: string | undefined,
): string | undefined {
  const { urn = "", where, target, rules } = desired;
  const whole = claimParts(session, urn, objectKeys(target, rulesetId));
  if (whole !== undefined) return twoOwnersText(where, whole, urn);
  const kept = rulesetId === undefined ? [] : (rules?.order ?? []);
  const refusals = kept.flatMap((ref) => {
    const id = ownValue(recorded.ruleIds, ref);
    const other = id === undefined ? undefined : claim(session, urn, ruleKeys(target, rulesetId, [id]));
    return other === undefined ? [] : [twoRuleOwnersText(ruleInWords(ref, where), other, urn)];
  });
  return refusals[0];
}

/**
 * Throws if a rule of somebody else has a ref of the program, or if a rule cannot be where the program wants it. Reports in a
 * preview how the program's rules and those of others are interleaved.
 */
function checkOwnRules(session: Session, plan: OwnRulesPlan, comparison: OwnRulesComparison, preview: boolean): void {
  const { urn, where, words } = plan.desired;
  const { recognised, part, actual } = comparison;
  const refusal = refusalOf(session, comparison);
  if (refusal !== undefined) throw occupiedError(refusal);
  requirePlaced(session, plan.desired, part.unplaced, actual);
  if (!preview) return;
  warnOfDeleters(session, plan, recognised.values());
  const interleaving = words.manages === "rule" ? undefined : interleavingOf(session, comparison);
  if (interleaving !== undefined) session.reporter.info(urn, `${where}: ${interleaving}`);
}
