import { hasChanged } from "../../engine/inputs.js";
import type { Change } from "../../engine/lifecycle.js";
import { planUp } from "../../engine/published-plans.js";
import { unavailableCheck } from "../../engine/request.js";
import type { CheckRecord, Session } from "../../engine/session.js";
import { displayFor } from "../../engine/display.js";
import { NOT_KNOWN, type Pending } from "../../../core/model/unknown.js";
import { isConflict } from "../../ownership/conflict.js";
import { occupiedError, recognisedText } from "../../ownership/ruleset-messages.js";
import { releasedText, type Removal } from "../../ownership/removal.js";
import type { RulesDiff } from "../../../core/rules/diff.js";
import { removalWarning, summaryLine } from "../../../core/rules/summary.js";
import { RULESET, type RulesetInputs, type RulesetState } from "./description.js";
import { policyOf } from "./desired.js";
import { ownValue } from "../../../core/model/json.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import type { Judges } from "./judge.js";
import type { Comparison, Plan } from "./plan/plan.js";
import { conflictOfOthers, requireNothingUndone } from "./write/compare.js";
import { planFor, type Strategy } from "./plans.js";
import { currentRuleset } from "./read.js";
import { requireReplaceable, requireWithinLimit } from "./removal-limit.js";
import { runRecord } from "./run.js";
import { requireNotDeleted, warnOfDeleters } from "./shared/report.js";
import { plannedCreate } from "./write/planned-requests.js";

/** What a kind of resource says about a change. */
interface OfKind {
  /** Names of inputs that replace the resource. */
  readonly replaces: readonly string[];
  readonly judges: Judges;
}

/**
 * Decides what must happen to a ruleset, and in a preview or an `up` also reports it: what it plans, a note about rules of
 * others, and an error if the change would undo somebody's work. In a refresh, where no `check` ran, it is pure and offline.
 */
export type Decide = (
  session: Session,
  id: string,
  olds: RulesetState,
  news: Pending<RulesetInputs>,
  kind: OfKind,
) => Promise<Change>;

export function decideBy<P extends Plan, C extends Comparison>(strategy: Strategy<P, C>): Decide {
  return (session, id, olds, news, kind) =>
    decideChange({ strategy, session, id, plan: planFor(strategy.planOf, olds, news) }, olds, news, kind);
}

/** A change of a resource. */
interface Changing<P extends Plan, C extends Comparison> {
  readonly strategy: Strategy<P, C>;
  readonly session: Session;
  /** The resource's ID in the engine. */
  readonly id: string;
  readonly plan: P;
}

/** Decides and reports a change by the plan for it. */
async function decideChange<P extends Plan, C extends Comparison>(
  changing: Changing<P, C>,
  olds: RulesetState,
  news: Pending<RulesetInputs>,
  { replaces, judges }: OfKind,
): Promise<Change> {
  const { strategy, session, id, plan } = changing;
  const { desired, recorded } = plan;
  const { urn = "" } = desired;
  const checked = session.checked.get(urn);
  const change = plan.change(replaces, changesPolicy(plan, olds, news));
  // What a refresh claimed would not be deleted by the rest of the run, or could not move to another resource.
  if (checked === undefined) return change;
  if (change.kind === "none") runRecord(session).wantedBefore.delete(urn);
  else runRecord(session).noteState(urn, recorded);
  // A ruleset that is replaced is no longer managed; the place of the new one is.
  const refusal = strategy.claim(session, plan, change.kind === "replace" ? undefined : olds.rulesetId);
  if (refusal !== undefined) throw occupiedError(refusal);
  if (change.kind === "none" && checked.preview) {
    const rules = Object.entries(recorded.ruleIds).map(([ref, id]) => ({ ref, id }));
    warnOfDeleters(session, plan, rules, false);
  } else if (change.kind === "none") await requireNotDeleted(session, desired, recorded);
  await strategy.reportOthers?.(session, id, plan, change);
  if (change.kind === "replace") requireReplaceable(session, plan);
  if (change.kind !== "update") return change;
  await reportUpdate(changing, judges, checked);
  const update = { id, plan, compare: (actual: Ruleset) => strategy.compare(session, plan, actual) };
  for (const { planned } of judges) await planned?.(session, update);
  return change;
}

/**
 * Whether other arguments changed that a delete or the next run reads from the state, although nothing changes at the
 * service.
 */
function changesPolicy({ desired }: Plan, olds: RulesetState, news: Pending<RulesetInputs>): boolean {
  const { onDelete } = policyOf(olds);
  return hasChanged(RULESET, ["record"], { ...olds, onDelete }, { ...news, onDelete: desired.policy.onDelete });
}

/** Reports an update, and stops where it would undo somebody's work. */
async function reportUpdate<P extends Plan, C extends Comparison>(
  changing: Changing<P, C>,
  judges: Judges,
  { preview }: CheckRecord,
): Promise<void> {
  const { strategy, session, plan } = changing;
  const { desired, difference } = plan;
  const { urn } = desired;
  const writes = plan.finishes || plan.changes;
  planUp(session, urn, writes ? strategy.requestsOf(plan, undefined) : { writes: [] });
  if (difference === undefined || !writes) return;
  // The engine's own diff shows all of a single rule.
  if (desired.words.manages !== "rule") planUp(session, urn, { counts: summaryLine(difference) });
  const mayRead = desired.description !== NOT_KNOWN && !(session.previewChecks === "off" && preview);
  const comparison = mayRead ? await checkConflicts(changing, preview) : undefined;
  const removal = strategy.removalOf(session, plan, comparison);
  // Resources that take them over are warned from then on.
  for (const { id } of removal.removed) runRecord(session).dropped.set(id, urn ?? "");
  reportRemoval(session, plan, difference, removal);
  const request = { session, urn: urn ?? "", preview };
  for (const { changing } of judges) await changing?.({ request, plan, comparison, removal });
  requireWithinLimit(session, desired, { removal, operation: "change", state: plan.recorded.state });
}

/**
 * Warns if most rules are removed, and reports those that move to other resources of this run instead. This comes after the
 * ruleset was read, because the engine may check those resources in the meantime.
 */
function reportRemoval(
  session: Session,
  plan: Plan,
  difference: RulesDiff,
  { removed: gone, released = [] }: Removal,
): void {
  const { desired, recorded } = plan;
  const { manages } = desired.words;
  if (difference.removed.length === 0 && gone.length === 0) return;
  if (released.length > 0) {
    const text = releasedText(released, displayFor(session, recorded.state));
    session.reporter.info(desired.urn, `${desired.where}: ${text}`);
  }
  const ids = new Set(released.map(({ rule }) => rule.id));
  const removed = difference.removed.filter((ref) => !ids.has(ownValue(recorded.ruleIds, ref) ?? ""));
  if (manages === "rule") return;
  const warning = removalWarning({ ...difference, removed }, recorded.declared.order.length, manages);
  if (warning !== undefined) session.reporter.warn(desired.urn, `${desired.where}: ${warning}`);
}

/** Stops if the change would undo somebody's work. Compares with what is at the service, if it can be read. */
async function checkConflicts<P extends Plan, C extends Comparison>(
  { strategy, session, id, plan }: Changing<P, C>,
  preview: boolean,
): Promise<C | undefined> {
  const { urn, where } = plan.desired;
  try {
    const actual = await currentRuleset(session, id, plan.recorded.state);
    if (actual === undefined) {
      planUp(session, urn, plannedCreate(plan.desired.target));
      return undefined;
    }
    const comparison = strategy.compare(session, plan, actual);
    strategy.checkCompared?.(session, plan, comparison, preview);
    planUp(session, urn, strategy.requestsOf(plan, comparison));
    const { recognised, wanted } = comparison;
    const conflict = conflictOfOthers(session, comparison);
    if (recognised.size > 0 && !isConflict(conflict))
      session.reporter.info(urn, `${where}: ${recognisedText([...recognised], wanted)}`);
    const changes = { version: actual.version, conflict, operation: "change", state: plan.recorded.state } as const;
    requireNothingUndone(session, plan.desired, changes);
    return comparison;
  } catch (error) {
    const request = { session, urn: urn ?? "", preview };
    if (unavailableCheck(request, error, `whether somebody else changed ${where}`).length > 0) throw error;
    return undefined;
  }
}
