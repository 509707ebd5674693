import { OwnRulesComparison, OwnRulesPlan } from "./plan/own-rules.js";
import { hasChanged, replacedInputs } from "../../engine/inputs.js";
import type { Change } from "../../engine/lifecycle.js";
import { planUp } from "../../engine/published-plans.js";
import { reportUnavailableCheck } from "../../engine/request.js";
import type { CheckRecord, Session } from "../../engine/session.js";
import { displayFor } from "../../engine/display.js";
import { NOT_KNOWN, type Pending } from "../../model/unknown.js";
import { foreignRules, isConflict } from "../../ownership/conflict.js";
import { foreignText, occupiedError, recognisedText, twoOwnersText } from "../../ownership/ruleset-messages.js";
import { releasedText, type Removal } from "../../ownership/removal.js";
import type { RulesDiff } from "../../rules/diff.js";
import { removalWarning, summaryLine } from "../../rules/summary.js";
import { RULESET, type RulesetDescription, type RulesetInputs, type RulesetState } from "./description.js";
import { objectKeys, policyOf } from "./desired.js";
import { ownValue } from "../../model/json.js";
import type { Judges } from "./judge.js";
import type { Comparison, Plan } from "./plan/plan.js";
import { conflictOfOthers, requireNothingUndone } from "./write/compare.js";
import { lastDesired, planFor, plans } from "./plans.js";
import { currentRuleset } from "./read.js";
import { removalOf, requireReplaceable, requireWithinLimit } from "./removal-limit.js";
import { claimRuleset, declareRules, runRecord } from "./ledgers.js";
import { orphanedRules } from "./released.js";
import { claimOwnRules, compareOwnRules, warnOfOrphans } from "./shared/report.js";
import { plannedChange, plannedCreate, plannedUnread } from "./write/planned-requests.js";

/**
 * Decides what must happen to a ruleset, and in a preview or an `up` also reports it: one line on what changes, a note
 * about rules of others, and an error if the change would undo somebody's work. In a refresh, where no `check` ran, it
 * is pure and offline.
 */
export async function diff(
  description: RulesetDescription,
  session: Session,
  id: string,
  olds: RulesetState,
  news: Pending<RulesetInputs>,
  judges: Judges,
): Promise<Change> {
  const known = planFor(session, olds, news);
  return decideChange(session, id, known, {
    news,
    judges,
    changeBy: (plan) => plan.change(replacedInputs(description, olds, news), changesPolicy(plan, olds, news)),
    claim: (plan, { kind }) => {
      // A ruleset that is replaced is no longer managed; the phase of the new one is.
      const rulesetId = kind === "replace" ? undefined : olds.rulesetId;
      const refusal = claimIt(session, plan, rulesetId);
      if (refusal !== undefined || rulesetId === undefined || !(plan instanceof OwnRulesPlan)) return refusal;
      return claimOwnRules(session, plan, rulesetId);
    },
  });
}

/** What the kinds of resources decide on their own about a change. */
interface Deciding {
  readonly news: object;
  readonly judges: Judges;
  readonly changeBy: (plan: Plan) => Change;
  /** Claims what the resource has then. Returns the reason if another resource manages it. */
  readonly claim: (plan: Plan, change: Change) => string | undefined;
}

/** Decides and reports a change by the plan for it. */
export async function decideChange(
  session: Session,
  id: string,
  known: Plan,
  { news, judges, changeBy, claim }: Deciding,
): Promise<Change> {
  const { desired, recorded } = known;
  const checked = session.checked.get(desired.urn ?? "");
  // What a refresh claimed would not be deleted by the rest of the run, or could not move to another resource.
  if (checked === undefined) return changeBy(known);
  const plan = known.reclaiming(await orphanedRules(session, desired, recorded.state));
  const change = changeBy(plan);
  if (change.kind === "update") session.part(plans).keep(plan, news);
  if (change.kind === "none") {
    runRecord(session).unchanged.add(desired.urn ?? "");
    session.part(lastDesired).forget(desired.urn ?? "");
  }
  const refusal = claim(plan, change);
  if (change.kind === "update") declareRules(session, desired, recorded.state.rulesetId, desired.rules);
  if (refusal !== undefined) throw occupiedError(refusal);
  await reportChange(session, id, { plan, change, judges }, checked);
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

/** Records that the resource manages the ruleset. Returns the reason if another resource conflicts with it. */
function claimIt(session: Session, { desired }: Plan, rulesetId: string | undefined): string | undefined {
  const { urn = "", where, target, policy } = desired;
  const other = claimRuleset(session, urn, objectKeys(target, rulesetId), policy.ownership);
  return other === undefined ? undefined : twoOwnersText(where, other, urn);
}

/** Reports a change, and stops where it would undo somebody's work. */
async function reportChange(
  session: Session,
  id: string,
  { plan, change, judges }: { readonly plan: Plan; readonly change: Change; readonly judges: Judges },
  { preview }: CheckRecord,
): Promise<void> {
  const { desired, difference } = plan;
  const { urn, where } = desired;
  const isShared = plan instanceof OwnRulesPlan;
  const isList = desired.words.declaredIn === "list";
  if (!isShared) await reportForeignRules(session, id, plan, change);
  if (change.kind === "replace" && isList) requireReplaceable(session, plan);
  if (change.kind !== "update") return;
  const writes = plan.hasLeftovers || plan.changes;
  planUp(session, urn, writes ? plannedUnread(plan) : { writes: [] });
  if (difference === undefined || !writes) return;
  // The engine's own diff shows all of a single rule.
  if (isList) session.reporter.info(urn, `${where}: ${summaryLine(difference)}`);
  const mayRead = desired.description !== NOT_KNOWN && !(session.previewChecks === "off" && preview);
  const comparison = mayRead ? await checkConflicts(session, id, plan, preview) : undefined;
  const own = comparison instanceof OwnRulesComparison ? comparison : undefined;
  if (preview && own !== undefined) warnOfOrphans(session, plan, own.actual);
  const removal = removalOf(session, plan, comparison);
  reportRemoval(session, plan, difference, removal);
  const request = { session, urn: urn ?? "", preview };
  for (const { changing } of judges) await changing?.({ request, plan, comparison: own, removal });
  requireWithinLimit(session, desired, { removal, operation: "change", state: plan.recorded.state });
}

/**
 * Reports rules of others where nothing is written: the next change stops at them. When the ruleset stops being shared it is read
 * first, because until then they were not reported.
 */
async function reportForeignRules(session: Session, id: string, plan: Plan, change: Change): Promise<void> {
  const { recorded, desired } = plan;
  const unshares = change.kind === "update" && plan.switches && !plan.changes;
  if (change.kind !== "none" && !unshares) return;
  const actual = unshares ? await currentRuleset(session, id, recorded.state).catch(() => undefined) : undefined;
  const foreign = foreignRules(recorded, actual?.rules ?? recorded.lastRuleset.rules);
  if (foreign.length > 0)
    session.reporter.warn(desired.urn, foreignText(desired.where, foreign, displayFor(session, recorded.state)));
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
  if (difference.removed.length === 0 && gone.length === 0) return;
  const isShared = plan instanceof OwnRulesPlan;
  if (isShared) for (const { id } of gone) runRecord(session).dropped.set(id, desired.urn ?? "");
  if (released.length > 0) {
    const text = releasedText(released, displayFor(session, recorded.state));
    session.reporter.info(desired.urn, `${desired.where}: ${text}`);
  }
  const ids = new Set(released.map(({ rule }) => rule.id));
  const removed = difference.removed.filter((ref) => !ids.has(ownValue(recorded.ruleIds, ref) ?? ""));
  const warning = removalWarning(
    { ...difference, removed },
    recorded.declared.order.length,
    isShared ? "resource" : "ruleset",
  );
  if (warning !== undefined && desired.words.declaredIn === "list")
    session.reporter.warn(desired.urn, `${desired.where}: ${warning}`);
}

/** Stops if the change would undo somebody's work. Compares with what is at the service, if it can be read. */
async function checkConflicts(
  session: Session,
  id: string,
  plan: Plan,
  preview: boolean,
): Promise<Comparison | undefined> {
  const { urn, where } = plan.desired;
  try {
    const actual = await currentRuleset(session, id, plan.recorded.state);
    if (actual === undefined) {
      planUp(session, urn, plannedCreate(plan.desired.target));
      return undefined;
    }
    const comparison =
      plan instanceof OwnRulesPlan ? await compareOwnRules(session, plan, actual, preview) : plan.compareWith(actual);
    planUp(session, urn, plannedChange(plan, comparison));
    const { recognised, wanted } = comparison;
    const conflict = conflictOfOthers(session, comparison);
    if (recognised.size > 0 && !isConflict(conflict))
      session.reporter.info(urn, `${where}: ${recognisedText([...recognised], wanted)}`);
    const changes = { version: actual.version, conflict, operation: "change", state: plan.recorded.state } as const;
    requireNothingUndone(session, plan.desired, changes);
    return comparison;
  } catch (error) {
    const request = { session, urn: urn ?? "", preview };
    if (reportUnavailableCheck(request, error, `whether somebody else changed ${where}`) !== undefined) throw error;
    return undefined;
  }
}
