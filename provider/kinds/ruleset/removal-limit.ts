import { shownTo, type SecretPlaces } from "../../engine/shown.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../model/errors.js";
import { findRemoved, isWithinLimit, removalError, type Removal, type Removing } from "../../ownership/removal.js";
import { desiredFrom, type Desired } from "./desired.js";
import type { RulesetState } from "./description.js";
import { contentFrom } from "./plan/content.js";
import { seenIn } from "./state.js";

/** Something that removes rules from a ruleset. */
interface RuleRemoval {
  readonly removal: Removal;
  readonly doing: Removing;
  /** Where the existing rules contain secrets. */
  readonly state?: SecretPlaces;
}

/** The error if more rules would be removed than one run may remove; otherwise undefined. */
export function overLimit(
  session: Session,
  { where, policy }: { readonly where: string; readonly policy: Pick<Desired["policy"], "maxRemovedPercent"> },
  { removal, doing, state }: RuleRemoval,
): RulesetsError | undefined {
  const limit = session.maxRemovedPercent(policy.maxRemovedPercent);
  if (limit === undefined || isWithinLimit(removal, limit)) return undefined;
  return removalError(where, removal, limit, doing, shownTo(session, state));
}

/** Stops before more rules are removed than one run may remove. */
export function requireWithinLimit(...args: Parameters<typeof overLimit>): void {
  const error = overLimit(...args);
  if (error !== undefined) throw error;
}

/**
 * Stops a replacement whose final delete would remove too many rules. The delete itself does not check this again,
 * because the run has already checked the resource here.
 */
export function requireReplaceable(session: Session, state: RulesetState, desired: Desired): void {
  const { target, where, policy } = desiredFrom(state);
  if (policy.onDelete === "keep" || state.__takenOver === true) return;
  const { standing, ruleIds } = seenIn(state);
  const there = standing.rules;
  const { scope, phase } = desired.target;
  const stays = scope.level === target.scope.level && scope.id === target.scope.id && phase === target.phase;
  const mine = new Set(Object.values(ruleIds));
  const others = state.ownership === "shared" ? there.filter(({ id }) => !mine.has(id)) : [];
  const after = [...(stays ? contentFrom(desired, "").rules : []), ...others];
  const removal = findRemoved(there, after);
  requireWithinLimit(session, { where, policy: desired.policy }, { removal, doing: "replacement", state });
}
