import { planUp } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import type { RulesetsError } from "../../../../core/model/errors.js";
import type { Path } from "../../../../core/model/path.js";
import { isWrittenByProgram, takeoverText, type TakeoverGrounds } from "../../../ownership/takeover-messages.js";
import { diffRules } from "../../../../core/rules/diff.js";
import { keyedDeployedRules, NO_RULES } from "../../../../core/rules/keyed.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { nothingAt, type Desired } from "../desired.js";
import { ownersOf, thereFor, unreadThere } from "../run.js";
import { checkPlaced } from "../shared/positions.js";
import { reportJoin, warnOfDeleters } from "../shared/report.js";
import type { TakeoverPlan } from "../takeover.js";
import { planNew, type NewChange } from "../write/new.js";
import type { PlannedCreation } from "./conclude.js";
import type { ExistingCheck } from "./existing.js";
import type { RulesetCheck } from "./inputs.js";

/** Decides what a new resource with a list does with what exists. It must not undo what somebody has changed since. */
export function planCreation(
  { session, preview }: RulesetCheck,
  { isRead, found }: ExistingCheck,
  desired: Desired,
): PlannedCreation {
  const there = isRead ? thereFor(session, desired, found?.existing) : unreadThere(session, desired);
  const planned = planNew(session, desired, there, { join: found?.join });
  return {
    change: planned.change,
    refused: refusalOfNew(session, planned, ["rules"]),
    report: () => {
      if (found === undefined) return;
      const { join } = found;
      if (join === undefined) {
        reportTakeover(session, found, desired);
        return;
      }
      const kept = join.kept.map(({ rule }) => rule);
      if (preview) warnOfDeleters(session, desired, kept);
      reportJoin(session, desired.urn ?? "", planned.change, join);
    },
  };
}

/**
 * Why a new resource must not be created: that would undo what somebody has changed since it was last there, one of its refs is in
 * use, or a position is impossible.
 * @param path of its rules in the arguments
 */
export function refusalOfNew(session: Session, { change, undoes }: NewChange, path: Path): Findings {
  const { desired, there, notes } = change;
  const placed = checkPlaced(session, desired, notes.unplaced, there.deployed ?? nothingAt(desired.target));
  return joinFindings([asFindings(undoes), notes.refusal === undefined ? placed : failure(path, notes.refusal)]);
}

function asFindings(error: RulesetsError | undefined): Findings {
  return error === undefined ? NO_FINDINGS : failure([], error.message);
}

/**
 * Reports what a takeover does, unless there was nothing to take over: which rules it keeps, changes, drops and adds. It is a
 * warning if rules are dropped, if they seem to belong to somebody else, or if another resource would delete them.
 */
function reportTakeover(session: Session, found: TakeoverPlan, { urn, rules }: Desired): void {
  const { existing, takeover } = found;
  if (existing.rules.length === 0 || takeover === undefined) return;
  const grounds = takeoverGroundsOf(session, found);
  const { added, moved } = diffRules(keyedDeployedRules(existing.rules), rules ?? NO_RULES);
  const changes = takeover.changed.length + takeover.dropped.length + moved.length > 0;
  planUp(session, urn, { ruleset: { id: existing.id, changes } });
  const text = takeoverText({ existing, takeover, added, moved, grounds });
  const seemsForeign = grounds.kind === "equal" && isWrittenByProgram(existing);
  if (takeover.dropped.length > 0 || seemsForeign) session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

function takeoverGroundsOf(session: Session, { target, existing, requested }: TakeoverPlan): TakeoverGrounds {
  if (requested) return { kind: "requested" };
  const before = ownersOf(session, { target }, existing.id).previousHolder(existing.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before };
}
