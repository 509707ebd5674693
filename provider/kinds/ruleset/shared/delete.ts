import { hasClaimedParts, stillNeeded } from "../../../engine/claims.js";
import { shownTo } from "../../../engine/shown.js";
import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { currentOf, findConflict, isConflict, ownConflict } from "../../../ownership/conflict.js";
import { conflictError, conflictText, overwriteText } from "../../../ownership/messages.js";
import { leftText } from "../../../ownership/shared-words.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { RulesetState } from "../description.js";
import { desiredFrom, objectKeys, ruleKeys, type Desired } from "../desired.js";
import { takenOverIn, withLostAdditions } from "../plan/shared.js";
import type { Step } from "../plan/steps.js";
import { keepsRuleset } from "../stays.js";
import { currentRuleset } from "../read.js";
import { requireWithinLimit } from "../removal-limit.js";
import { inTurn } from "../rule-writes.js";
import { seenIn, type Seen } from "../state.js";
import { isClaimedElsewhere } from "./claims.js";
import { writeSteps } from "./write-steps.js";

/**
 * Deletes the rules that a resource owns in a shared ruleset, from the bottom up, so that no exception is deleted
 * before the rule that it applies to. The ruleset and all other rules stay, and so does a rule that another resource of
 * the program has taken over.
 */
export async function deleteShared(session: Session, id: string, state: RulesetState): Promise<void> {
  const desired = desiredFrom(state);
  const { target, urn } = desired;
  const keeper = wholeKeeper(session, desired, state);
  if (keepsRuleset(session, desired, state, keeper)) return;
  const before = seenIn(state);
  if (Object.keys(before.ruleIds).length === 0 && state.__incomplete !== true) return;
  await inTurn(session, target.scope, state.rulesetId, async () => {
    session.reads.forget(target.scope, target.phase, state.rulesetId);
    const actual = await currentRuleset(session, id, state);
    if (actual === undefined) return;
    const seen = state.__incomplete === true ? withLostAdditions(before, actual) : before;
    const steps = deletionsOf(session, desired, seen, actual);
    if (steps.length === 0) return;
    refuseConflict(session, desired, seen, actual);
    // A resource that this run has checked is being replaced: its removal was checked before anything was written.
    if (!session.checked.has(urn ?? "")) {
      const gone = new Set(steps.map((step) => step.kind === "delete" && step.id));
      const removal = { removed: actual.rules.filter((rule) => gone.has(rule.id)), before: actual.rules.length };
      requireWithinLimit(session, desired, { removal, doing: "delete", state });
    }
    const progress = await writeSteps(session, { desired, actual, ids: new Map(), steps, doing: "delete", state });
    if (progress.error !== undefined) throw progress.error;
    if (progress.overwrote.length > 0) throw conflictError(progress.overwrote.join("\n"));
  });
}

/**
 * Why the rules must stay: another resource of this run owns the whole ruleset now, or this one is created again over
 * its own rules.
 */
function wholeKeeper(session: Session, { target, urn }: Desired, { rulesetId }: RulesetState): string | undefined {
  const keys = objectKeys(target, rulesetId);
  const whole = keys.map((key) => session.owners.claimantOf(key, urn)).find((holder) => holder !== undefined);
  if (whole !== undefined) return whole === urn ? "this run creates it again" : `${whole} manages it now`;
  // It is deleted before it is created again, and the create then takes over its rules.
  return hasClaimedParts(session, urn ?? "", keys) && !session.part(created).has(urn ?? "")
    ? "this run creates it again"
    : undefined;
}

/** URNs of the resources that this run has created in shared rulesets. */
export const created = (): Set<string> => new Set();

function deletionsOf(session: Session, desired: Desired, seen: Seen, actual: Ruleset): Step[] {
  const { target, urn, where } = desired;
  const taken = takenOverIn(seen);
  const refOf = new Map(Object.entries(seen.ruleIds).map(([ref, each]) => [each, ref]));
  const own = actual.rules.flatMap((rule) => {
    const ref = refOf.get(rule.id);
    const isNeeded =
      stillNeeded(session, ruleKeys(target, actual.id, [rule.id]), urn) !== undefined ||
      isClaimedElsewhere(session, desired, actual.id, rule);
    return ref === undefined || isNeeded ? [] : [{ ref, rule }];
  });
  const left = own.filter(({ ref }) => taken.has(ref)).map(({ rule }) => rule);
  if (left.length > 0) session.reporter.warn(urn, leftText(where, left, shownTo(session, seen.state)));
  return own
    .flatMap(({ ref, rule }) => (taken.has(ref) ? [] : [{ kind: "delete" as const, ref, id: rule.id }]))
    .reverse();
}

function refuseConflict(session: Session, { where, policy, urn }: Desired, seen: Seen, actual: Ruleset): void {
  const conflict = ownConflict(findConflict(seen, currentOf(actual), { ...NO_RULES, description: seen.description }));
  if (!isConflict(conflict)) return;
  const shown = shownTo(session, seen.state);
  if (session.onConflict(policy.onConflict) === "fail")
    throw conflictError(conflictText(where, actual.version, conflict, "delete", shown));
  session.reporter.warn(urn, overwriteText(where, actual.version, conflict, "delete", shown));
}
