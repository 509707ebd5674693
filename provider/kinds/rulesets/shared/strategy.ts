import type { Session } from "../../../engine/session.js";
import type { Removal } from "../../../ownership/removal.js";
import { runRecord } from "../ledgers.js";
import { OwnRulesPlan, type OwnRulesComparison } from "../plan/own-rules.js";
import { ChangePlans } from "../plans.js";
import { removalOfOwnRules } from "../removal-limit.js";
import type { Strategy } from "../strategy.js";
import { compareWithMoves } from "../write/compare.js";
import { plannedRuleWrites } from "../write/planned-requests.js";
import { checkOwnRules, claimOwnRules, warnOfOrphans } from "./report.js";

/** Changes of a resource that manages its own rules in a ruleset that others share. */
export const OWN_RULES_CHANGES: Strategy<OwnRulesPlan, OwnRulesComparison> = {
  plans: () => new ChangePlans<OwnRulesPlan>(),
  planOf: (...args) => new OwnRulesPlan(...args),
  claimRules: claimOwnRules,
  compare: compareWithMoves,
  checkCompared: checkOwnRules,
  warnOfOrphans,
  removalOf,
  requestsOf: plannedRuleWrites,
};

/** The rules that a plan removes, which resources that take them over are warned about from then on. */
function removalOf(session: Session, plan: OwnRulesPlan, comparison: OwnRulesComparison | undefined): Removal {
  const removal = removalOfOwnRules(session, plan, comparison);
  for (const { id } of removal.removed) runRecord(session).dropped.set(id, plan.desired.urn ?? "");
  return removal;
}
