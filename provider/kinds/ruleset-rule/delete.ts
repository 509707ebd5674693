import { otherManagerOf, reasonOf, reasonToKeep } from "../../engine/claims.js";
import { displayFor } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import type { Ruleset } from "../../model/ruleset.js";
import { keptRulesetText } from "../../ownership/ruleset-messages.js";
import { ruleInWords } from "../../ownership/rule-messages.js";
import { objectKeys, ruleKeys, type Desired as RulesetDesired } from "../ruleset/desired.js";
import { noteDeleted, otherOwnerInStack } from "../ruleset/rule-owners.js";
import { handOversOnDelete, reportLeftRules, requireReplaced, requireTakenOver } from "../ruleset/shared/hand-over.js";
import { compareForDelete } from "./comparison.js";
import type { RuleState } from "./description.js";
import { desiredFrom, rulesetTarget, type Desired } from "./desired.js";
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
  const { rulesetId, ruleId, ref, __kind: kind } = state;
  const where = ruleInWords(ref, desired.where);
  const place = { target: rulesetTarget(target, kind), urn, where: desired.where };
  await requireTakenOver(session, place, state, { rules: [{ id: ruleId, ref }, ...(state.__handedOver ?? [])] });
  const keeper = keeperOf(session, place, state);
  if (keeper !== undefined) {
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
    const owner = await otherOwnerInStack(session, { rulesetId, urn }, ruleId);
    if (owner !== undefined) {
      session.reporter.info(urn, `${where} was not deleted: ${owner} owns it too. No request was sent.`);
      noteDeleted(session, urn);
      return;
    }
    if (before !== undefined) await requireReplaced(session, place, state, before, new Set([ruleId]));
    const after = await removeRule(session, desired, recorded, before);
    if (after !== undefined) await removeGivenUp(session, desired, place, state, after);
    noteDeleted(session, urn);
  });
}

/** Why the rule must stay: another resource of this run has it or the whole ruleset, or this one is created again. */
function keeperOf(
  session: Session,
  { target, urn }: Pick<RulesetDesired, "target" | "urn">,
  { rulesetId, ruleId, ref }: RuleState,
): string | undefined {
  const whole = otherManagerOf(session, urn, objectKeys(target, rulesetId), { parts: false });
  if (whole !== undefined) return reasonOf(whole, urn);
  return reasonToKeep(session, ruleKeys(target, rulesetId, [ref, ruleId]), urn);
}

/** Returns the ruleset after the delete; undefined if there is none. */
async function removeRule(
  session: Session,
  desired: Desired,
  recorded: ParsedState,
  before: Ruleset | undefined,
): Promise<Ruleset | undefined> {
  const { rule, conflict } = compareForDelete(recorded, before ?? { rules: [] });
  if (before === undefined || rule === undefined) return before;
  const purpose = { operation: "delete", ruleId: rule.id } as const;
  checkConflict(session, desired, conflict, purpose);
  const op = { kind: "delete", id: rule.id } as const;
  const { overwrote, ruleset } = await writeAndCheck(session, desired, { ...purpose, before, op });
  if (overwrote !== undefined) throw overwrote;
  return ruleset;
}

/** Deletes the rules that a resource once gave up and that nobody took over, unless somebody has changed them since. */
async function removeGivenUp(
  session: Session,
  desired: Desired,
  place: Pick<RulesetDesired, "target" | "urn" | "where">,
  state: RuleState,
  actual: Ruleset,
): Promise<void> {
  const handOvers = await handOversOnDelete(session, place, state);
  reportLeftRules(session, place, handOvers, actual, displayFor(session));
  const versions = new Map(actual.rules.map(({ id, version }) => [id, version]));
  let before = actual;
  for (const { id, version } of handOvers.mine.values()) {
    if (versions.get(id) !== version) continue;
    const op = { kind: "delete", id } as const;
    const { ruleset, overwrote } = await writeAndCheck(session, desired, {
      operation: "delete",
      ruleId: id,
      before,
      op,
    });
    if (overwrote !== undefined) throw overwrote;
    before = ruleset;
  }
}
