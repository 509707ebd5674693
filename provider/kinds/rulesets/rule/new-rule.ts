import type { Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { ruleTakeoverText, type RuleTakeoverGrounds } from "../../../ownership/rule-messages.js";
import { isMovedAmongOthers } from "../../../../core/rules/placing/steps.js";
import { failure, NO_FINDINGS } from "../../../validation/index.js";
import type { PlannedCreation } from "../check/conclude.js";
import { refusalOfNew } from "../check/creation.js";
import type { Inspected } from "../check/existing.js";
import { nothingAt, type Desired } from "../desired.js";
import type { OwnRulesPlan } from "../plan/own-rules.js";
import { planNew, type PlannedJoin } from "../shared/join.js";
import { namesOfRule, newRule, refuseNames } from "../shared/one-rule.js";
import { warnOfDeleters } from "../shared/report.js";
import { ownersOf } from "../run.js";

/** Decides what a new rule does with what exists. */
export function planRule(
  { session, preview }: Pick<Request, "session" | "preview">,
  desired: Desired,
  { isRead, ruleset: existing }: Inspected,
): PlannedCreation {
  const creation = { isRead, existing, adopts: namesOfRule(desired).adopts };
  if (!isRead) return { creation, refused: NO_FINDINGS };
  const ruleset = existing ?? nothingAt(desired.target);
  const named = refuseNames(desired, ruleset.rules);
  if (named !== undefined) return { creation, refused: failure([], named.message) };
  const { resource, wantedIn } = newRule(session, desired);
  const join = planNew(session, wantedIn(ruleset), ruleset, { resource });
  return {
    creation: { ...creation, join },
    refused: refusalOfNew(session, join, []),
    report: () => {
      reportTakeover(session, join, preview);
    },
  };
}

/**
 * Reports what a takeover does. It is a warning if the rule seems to belong to somebody else or, in a preview, if another
 * resource of the program may delete it first.
 */
function reportTakeover(session: Session, { plan, comparison, join }: PlannedJoin, preview: boolean): void {
  const [kept] = join.kept;
  if (kept === undefined) return;
  const { rule } = kept;
  const { urn } = plan.desired;
  if (preview) warnOfDeleters(session, plan, [rule]);
  const grounds =
    kept.grounds === "inherited" ? inheritedFrom(session, plan, comparison.actual, rule) : { kind: kept.grounds };
  const moves = comparison.part.steps.some(isMovedAmongOthers);
  const text = ruleTakeoverText(
    rule,
    comparison.changedFields(plan.desired.rules?.order[0] ?? "", rule, moves),
    grounds,
  );
  if (text === undefined) return;
  if (grounds.kind === "equal") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

function inheritedFrom(
  session: Session,
  { desired }: OwnRulesPlan,
  { id }: Ruleset,
  rule: DeployedRule,
): RuleTakeoverGrounds {
  const owner = ownersOf(session, desired, id).ownerOf(rule);
  if (owner?.declares !== false) return { kind: "leftover" };
  return owner.urn === desired.urn ? { kind: "own" } : { kind: "inherited", urn: owner.urn };
}
