import type { Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { ruleTakeoverText, type RuleTakeoverGrounds } from "../../../ownership/rule-messages.js";
import { isMovedAmongOthers } from "../../../../core/rules/placing/steps.js";
import { failure } from "../../../validation/index.js";
import type { PlannedCreation } from "../check/conclude.js";
import { refusalOfNew } from "../check/creation.js";
import type { Inspected } from "../check/existing.js";
import { namesOfRule, type Desired } from "../desired.js";
import { stepsOf, type There } from "../plan/change.js";
import { changedFieldsOf } from "../plan/identity.js";
import { thereFor, unreadThere } from "../run.js";
import { newRule, refuseNames } from "../shared/one-rule.js";
import { warnOfDeleters } from "../shared/report.js";
import { planNew, type NewChange } from "../write/new.js";

/** Decides what a new rule does with what exists. */
export function planRule(
  { session, preview }: Pick<Request, "session" | "preview">,
  desired: Desired,
  { isRead, ruleset: existing }: Inspected,
): PlannedCreation {
  const { resource, wantedIn } = newRule(session, desired);
  const wanted = existing === undefined ? desired : wantedIn(existing);
  const there = isRead ? thereFor(session, desired, existing) : unreadThere(session, desired);
  const named = isRead ? refuseNames(desired, existing?.rules ?? []) : undefined;
  const planned = planNew(session, wanted, there, { resource });
  return {
    change: planned.change,
    refused: named === undefined ? refusalOfNew(session, planned, []) : failure([], named.message),
    report: () => {
      reportTakeover(session, planned, preview);
    },
  };
}

/**
 * Reports what a takeover does. It is a warning if the rule seems to belong to somebody else or, in a preview, if another
 * resource of the program may delete it first.
 */
function reportTakeover(session: Session, { change, join }: NewChange, preview: boolean): void {
  const kept = join?.kept[0];
  if (kept === undefined) return;
  const { rule } = kept;
  const { desired, there } = change;
  const { urn } = desired;
  if (preview) warnOfDeleters(session, desired, [rule]);
  const grounds = kept.grounds === "inherited" ? inheritedFrom(there, desired, rule) : { kind: kept.grounds };
  const moves = stepsOf(change).some(isMovedAmongOthers);
  const text = ruleTakeoverText(rule, changedFieldsOf(desired, namesOfRule(desired).ref, rule, moves), grounds);
  if (text === undefined) return;
  if (grounds.kind === "equal") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

function inheritedFrom({ owners }: There, desired: Desired, rule: DeployedRule): RuleTakeoverGrounds {
  const owner = owners.ownerOf(rule);
  if (owner?.declares !== false) return { kind: "leftover" };
  return owner.urn === desired.urn ? { kind: "own" } : { kind: "inherited", urn: owner.urn };
}
