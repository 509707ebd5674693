import { otherManagerOf, reasonOf, reasonToKeep } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import { keptRulesetText } from "../../ownership/ruleset-messages.js";
import { ruleInWords } from "../../ownership/rule-messages.js";
import { compareForDelete } from "./comparison.js";
import type { RuleState } from "./description.js";
import { desiredFrom, ruleKeys, rulesetKeys } from "./desired.js";
import { recordPredecessor } from "./predecessor.js";
import { parseState } from "./state.js";
import { runOnRuleset } from "./run-on-ruleset.js";
import { checkConflict, writeAndCheck } from "./write.js";

/**
 * Deletes a rule, unless another resource of this run still needs it. A rule that no longer exists is fine; the ruleset
 * stays.
 */
export async function deleteRule(session: Session, _id: string, state: RuleState): Promise<void> {
  const desired = desiredFrom(state);
  const { target, urn, policy } = desired;
  const where = ruleInWords(state.ref, desired.where);
  const rulesets = rulesetKeys(target, { id: state.rulesetId, kind: state.__kind ?? target.kind ?? "custom" });
  const whole = otherManagerOf(session, urn, rulesets, { parts: false });
  const keeper =
    whole === undefined
      ? reasonToKeep(session, ruleKeys(rulesets, [state.ref, state.ruleId]), urn)
      : reasonOf(whole, urn);
  if (keeper !== undefined) {
    recordPredecessor(session, state);
    session.reporter.info(urn, `${where} was not deleted: ${keeper}. No request was sent.`);
    return;
  }
  if (policy.onDelete === "keep") {
    session.reporter.info(urn, `${where} was not deleted: onDelete is "keep". No request was sent.`);
    return;
  }
  if (state.__takenOver === true) {
    session.reporter.warn(urn, keptRulesetText(where));
    return;
  }
  const recorded = parseState(state);
  await runOnRuleset(session, target, async (before) => {
    const { rule, conflict } = compareForDelete(recorded, before ?? { rules: [] });
    if (before === undefined || rule === undefined) return;
    const purpose = { operation: "delete", ruleId: rule.id } as const;
    checkConflict(session, desired, conflict, purpose);
    const { overwrote } = await writeAndCheck(session, desired, {
      ...purpose,
      before,
      op: { kind: "delete", id: rule.id },
    });
    if (overwrote !== undefined) throw overwrote;
  });
}
