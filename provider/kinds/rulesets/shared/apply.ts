import { claim } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import type { Session } from "../../../engine/session.js";
import { PartialFailure } from "../../../model/errors.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { conflictError, occupiedError } from "../../../ownership/ruleset-messages.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { ruleKeys, type Target } from "../desired.js";
import type { Plan } from "../plan/plan.js";
import type { SharedPart } from "../plan/shared.js";
import { noteApplied } from "../ledgers.js";
import { openReleases, reportWithoutOwner } from "../released.js";
import { refusalOf } from "./report.js";
import { joinedRefs, stateAfter } from "./state.js";
import { unplacedError } from "./unplaced.js";
import { writeSteps, type Progress } from "./write-steps.js";

/** The part of a shared ruleset that is to be updated to what a program wants. */
export interface SharedWork {
  readonly id: string;
  readonly plan: Plan;
  readonly part: SharedPart;
  readonly actual: Ruleset;
  readonly news: RulesetInputs;
  /** Whether the resource already exists, so that a failure before the first write leaves it unchanged. */
  readonly exists: boolean;
  /** What this resource last recorded; undefined if it is new. */
  readonly before: RulesetState | undefined;
}

/**
 * Writes a program's rules of a shared ruleset one by one, and returns the resulting state; call it while holding the ruleset's queue. If a write
 * fails, the state records what was applied, and the next run continues from there.
 */
export async function applyShared(session: Session, work: SharedWork): Promise<RulesetState> {
  const { plan, part, actual } = work;
  const { desired, recorded } = plan;
  const display = displayFor(session, recorded.state);
  const refusal = await refusalOf(session, plan, part, actual);
  if (refusal !== undefined) throw occupiedError(refusal);
  if (part.unplaced !== undefined) throw unplacedError(desired, part.unplaced, actual.rules);
  if (part.left.size > 0) session.reporter.warn(desired.urn, desired.words.kept([...part.left.values()], display));
  const { ids, steps } = part;
  const progress = await writeSteps(session, { desired, actual, ids, steps, state: recorded.state });
  claimRules(session, desired.urn, desired.target, actual.id, progress.ids.values());
  return conclude(session, work, progress);
}

/** Records which rules a resource manages: deleting another resource in this run keeps them. */
export function claimRules(
  session: Session,
  urn: string | undefined,
  target: Target,
  rulesetId: string,
  ids: Iterable<string>,
): void {
  claim(session, urn, ruleKeys(target, rulesetId, ids));
}

async function conclude(session: Session, work: SharedWork, progress: Progress): Promise<RulesetState> {
  const { id, plan, part, actual, news, exists, before } = work;
  const { error, overwrote, done, lost } = progress;
  // A rule that moved here as it is is recorded in any case: its previous owner no longer has it.
  const isUnchanged = done.size === 0 && lost === undefined && joinedRefs(part).size === 0;
  // A resource that was deleted first, to be created again, would lose its rules without a state.
  if (error !== undefined && isUnchanged && (exists || before === undefined)) throw error;
  const after = stateAfter({ part, actual, news, rules: plan.desired.rules }, progress);
  const state = await withReleased(session, work, after);
  const isEmpty = Object.keys(state.ruleIds).length === 0 && lost === undefined;
  if (error !== undefined && !exists && isEmpty) throw error;
  noteApplied(session, plan.desired.urn, Object.values(state.ruleIds));
  if (error === undefined && overwrote.length === 0) return state;
  // If somebody undid a write, the next run must compare again, although nothing else is left to write.
  const isUndone = error === undefined && state.version !== progress.current.version;
  throw new PartialFailure<RulesetState>(id, isUndone ? asIncomplete(state) : state, failureOf(error, overwrote));
}

/** The same state, with the rules that this resource released and that their new owners have not written yet. */
async function withReleased(
  session: Session,
  { plan: { desired }, actual, before }: SharedWork,
  state: RulesetState,
): Promise<RulesetState> {
  if (before === undefined) return state;
  const mine = new Set(Object.values(state.ruleIds));
  const open = await openReleases(session, desired, before, actual, mine);
  reportWithoutOwner(session, desired, open, actual.rules, displayFor(session, before));
  const reported = open.unclear.map((rule) => ({ ...rule, reported: true }));
  const recorded = [...open.pending, ...reported, ...open.unread];
  return recorded.length === 0 ? state : { ...state, __handedOver: recorded };
}

/** The error that ended the writes, together with the changes of others that earlier writes undid. */
function failureOf(error: Error | undefined, overwrote: readonly string[]): Error {
  if (error !== undefined && overwrote.length === 0) return error;
  const last = error === undefined ? [] : [error.message];
  return conflictError([...overwrote, ...last].join("\n"));
}
