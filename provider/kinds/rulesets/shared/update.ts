import { claim } from "../../../engine/claims.js";
import { displayFor } from "../../../engine/display.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import type { Session } from "../../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../../model/errors.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { conflictError, occupiedError } from "../../../ownership/ruleset-messages.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import { ruleKeys, type Target, type Desired } from "../desired.js";
import type { Plan } from "../plan/plan.js";
import type { SharedPart } from "../plan/shared.js";
import { noteApplied, ledgerOf } from "../ledgers.js";
import { openReleases, reportWithoutOwner } from "../released.js";
import { refusalOf } from "./plan.js";
import { joinedRefs, stateAfter } from "./state.js";
import { unplacedError } from "./unplaced.js";
import { writeSteps, type Progress } from "./write-steps.js";
import { rulesetResourceId } from "../../../model/ids.js";
import { mapFrom } from "../../../model/json.js";
import { OwnRulesPlan } from "../plan/own-rules.js";
import { currentRuleset } from "../read.js";
import { removalOfOwnRules, requireWithinLimit } from "../removal-limit.js";
import { runInTurn } from "../write/rule-writes.js";
import { refsById, parseState, switchedState } from "../state.js";
import type { Updates } from "../strategy.js";
import { OWN_RULES_CHANGES } from "./strategy.js";
import { noteSeen, confirmWritten } from "../write/in-force.js";
import { compareWithMoves, conflictOfOthers, movedAway, refuseForeignChanges } from "../write/compare.js";

/** Updates of a program's own rules. */
export const OWN_RULES_UPDATES: Updates<OwnRulesPlan> = {
  strategy: OWN_RULES_CHANGES,
  keep: (_session, plan, news) => switchedState(plan.recorded.state, news, plan.staysTakenOver),
  write: updateOwnRules,
};

/** An update of a program's rules. */
interface Updating {
  readonly session: Session;
  /** The ID of the ruleset in the engine. */
  readonly id: string;
  readonly plan: OwnRulesPlan;
  readonly news: RulesetInputs;
}

/** Updates a program's rules of a shared ruleset, and compares the last response of the run with them. */
async function updateOwnRules(
  session: Session,
  id: string,
  plan: OwnRulesPlan,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const state = await updateShared({ session, id, plan, news });
  return state === undefined ? undefined : confirmShared(session, id, { desired: plan.desired, inputs: news }, state);
}

/**
 * Updates a program's rules of a shared ruleset: one read, and one write for each rule that changes. Returns undefined
 * if the ruleset no longer exists. Resources that take over rules of this one go first if they already wait for their turn.
 */
async function updateShared(updating: Updating): Promise<RulesetState | undefined> {
  const { session, plan } = updating;
  const { scope } = plan.desired.target;
  const { rulesetId } = plan.recorded.state;
  const first = await runInTurn(session, scope, rulesetId, async () =>
    (await waitsForOwners(updating)) ? YIELDED : updateInTurn(updating),
  );
  return first === YIELDED ? runInTurn(session, scope, rulesetId, () => updateInTurn(updating)) : first;
}

const YIELDED = Symbol("another resource goes first");

/** Whether a resource that takes over a rule of this one has not written it yet, and others wait for their turn. */
async function waitsForOwners({ session, id, plan }: Updating): Promise<boolean> {
  const { desired, recorded } = plan;
  const { scope } = desired.target;
  const { rulesetId } = recorded.state;
  const actual = await currentRuleset(session, id, recorded.state);
  if (actual === undefined || !session.queue.hasWaiting(rulesetResourceId(scope, rulesetId))) return false;
  const away = await movedAway(session, plan, actual);
  const moved = actual.rules.filter((rule) => away.has(rule.id));
  const ledger = await ledgerOf(session, desired, rulesetId);
  return ledger.pendingAmong(moved, desired).length > 0;
}

async function updateInTurn({ session, id, plan, news }: Updating): Promise<RulesetState | undefined> {
  const { recorded, desired } = plan;
  const actual = await currentRuleset(session, id, recorded.state);
  if (actual === undefined) return undefined;
  noteSeen(session, actual);
  const comparison = await compareWithMoves(session, plan, actual);
  const { part } = comparison;
  const { state } = recorded;
  const operation = "change";
  const conflict = conflictOfOthers(session, comparison);
  const refusal = refuseForeignChanges(session, desired, { version: actual.version, conflict, operation, state });
  if (refusal !== undefined) throw refusal;
  const removal = removalOfOwnRules(session, plan, comparison);
  requireWithinLimit(session, desired, { removal, operation, state });
  const owned = await withInherited(session, desired, actual, part);
  return applyShared(session, { id, plan, part: owned, actual, news, exists: true, before: state });
}

/** A rule that another resource of this stack owned, and that the program moved here, is owned here. */
async function withInherited(
  session: Session,
  desired: Desired,
  actual: Ruleset,
  part: SharedPart,
): Promise<SharedPart> {
  if (part.takenOver.size === 0) return part;
  const ledger = await ledgerOf(session, desired, actual.id);
  const refs = refsById(mapFrom(part.ids));
  const ours = actual.rules.filter((rule) => ledger.isMine(rule, desired) || ledger.isInherited(rule, desired));
  const inherited = new Set(ours.map(({ id }) => refs.get(id)));
  const takenOver = [...part.takenOver].filter((ref) => !inherited.has(ref));
  return { ...part, takenOver: new Set(takenOver) };
}

/**
 * Compares the last response of this run with the rules that a resource now has in a shared ruleset: exactly as the next run
 * would, but before this one ends.
 */
export function confirmShared(
  session: Session,
  id: string,
  { desired, inputs }: { readonly desired: Desired; readonly inputs: RulesetInputs },
  state: RulesetState,
): Promise<RulesetState> {
  const planOf = (each: RulesetState): OwnRulesPlan => new OwnRulesPlan(parseState(each), desired);
  return confirmWritten(session, id, state, {
    desired,
    conflictIn: (each, current) => conflictOfOthers(session, planOf(each).compareWith(current)),
    again: async (each) => {
      const next = await updateShared({ session, id, plan: planOf(each), news: inputs });
      if (next !== undefined) return next;
      const text = `${desired.where} was deleted by somebody else. Run \`pulumi refresh\`, then \`pulumi up\`.`;
      throw new RulesetsError(text, { code: "RULESET_GONE" });
    },
  });
}

/** An update of the part of a shared ruleset that a program wants. */
interface SharedWork {
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
