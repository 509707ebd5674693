import { otherManagerOf, reasonOf, reasonToKeep } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import type { Ruleset } from "../../model/ruleset.js";
import { keptRulesetText, occupiedError } from "../../ownership/ruleset-messages.js";
import { notTakenOverText } from "../../ownership/shared-messages.js";
import { ruleInWords } from "../../ownership/rule-messages.js";
import { noteDeleted, otherOwnerInStack } from "../ruleset/rule-owners.js";
import { awaitedOwner } from "../ruleset/shared/hand-over.js";
import { compareForDelete } from "./comparison.js";
import type { RuleState } from "./description.js";
import { desiredFrom, ruleKeys, rulesetKeys, type Desired } from "./desired.js";
import { recordPredecessor } from "./predecessor.js";
import { recordReplacedRule } from "./replaced-rule.js";
import { parseState, type ParsedState } from "./state.js";
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
  const keys = ruleKeys(rulesets, [state.ref, state.ruleId]);
  const keeper = whole === undefined ? reasonToKeep(session, keys, urn) : reasonOf(whole, urn);
  if (keeper !== undefined) {
    const { rulesetId, ruleId: id, ref } = state;
    const isMoved = whole === undefined && !session.checked.has(urn ?? "");
    const to = isMoved ? await awaitedOwner(session, { keys, rulesetId, id, urn }) : undefined;
    if (to !== undefined) throw occupiedError(notTakenOverText(desired.where, [{ ref, to }]));
    recordPredecessor(session, state);
    // With `deleteBeforeReplace`, it is created again after this.
    if (session.checked.has(urn ?? "")) recordReplacedRule(session, urn, state);
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
    const owner = await otherOwnerInStack(session, { rulesetId: state.rulesetId, urn }, state.ruleId);
    if (owner !== undefined) {
      session.reporter.info(urn, `${where} was not deleted: ${owner} owns it too. No request was sent.`);
      noteDeleted(session, urn);
      return;
    }
    await removeRule(session, desired, recorded, before);
    noteDeleted(session, urn);
  });
}

async function removeRule(
  session: Session,
  desired: Desired,
  recorded: ParsedState,
  before: Ruleset | undefined,
): Promise<void> {
  const { rule, conflict } = compareForDelete(recorded, before ?? { rules: [] });
  if (before === undefined || rule === undefined) return;
  const purpose = { operation: "delete", ruleId: rule.id } as const;
  checkConflict(session, desired, conflict, purpose);
  const op = { kind: "delete", id: rule.id } as const;
  const { overwrote } = await writeAndCheck(session, desired, { ...purpose, before, op });
  if (overwrote !== undefined) throw overwrote;
}
