import { claim } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Change } from "../../../engine/lifecycle.js";
import type { Session } from "../../../engine/session.js";
import { foreignRules } from "../../../ownership/conflict.js";
import { foreignText, twoOwnersText } from "../../../ownership/ruleset-messages.js";
import { objectKeys } from "../desired.js";
import { Plan, type Comparison } from "../plan/plan.js";
import type { Strategy } from "../plans.js";
import { currentRuleset } from "../read.js";
import { plannedReplacement } from "../write/planned-requests.js";

/** Changes of a resource that manages the whole of its ruleset. */
export const WHOLE_CHANGES: Strategy<Plan, Comparison> = {
  planOf: (...args) => new Plan(...args),
  claim: claimWhole,
  reportOthers: reportForeignRules,
  compare: (_session, plan, actual) => plan.compareWith(actual),
  removalOf: (_session, plan, comparison) => plan.removal(comparison),
  requestsOf: plannedReplacement,
};

function claimWhole(session: Session, { desired }: Plan, rulesetId: string | undefined): string | undefined {
  const { urn = "", where, target } = desired;
  const other = claim(session, urn, objectKeys(target, rulesetId));
  return other === undefined ? undefined : twoOwnersText(where, other, urn);
}

/**
 * Reports rules of others where nothing is written: the next change stops at them. When the ruleset stops being shared it is read
 * first, because until then they were not reported.
 */
async function reportForeignRules(session: Session, id: string, plan: Plan, change: Change): Promise<void> {
  const { recorded, desired } = plan;
  const unshares = change.kind === "update" && plan.switches && !plan.changes;
  if (change.kind !== "none" && !unshares) return;
  const actual = unshares ? await currentRuleset(session, id, recorded.state).catch(() => undefined) : undefined;
  const foreign = foreignRules(recorded, actual?.rules ?? recorded.lastRuleset.rules);
  if (foreign.length > 0)
    session.reporter.warn(desired.urn, foreignText(desired.where, foreign, displayFor(session, recorded.state)));
}
