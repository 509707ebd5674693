import { isMovedAmongOthers } from "../../../../core/rules/placing/steps.js";
import type { Session } from "../../../engine/session.js";
import type { RulesetsError } from "../../../../core/model/errors.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import { OwnRulesPlan, planJoin, type OwnRulesComparison } from "../plan/own-rules.js";
import { newResourceOf, resolveJoin, type NewResource } from "../takeover.js";
import { findRecreateConflict, movedAway, occupiedRefusal } from "../write/compare.js";

/** What a new resource does in a ruleset that others share. */
export interface PlannedJoin {
  readonly plan: OwnRulesPlan;
  readonly comparison: OwnRulesComparison;
  readonly join: Join;
  /** Why it must not be created again: that would undo what somebody has changed since. */
  readonly undoes: RulesetsError | undefined;
  /** Why it must not do there what it would. */
  readonly refusal: string | undefined;
}

/** What is already known of a new resource. */
interface KnownOfNew {
  /** @default what the program wants */
  readonly resource?: NewResource;
  /** The rules that belong to it. @default they are found out */
  readonly join?: Join | undefined;
}

/** Decides what a new resource does there with the rules that belong to it, also one that is created again. */
export function planNew(
  session: Session,
  desired: Desired,
  actual: Ruleset,
  { resource = newResourceOf(desired), join: known }: KnownOfNew = {},
): PlannedJoin {
  const undoes = findRecreateConflict(session, desired, actual, (before) => {
    const plan = new OwnRulesPlan(before, desired);
    return plan.compareWith(actual, movedAway(session, plan, actual));
  });
  const join = known ?? resolveJoin(session, resource, actual);
  const plan = planJoin(desired, actual, join);
  const comparison = plan.compareWith(actual);
  return { plan, comparison, join, undoes, refusal: refusalOfJoin(session, comparison) };
}

/** Why a new resource must not: like a change; it also must not move an equal rule that may be somebody else's. */
function refusalOfJoin(session: Session, comparison: OwnRulesComparison): string | undefined {
  const { desired, recorded, part, actual } = comparison;
  const equal = new Set(isOwnershipRequested(desired.policy) ? [] : (recorded.state.__takenOver ?? []));
  const moved = part.steps.flatMap((step) => {
    if (step.kind !== "change" || !isMovedAmongOthers(step) || !equal.has(step.ref)) return [];
    const rule = actual.rules.find(({ id }) => id === step.id);
    return rule === undefined ? [] : [comparison.occupant(step.ref, rule)];
  });
  return occupiedRefusal(session, comparison, [...part.occupied, ...moved], true);
}
