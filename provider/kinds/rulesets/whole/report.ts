import { displayFor } from "../../../engine/display.js";
import type { Change } from "../../../engine/lifecycle.js";
import type { Session } from "../../../engine/session.js";
import { foreignRules } from "../../../ownership/conflict.js";
import { foreignText } from "../../../ownership/ruleset-messages.js";
import type { Plan } from "../plan/plan.js";
import { currentRuleset } from "../read.js";

/**
 * Reports rules of others where nothing is written: the next change stops at them. When the ruleset stops being shared it is read
 * first, because until then they were not reported.
 */
export async function reportForeignRules(session: Session, id: string, plan: Plan, change: Change): Promise<void> {
  const { recorded, desired } = plan;
  const unshares = change.kind === "update" && plan.switches && !plan.changes;
  if (change.kind !== "none" && !unshares) return;
  const actual = unshares ? await currentRuleset(session, id, recorded.state).catch(() => undefined) : undefined;
  const foreign = foreignRules(recorded, actual?.rules ?? recorded.lastRuleset.rules);
  if (foreign.length > 0)
    session.reporter.warn(desired.urn, foreignText(desired.where, foreign, displayFor(session, recorded.state)));
}
