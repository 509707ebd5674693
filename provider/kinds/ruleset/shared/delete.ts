import { hasClaimedParts, reasonOf, reasonToKeep } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { currentOf, findConflict, isConflict, ownConflict } from "../../../ownership/conflict.js";
import { conflictError, conflictText, overwriteText } from "../../../ownership/ruleset-messages.js";
import { keptForOthersText, keptRulesText } from "../../../ownership/shared-messages.js";
import { NO_RULES } from "../../../rules/keyed.js";
import type { RulesetState } from "../description.js";
import { desiredFrom, objectKeys, ruleKeys, type Desired } from "../desired.js";
import { takenOverIn, withAbandoned, withUnconfirmedAdditions, withoutRules } from "../plan/shared.js";
import type { Step } from "../plan/steps.js";
import { shouldKeepRuleset } from "../keep-ruleset.js";
import { currentRuleset } from "../read.js";
import { requireWithinLimit } from "../removal-limit.js";
import { runInTurn } from "../rule-writes.js";
import { parseState, type ParsedState } from "../state.js";
import { noteDeleted, otherOwnerInStack } from "../rule-owners.js";
import { otherOwnerOf } from "./claims.js";
import { abandonedRules, requireTakenOver } from "./hand-over.js";
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
  if (shouldKeepRuleset(session, desired, state, keeper)) {
    if (isDeletedFirst(session, desired, state)) session.part(deletedFirst).add(urn ?? "");
    return;
  }
  await runInTurn(session, target.scope, state.rulesetId, async () => {
    await deleteRules(session, id, desired, state);
    noteDeleted(session, urn);
  });
}

async function deleteRules(session: Session, id: string, desired: Desired, state: RulesetState): Promise<void> {
  const { target, urn } = desired;
  const before = parseState(state);
  const { mine: abandoned } = await abandonedRules(session, desired, state);
  if (Object.keys(before.ruleIds).length + abandoned.size === 0 && state.__incomplete !== true) return;
  session.reads.forget(target.scope, target.phase, state.rulesetId);
  const actual = await currentRuleset(session, id, state);
  if (actual === undefined) return;
  await requireTakenOver(session, desired, state, actual);
  const known = state.__incomplete === true ? withUnconfirmedAdditions(before, actual) : before;
  const recorded = withAbandoned(known, abandoned, NO_RULES, actual);
  const steps = await deletionsOf(session, desired, recorded, actual);
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
}

/**
 * Why the rules must stay: another resource of this run owns the whole ruleset now, or this one is created again over
 * its own rules.
 */
function wholeKeeper(session: Session, { target, urn }: Desired, { rulesetId }: RulesetState): string | undefined {
  const keys = objectKeys(target, rulesetId);
  const whole = reasonToKeep(session, keys, urn, { parts: false });
  if (whole !== undefined) return whole;
  const own = urn ?? "";
  return isDeletedFirst(session, { target, urn }, { rulesetId }) ? reasonOf(own, own) : undefined;
}

/** Whether a resource is deleted before this run creates it again: the create then takes over its rules. */
function isDeletedFirst(
  session: Session,
  { target, urn = "" }: Pick<Desired, "target" | "urn">,
  { rulesetId }: Pick<RulesetState, "rulesetId">,
): boolean {
  return hasClaimedParts(session, urn, objectKeys(target, rulesetId)) && !session.part(createdResources).has(urn);
}

/** URNs of the resources whose rules a delete left for the create that follows in this run. */
export const deletedFirst = (): Set<string> => new Set();

/** URNs of the resources that this run has created in shared rulesets. */
export const createdResources = (): Set<string> => new Set();

async function deletionsOf(
  session: Session,
  desired: Desired,
  recorded: ParsedState,
  actual: Ruleset,
): Promise<Step[]> {
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
  const mine = { id: actual.id, rules: own.map(({ rule }) => rule) };
  const kept = new Set((await ownedElsewhere(session, desired, recorded, mine)).map(({ id }) => id));
  const left = own.filter(({ ref }) => taken.has(ref)).map(({ rule }) => rule);
  if (left.length > 0) session.reporter.warn(urn, keptRulesText(where, left, displayFor(session, recorded.state)));
  return own
    .flatMap(({ ref, rule }) =>
      taken.has(ref) || kept.has(rule.id) ? [] : [{ kind: "delete" as const, ref, id: rule.id }],
    )
    .reverse();
}

/** The rules that other resources of the stack own too, and that therefore stay. Reports them. */
export async function ownedElsewhere(
  session: Session,
  { urn, where }: Pick<Desired, "urn" | "where">,
  { state }: Pick<ParsedState, "state">,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
): Promise<readonly DeployedRule[]> {
  const kept = await Promise.all(
    rules.map(async (rule) => {
      const owner = await otherOwnerInStack(session, { rulesetId, urn }, rule.id);
      return owner === undefined ? [] : [{ rule, to: owner }];
    }),
  );
  const found = kept.flat();
  if (found.length > 0) session.reporter.info(urn, `${where}: ${keptForOthersText(found, displayFor(session, state))}`);
  return found.map(({ rule }) => rule);
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
