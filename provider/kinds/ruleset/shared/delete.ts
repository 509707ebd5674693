import { hasClaimedParts, reasonOf, reasonToKeep } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { currentOf, findConflict, isConflict, ownConflict } from "../../../ownership/conflict.js";
import { conflictError, conflictText, overwriteText } from "../../../ownership/ruleset-messages.js";
import { keptRulesText } from "../../../ownership/shared-messages.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { RulesetState } from "../description.js";
import { desiredFrom, objectKeys, ruleKeys, type Desired } from "../desired.js";
import { takenOverIn, withUnconfirmedAdditions, withoutRules } from "../plan/shared.js";
import type { Step } from "../plan/steps.js";
import { shouldKeepRuleset } from "../keep-ruleset.js";
import { currentRuleset } from "../read.js";
import { requireWithinLimit } from "../removal-limit.js";
import { runInTurn } from "../rule-writes.js";
import { parseState, type ParsedState } from "../state.js";
import { otherOwnerOf } from "./claims.js";
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
  if (shouldKeepRuleset(session, desired, state, keeper)) return;
  const before = parseState(state);
  if (Object.keys(before.ruleIds).length === 0 && state.__incomplete !== true) return;
  await runInTurn(session, target.scope, state.rulesetId, async () => {
    session.reads.forget(target.scope, target.phase, state.rulesetId);
    const actual = await currentRuleset(session, id, state);
    if (actual === undefined) return;
    const recorded = state.__incomplete === true ? withUnconfirmedAdditions(before, actual) : before;
    const steps = deletionsOf(session, desired, recorded, actual);
    if (steps.length === 0) return;
    const deleted = new Set(steps.map(({ ref }) => recorded.ruleIds[ref] ?? ""));
    const others = Object.values(recorded.ruleIds).filter((each) => !deleted.has(each));
    // A rule that stays may have been changed in this run, by the resource that has it now.
    refuseConflict(session, desired, withoutRules(recorded, new Set(others)), actual);
    // A resource that this run has checked is being replaced: its removal was checked before anything was written.
    if (!session.checked.has(urn ?? "")) {
      const gone = new Set(steps.map((step) => step.kind === "delete" && step.id));
      const removal = { removed: actual.rules.filter((rule) => gone.has(rule.id)), before: actual.rules.length };
      requireWithinLimit(session, desired, { removal, operation: "delete", state });
    }
    const progress = await writeSteps(session, { desired, actual, ids: new Map(), steps, operation: "delete", state });
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
  const whole = reasonToKeep(session, keys, urn, { parts: false });
  if (whole !== undefined) return whole;
  // It is deleted before it is created again, and the create then takes over its rules.
  const own = urn ?? "";
  const isRecreated = hasClaimedParts(session, own, keys) && !session.part(createdResources).has(own);
  return isRecreated ? reasonOf(own, own) : undefined;
}

/** URNs of the resources that this run has created in shared rulesets. */
export const createdResources = (): Set<string> => new Set();

function deletionsOf(session: Session, desired: Desired, recorded: ParsedState, actual: Ruleset): Step[] {
  const { target, urn, where } = desired;
  const taken = takenOverIn(recorded);
  const refOf = new Map(Object.entries(recorded.ruleIds).map(([ref, each]) => [each, ref]));
  const own = actual.rules.flatMap((rule) => {
    const ref = refOf.get(rule.id);
    const isNeeded =
      reasonToKeep(session, ruleKeys(target, actual.id, [rule.id]), urn) !== undefined ||
      otherOwnerOf(session, desired, actual.id, rule) !== undefined;
    return ref === undefined || isNeeded ? [] : [{ ref, rule }];
  });
  const left = own.filter(({ ref }) => taken.has(ref)).map(({ rule }) => rule);
  if (left.length > 0) session.reporter.warn(urn, keptRulesText(where, left, displayFor(session, recorded.state)));
  return own
    .flatMap(({ ref, rule }) => (taken.has(ref) ? [] : [{ kind: "delete" as const, ref, id: rule.id }]))
    .reverse();
}

function refuseConflict(
  session: Session,
  { where, policy, urn }: Desired,
  recorded: ParsedState,
  actual: Ruleset,
): void {
  const conflict = ownConflict(
    findConflict(recorded, currentOf(actual), { ...NO_RULES, description: recorded.description }),
  );
  if (!isConflict(conflict)) return;
  const display = displayFor(session, recorded.state);
  if (session.onConflict(policy.onConflict) === "fail")
    throw conflictError(conflictText(where, actual.version, conflict, "delete", display));
  session.reporter.warn(urn, overwriteText(where, actual.version, conflict, "delete", display));
}
