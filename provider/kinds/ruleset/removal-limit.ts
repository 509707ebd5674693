import { displayFor, type SecretPlaces } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../model/errors.js";
import {
  findRemoved,
  isWithinLimit,
  removalError,
  type Removal,
  type RemovingOperation,
} from "../../ownership/removal.js";
import { desiredFrom, type Desired } from "./desired.js";
import type { RulesetState } from "./description.js";
import { contentFrom } from "./plan/content.js";
import { parseState } from "./state.js";

/** Something that removes rules from a ruleset. */
interface RuleRemoval {
  readonly removal: Removal;
  readonly operation: RemovingOperation;
  /** Where the existing rules contain secrets. */
  readonly state?: SecretPlaces;
}

/** The error if more rules would be removed than one run may remove; otherwise undefined. */
export function findLimitError(
  session: Session,
  { where, policy }: { readonly where: string; readonly policy: Pick<Desired["policy"], "maxRemovedPercent"> },
  { removal, operation, state }: RuleRemoval,
): RulesetsError | undefined {
  const limit = session.maxRemovedPercent(policy.maxRemovedPercent);
  if (limit === undefined || isWithinLimit(removal, limit)) return undefined;
  return removalError(where, removal, limit, operation, displayFor(session, state));
}

/** Stops before more rules are removed than one run may remove. */
export function requireWithinLimit(...args: Parameters<typeof findLimitError>): void {
  const error = findLimitError(...args);
  if (error !== undefined) throw error;
}

/**
 * Stops a replacement whose final delete would remove too many rules. The delete itself does not check this again,
 * because the run has already checked the resource here.
 */
export function requireReplaceable(session: Session, state: RulesetState, desired: Desired): void {
  const { target, where, policy } = desiredFrom(state);
  if (policy.onDelete === "keep" || state.__takenOver === true) return;
  const { lastRuleset, ruleIds } = parseState(state);
  const existing = lastRuleset.rules;
  const { scope, phase } = desired.target;
  const stays = scope.level === target.scope.level && scope.id === target.scope.id && phase === target.phase;
  const mine = new Set(Object.values(ruleIds));
  const others = state.ownership === "shared" ? existing.filter(({ id }) => !mine.has(id)) : [];
  const after = [...(stays ? contentFrom(desired, "").rules : []), ...others];
  const removal = findRemoved(existing, after);
  requireWithinLimit(session, { where, policy: desired.policy }, { removal, operation: "replacement", state });
}
