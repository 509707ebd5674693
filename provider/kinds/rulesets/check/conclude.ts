import { NOT_KNOWN, type Pending } from "../../../../core/model/unknown.js";
import { diffRules } from "../../../../core/rules/diff.js";
import { keyedDeployedRules, NO_RULES } from "../../../../core/rules/keyed.js";
import type { Checked } from "../../../engine/kind.js";
import { planUp } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import { isWrittenByProgram, type TakeoverGrounds, takeoverText } from "../../../ownership/takeover-messages.js";
import { failure, type Findings, hasErrors } from "../../../validation/index.js";
import type { RULESET, RulesetInputs } from "../description.js";
import { type Desired, desiredFrom } from "../desired.js";
import { acceptRules, type CheckedResource, type DeclaredRules, judgeRules, type Judges } from "../judge.js";
import { type NewChange, planNew, type TakeoverPlan } from "../new-resource.js";
import type { Change } from "../plan/change.js";
import { previewOfNew, reportJoin, warnOfDeleters } from "../plan/preview.js";
import { runRecord, type There, thereFor, unreadThere } from "../run.js";
import { checkPlaced, judgeForeignChanges } from "../write/stops.js";
import type { ExistingCheck, RulesetCheck } from "./inputs.js";

/** What a new resource would do with what exists. */
export interface PlannedCreation {
  readonly change: Change;
  /** Why it must not. */
  readonly refused: Findings;
  /** Reports what it takes over or joins. */
  readonly report?: () => void | Promise<void>;
}

/** The rules that a program gives a resource, with their refs. */
export interface MatchedRules {
  /** The inputs that the engine keeps. */
  readonly inputs: Pending<RulesetInputs>;
  readonly findings: Findings;
  /** What judges look at; undefined where no rules are given, or none that are known. */
  readonly declared?: DeclaredRules;
  /** Plans a new resource; undefined where nothing is created. */
  readonly plan?: (desired: Desired) => PlannedCreation | Promise<PlannedCreation>;
  /** Reports what is no fault. Called if nothing is refused. */
  readonly report?: () => void;
}

/**
 * The end of every check of rules: judges look at them, what a new resource would do is planned and published, and judges look at
 * what comes of it.
 */
export async function concludeCheck(
  checking: RulesetCheck,
  { inputs, findings, declared, plan, report }: MatchedRules,
  judges: Judges,
): Promise<Checked<typeof RULESET>> {
  const { session, urn, preview, last } = checking;
  let parsed: Desired | undefined;
  // Most resources do not change, and nobody looks at them.
  const desired = (): Desired => (parsed ??= { ...desiredFrom(inputs), urn });
  const judged = declared === undefined ? [] : await judgeRules(judges, declared);
  const planned = hasErrors(findings) ? undefined : await plan?.(desired());
  let found = [findings, judged, planned?.refused ?? []].flat();
  if (hasErrors(found)) return { inputs, findings: found };
  if (declared !== undefined) await acceptRules(judges, declared);
  report?.();
  await planned?.report?.();
  const change = planned?.change;
  if (change !== undefined && preview) planUp(session, urn, previewOfNew(change, runRecord(session).dropped));
  const resource: CheckedResource = {
    request: checking,
    // As far as they are known; they need not be parsed.
    fields: inputs.rules === NOT_KNOWN ? [] : Object.values(inputs.rules),
    change,
    get desired() {
      return desired();
    },
    last,
  };
  for (const { checked } of judges)
    if (checked !== undefined && !hasErrors(found)) found = [found, await checked(resource)].flat();
  return { inputs, findings: found };
}

/** Decides what a new resource does with what exists. It must not undo what somebody has changed since. */
export function planCreation(
  { session, preview }: RulesetCheck,
  { isRead, found }: ExistingCheck,
  desired: Desired,
): PlannedCreation {
  const there = isRead ? thereFor(session, desired, found?.deployed) : unreadThere(session, desired);
  const planned = planNew(desired, there, found?.join);
  return {
    change: planned.change,
    refused: refusalOfNew(session, planned),
    report: () => {
      if (found === undefined) return;
      const { join } = found;
      if (join === undefined) {
        reportTakeover(session, found, planned.change);
        return;
      }
      const kept = join.kept.map(({ rule }) => rule);
      if (preview) warnOfDeleters(session, desired, kept);
      reportJoin(session, planned.change, join);
    },
  };
}

/**
 * Why a new resource must not be created: that would undo what somebody has changed since it was last there, one of its refs is in
 * use, or a position is impossible.
 */
function refusalOfNew(session: Session, { change, undoes }: NewChange): Findings {
  const { desired, notes } = change;
  const error = judgeForeignChanges(session, desired, undoes);
  const path = desired.reach.argumentPath(["rules"]);
  return [
    error === undefined ? [] : failure([], error.message),
    notes.refusal === undefined ? checkPlaced(change) : failure(path, notes.refusal),
  ].flat();
}

/**
 * Reports what a takeover does, unless there was nothing to take over: which rules it keeps, changes, drops and adds. It is a
 * warning if rules are dropped, if they seem to belong to somebody else, or if another resource would delete them.
 */
function reportTakeover(session: Session, found: TakeoverPlan, { desired, there }: Change): void {
  const { urn, rules } = desired;
  const { deployed, takeover } = found;
  if (deployed.rules.length === 0 || takeover === undefined) return;
  const grounds = takeoverGroundsOf(found, there);
  const { added, moved } = diffRules(keyedDeployedRules(deployed.rules), rules ?? NO_RULES);
  const changes = takeover.changed.length + takeover.dropped.length + moved.length > 0;
  planUp(session, urn, { ruleset: { id: deployed.id, changes } });
  const text = takeoverText({ deployed, takeover, added, moved, grounds });
  const seemsForeign = grounds.kind === "equal" && isWrittenByProgram(deployed);
  if (takeover.dropped.length > 0 || seemsForeign) session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

function takeoverGroundsOf({ deployed, requested }: TakeoverPlan, { owners }: There): TakeoverGrounds {
  if (requested) return { kind: "requested" };
  const before = owners.previousHolder(deployed.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before };
}
