import { displayFor, type SecretPlaces } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../../core/model/errors.js";
import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import {
  findRemoved,
  isWithinLimit,
  removalError,
  type Removal,
  type RemovingOperation,
} from "../../ownership/removal.js";
import { desiredFrom, type Desired } from "./desired.js";
import { ownersOf } from "./run.js";
import { contentFrom } from "./plan/content.js";
import type { ParsedState } from "./state.js";

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
  readonly words: Pick<Desired["words"], "manages">;
  readonly policy: Pick<Desired["policy"], "maxRemovedPercent">;
}

/** The error if more rules would be removed than one run may remove; otherwise undefined. */
export function findLimitError(
  session: Session,
  { where, words, policy }: Limited,
  { removal, operation, state }: RuleRemoval,
): RulesetsError | undefined {
  const limit = session.maxRemovedPercent(policy.maxRemovedPercent);
  // Removing a resource that is one rule asks for nothing else.
  if (words.manages === "rule") return undefined;
  if (limit === undefined || isWithinLimit(removal, limit)) return undefined;
  const exceeded = { maxPercent: limit, operation, shared: words.manages === "rules" };
  return removalError(where, removal, exceeded, displayFor(session, state));
}

/** Stops before more rules are removed than one run may remove. */
export function requireWithinLimit(...args: Parameters<typeof findLimitError>): void {
  const error = findLimitError(...args);
  if (error !== undefined) throw error;
}

/**
 * The same for a delete. A resource that this run has checked is being replaced: its removal was checked before anything was
 * written.
 */
export function requireDeleteWithinLimit(
  session: Session,
  desired: Desired,
  state: SecretPlaces,
  removed: readonly DeployedRule[],
  { rules }: Pick<Ruleset, "rules">,
): void {
  if (session.checked.has(desired.urn ?? "")) return;
  requireWithinLimit(session, desired, { removal: { removed, before: rules.length }, operation: "delete", state });
}

/**
 * Stops a replacement whose final delete would remove too many rules. The delete itself does not check this again,
 * because the run has already checked the resource here.
 */
export function requireReplaceable(session: Session, recorded: ParsedState, desired: Desired): void {
  const { state, declared, lastRuleset, ruleIds } = recorded;
  const before = desiredFrom(state, declared);
  const { target, where, words, policy } = before;
  if (policy.onDelete === "keep" || (words.manages === "ruleset" && state.__takenOver !== undefined)) return;
  // The delete leaves the ruleset to a resource that owns the whole of it.
  const owners = ownersOf(session, before, state.rulesetId);
  if (owners.otherHolder() !== undefined) return;
  const existing = lastRuleset.rules;
  const { scope, phase } = desired.target;
  const stays = scope.level === target.scope.level && scope.id === target.scope.id && phase === target.phase;
  const mine = new Set(Object.values(ruleIds));
  const others = words.manages === "rules" ? existing.filter(({ id }) => !mine.has(id)) : [];
  const after = [...(stays ? contentFrom(desired, "").rules : []), ...others];
  const removal = owners.withoutReleased(findRemoved(existing, after));
  requireWithinLimit(session, { where, words, policy: desired.policy }, { removal, operation: "replacement", state });
}
