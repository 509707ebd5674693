import { otherClaimant, reasonOf, reasonToKeep } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { pick } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { keptRulesetText } from "../../../ownership/ruleset-messages.js";
import { ruleInWords } from "../../../ownership/rule-messages.js";
import { objectKeys, ruleKeys, type Desired as RulesetDesired } from "../desired.js";
import { ledgerOf, noteDeleted } from "../ledgers.js";
import { findUndone } from "../write/in-force.js";
import { releasedOnDelete, reportReleased, requireApplied, requireReplaced } from "../released.js";
import { compareForDelete } from "./comparison.js";
import type { RuleState } from "./description.js";
import { desiredFrom, rulesetTarget, type Desired } from "./desired.js";
import { recordPredecessor, recordReplacedRule } from "./predecessor.js";
import { parseState } from "./state.js";
import { runOnRuleset } from "./ruleset.js";
import { checkConflict, writeAndCheck } from "./write.js";

/**
 * Deletes a rule, unless another resource of this run still needs it, and the rules that the resource once released. A rule
 * that no longer exists is fine; the ruleset stays.
 */
export async function deleteRule(session: Session, _id: string, state: RuleState): Promise<void> {
  const desired = desiredFrom(state);
  const { target, urn, where } = desired;
  const { ruleId, ref, __kind: kind, __handedOver: released = [] } = state;
  const place = { target: rulesetTarget(target, kind), urn, where };
  await requireApplied(session, place, state, [{ id: ruleId, ref }, ...released]);
  const stay = stayOf(session, desired, place, state);
  if (stay !== undefined) reportStay(session, desired, state, stay);
  if (stay?.all === true || (stay !== undefined && released.length === 0)) return;
  await runOnRuleset(session, target, async (before) => {
    const after = stay === undefined ? await removeOwn(session, desired, place, state, before) : before;
    if (after !== undefined) await removeOrphans(session, desired, place, state, after);
    if (stay === undefined) noteDeleted(session, urn);
  });
  const undone = await findUndone(session, place, state.rulesetId);
  if (undone !== undefined) throw undone;
}

/** Why a rule stays although its resource is deleted. */
interface Stay {
  /** `needed` if the program has it; `reason` says how. */
  readonly kind: "needed" | "requested" | "taken over";
  readonly reason: string;
  /** Whether the rules that the resource released stay too. */
  readonly all: boolean;
}

type Place = Pick<RulesetDesired, "target" | "urn" | "where">;

function stayOf(
  session: Session,
  { policy }: Desired,
  { target, urn }: Place,
  { rulesetId, ruleId, ref, __takenOver }: RuleState,
): Stay | undefined {
  const whole = otherClaimant(session, urn, objectKeys(target, rulesetId), { parts: false });
  if (whole !== undefined) return { kind: "needed", reason: reasonOf(whole, urn), all: true };
  const keys = ruleKeys(target, rulesetId, [ref, ruleId]);
  const reason = reasonToKeep(session, keys, urn);
  const isMoved = otherClaimant(session, urn, keys, { parts: true }) !== undefined;
  if (reason !== undefined) return { kind: "needed", reason, all: !isMoved };
  if (policy.onDelete === "keep") return { kind: "requested", reason: 'onDelete is "keep"', all: true };
  return __takenOver === true ? { kind: "taken over", reason: "", all: false } : undefined;
}

function reportStay(session: Session, desired: Desired, state: RuleState, { kind, reason }: Stay): void {
  const { urn } = desired;
  const where = ruleInWords(state.ref, desired.where);
  if (kind === "needed") {
    recordPredecessor(session, state);
    // With `deleteBeforeReplace`, it is created again after this.
    if (session.checked.has(urn ?? "")) recordReplacedRule(session, urn, state);
  }
  if (kind === "taken over") session.reporter.warn(urn, keptRulesetText(where));
  else session.reporter.info(urn, `${where} was not deleted: ${reason}. No request was sent.`);
}

/** Deletes the resource's own rule, unless another one owns it too. Returns the ruleset after that; undefined if there is none. */
async function removeOwn(
  session: Session,
  desired: Desired,
  place: Place,
  state: RuleState,
  before: Ruleset | undefined,
): Promise<Ruleset | undefined> {
  const { rulesetId, ruleId, ref } = state;
  const { urn } = place;
  const owner = (await ledgerOf(session, place, rulesetId)).otherOwnerOf({ id: ruleId, ref }, { urn });
  if (owner !== undefined) {
    const where = ruleInWords(ref, place.where);
    session.reporter.info(urn, `${where} was not deleted: ${owner} owns it too. No request was sent.`);
    return before;
  }
  if (before === undefined) return undefined;
  await requireReplaced(session, place, state, before, new Set([ruleId]));
  const { rule, conflict } = compareForDelete(parseState(state), before);
  if (rule === undefined) return before;
  const purpose = { operation: "delete", ruleId: rule.id } as const;
  checkConflict(session, desired, conflict, purpose);
  const op = { kind: "delete", id: rule.id } as const;
  const { overwrote, ruleset } = await writeAndCheck(session, desired, { ...purpose, before, op });
  if (overwrote !== undefined) throw overwrote;
  return ruleset;
}

/** Deletes the rules that a resource once released and that nobody took over, unless somebody has changed them since. */
async function removeOrphans(
  session: Session,
  desired: Desired,
  place: Place,
  state: RuleState,
  actual: Ruleset,
): Promise<void> {
  const released = await releasedOnDelete(session, place, state);
  reportReleased(session, place, released, actual, displayFor(session, pick(state, ["__handedOver"])));
  const versions = new Map(actual.rules.map(({ id, version }) => [id, version]));
  let before = actual;
  for (const { id, version } of released.mine.values()) {
    if (id === state.ruleId || versions.get(id) !== version) continue;
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
