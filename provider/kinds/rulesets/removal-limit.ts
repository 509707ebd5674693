import { otherClaimant } from "../../engine/claims.js";
import { displayFor, type SecretPlaces } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../model/errors.js";
import {
  findRemoved,
  isWithinLimit,
  removalError,
  withoutReleased,
  type Removal,
  type RemovingOperation,
} from "../../ownership/removal.js";
import { desiredFrom, objectKeys, type Desired } from "./desired.js";
import type { Comparison, Plan } from "./plan/plan.js";
import { programLedger } from "./ledgers.js";
import { contentFrom } from "./plan/content.js";
import { OwnRulesComparison, OwnRulesPlan } from "./plan/own-rules.js";

/** Something that removes rules from a ruleset. */
interface RuleRemoval {
  readonly removal: Removal;
  readonly operation: RemovingOperation;
  /** Where the existing rules contain secrets. */
  readonly state?: SecretPlaces;
}

/** A ruleset, as messages name it, and how much of it a run may remove. */
interface Limited {
  readonly where: string;
  readonly words?: Pick<Desired["words"], "declaredIn">;
  readonly policy: Pick<Desired["policy"], "maxRemovedPercent" | "ownership">;
}

/** The error if more rules would be removed than one run may remove; otherwise undefined. */
export function findLimitError(
  session: Session,
  { where, words, policy }: Limited,
  { removal, operation, state }: RuleRemoval,
): RulesetsError | undefined {
  const limit = session.maxRemovedPercent(policy.maxRemovedPercent);
  // Removing a resource that is one rule asks for nothing else.
  if (words?.declaredIn === "arguments") return undefined;
  if (limit === undefined || isWithinLimit(removal, limit)) return undefined;
  const exceeded = { maxPercent: limit, operation, shared: policy.ownership === "shared" };
  return removalError(where, removal, exceeded, displayFor(session, state));
}

/** Stops before more rules are removed than one run may remove. */
export function requireWithinLimit(...args: Parameters<typeof findLimitError>): void {
  const error = findLimitError(...args);
  if (error !== undefined) throw error;
}

/**
 * The rules that a plan removes. What another resource of this run claims in a shared ruleset is not removed: no write of
 * this run deletes it. A rule that another resource claims later still counts.
 */
export function removalOf(session: Session, plan: Plan, comparison: Comparison | undefined): Removal {
  const removal = plan.removal(comparison);
  if (!(plan instanceof OwnRulesPlan)) return removal;
  const rulesetId = comparison?.actual.id ?? plan.recorded.state.rulesetId;
  const owners = programLedger(session, plan.desired, rulesetId);
  const movedAway = comparison instanceof OwnRulesComparison ? comparison.movedAway : undefined;
  return withoutReleased(removal, (rule) => owners.otherOwnerOf(rule, plan.desired) ?? movedAway?.get(rule.id));
}

/**
 * Stops a replacement whose final delete would remove too many rules. The delete itself does not check this again,
 * because the run has already checked the resource here.
 */
export function requireReplaceable(session: Session, { recorded, desired }: Plan): void {
  const { state, declared, lastRuleset, ruleIds } = recorded;
  const before = desiredFrom(state, declared);
  const { target, where, policy, urn } = before;
  if (policy.onDelete === "keep" || state.__takenOver === true) return;
  const shared = state.ownership === "shared";
  // The delete leaves the ruleset to a resource that owns the whole of it.
  if (otherClaimant(session, urn, objectKeys(target, state.rulesetId), { parts: false }) !== undefined) return;
  const existing = lastRuleset.rules;
  const { scope, phase } = desired.target;
  const stays = scope.level === target.scope.level && scope.id === target.scope.id && phase === target.phase;
  const mine = new Set(Object.values(ruleIds));
  const others = shared ? existing.filter(({ id }) => !mine.has(id)) : [];
  const after = [...(stays ? contentFrom(desired, "").rules : []), ...others];
  const owners = programLedger(session, before, state.rulesetId);
  const removal = withoutReleased(findRemoved(existing, after), (rule) => owners.otherOwnerOf(rule, before));
  requireWithinLimit(session, { where, policy: desired.policy }, { removal, operation: "replacement", state });
}
