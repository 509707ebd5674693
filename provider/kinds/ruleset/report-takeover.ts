import { displayFor } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import { isWrittenByProgram, takeoverText, type TakeoverGrounds } from "../../ownership/takeover-messages.js";
import { diffRules } from "../../rules/diff.js";
import { keyedDeployedRules, NO_RULES } from "../../rules/keyed.js";
import type { Desired } from "./desired.js";
import { findCloudflareHolder, findRulesetPredecessor } from "./predecessor.js";
import type { TakeoverPlan } from "./takeover-plan.js";

/**
 * Reports what a takeover does, unless there was nothing to take over: which rules it keeps, changes, drops and adds. It is a
 * warning if rules are dropped, if they seem to belong to somebody else, or if another resource would delete them.
 */
export async function reportTakeover(session: Session, found: TakeoverPlan, { urn, rules }: Desired): Promise<void> {
  const { target, existing, takeover } = found;
  if (existing.rules.length === 0 || takeover === undefined) return;
  const grounds = await takeoverGroundsOf(session, found);
  const other = await findCloudflareHolder(session, target, existing.name);
  const { added, moved } = diffRules(keyedDeployedRules(existing.rules), rules ?? NO_RULES);
  const text = takeoverText({ existing, takeover, added, moved, grounds, other }, displayFor(session));
  const seemsForeign = grounds.kind === "equal" && isWrittenByProgram(existing);
  if (takeover.dropped.length > 0 || seemsForeign || other.kind === "known") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

async function takeoverGroundsOf(session: Session, { existing, requested }: TakeoverPlan): Promise<TakeoverGrounds> {
  if (requested) return { kind: "requested" };
  const before = await findRulesetPredecessor(session, existing.id, existing.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before.urn };
}
