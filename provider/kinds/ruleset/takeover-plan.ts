import { displayFor } from "../../engine/display.js";
import type { Session } from "../../engine/session.js";
import type { RulesetsError } from "../../model/errors.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { decideJoin, type Join } from "../../ownership/join.js";
import { occupiedError, occupiedText } from "../../ownership/ruleset-messages.js";
import type { Takeover } from "../../ownership/takeover.js";
import type { Matches } from "../../rules/match.js";
import { isOwnershipRequested, type Target } from "./desired.js";
import { findExisting, refuseAmbiguousName, type NewResource } from "./find-existing.js";
import { replacedRules } from "./last-desired.js";
import { matchesInJoin, planWholeTakeover } from "./plan/takeover.js";
import { ledgerOf } from "./ledgers.js";
import { findLimitError } from "./removal-limit.js";

/** What a resource that is about to be created does with the ruleset that already exists. */
export interface TakeoverPlan {
  readonly target: Target;
  readonly existing: Ruleset;
  /** Set for a resource that is to own the whole ruleset. */
  readonly takeover?: Takeover;
  /** Set for a resource that shares the ruleset. */
  readonly join?: Join;
  /** Which existing rules the program's rules are. */
  readonly matches: Matches;
  /** Whether the program asks to take it over, rather than it just being equal. */
  readonly requested: boolean;
  /** Why it must not be taken over. */
  readonly refusal?: RulesetsError | undefined;
}

/** Finds what exists where a resource is to be created, and decides whether it may be taken over. */
export async function planTakeover(session: Session, resource: NewResource): Promise<TakeoverPlan | undefined> {
  const existing = await findExisting(session, resource);
  if (existing === undefined) return undefined;
  const { target, wanted, policy } = resource;
  if (policy.ownership === "exclusive") return decideForWhole(session, resource, existing);
  const refusal = await refuseAmbiguousName(session, resource);
  const join = await resolveJoin(session, resource, existing);
  const matches = matchesInJoin(join, wanted);
  return { target, existing, requested: isOwnershipRequested(policy), refusal, join, matches };
}

/** The rules of a shared ruleset that belong to the resource. */
export async function resolveJoin(session: Session, resource: NewResource, existing: Ruleset): Promise<Join> {
  const ledger = await ledgerOf(session, resource, existing.id);
  const idsOf = (belongs: (rule: DeployedRule) => boolean): ReadonlySet<string> =>
    new Set(existing.rules.filter(belongs).map(({ id }) => id));
  return decideJoin(existing, resource.wanted, {
    requested: isOwnershipRequested(resource.policy),
    inherited: idsOf((rule) => ledger.isInherited(rule, resource)),
    unchanged: idsOf((rule) => ledger.isUnchanged(rule)),
    own: idsOf((rule) => ledger.isMine(rule, resource)),
  });
}

function decideForWhole(session: Session, resource: NewResource, existing: Ruleset): TakeoverPlan {
  const { target, where, wanted, policy } = resource;
  const own = replacedRules(session, resource);
  const overwrites = own !== undefined && session.onConflict(policy.onConflict) === "overwrite";
  const whenExisting = policy.onExisting ?? (policy.adopts === undefined ? "fail" : "adopt");
  const mode = overwrites ? "empty" : whenExisting;
  const { matches, takeover, ofOthers } = planWholeTakeover({ existing, wanted, mode, own });
  const plan = { target, existing, takeover, matches, requested: isOwnershipRequested(policy) };
  if (!ofOthers.allowed) {
    const text = occupiedText(where, existing, ofOthers, mode, displayFor(session));
    return { ...plan, refusal: occupiedError(text) };
  }
  const removal = { removed: takeover.dropped, before: existing.rules.length };
  return { ...plan, refusal: findLimitError(session, { where, policy }, { removal, operation: "takeover" }) };
}
