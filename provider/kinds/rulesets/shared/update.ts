import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { rulesetResourceId } from "../../../model/ids.js";
import { mapFrom } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { isConflict } from "../../../ownership/conflict.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import type { Desired } from "../desired.js";
import { OwnRulesPlan } from "../plan/own-rules.js";
import type { SharedPart } from "../plan/shared.js";
import { ledgerOf } from "../ledgers.js";
import { currentRuleset } from "../read.js";
import { removalOf, requireWithinLimit } from "../removal-limit.js";
import { runInTurn } from "../write/rule-writes.js";
import { refsById, parseState } from "../state.js";
import { noteSeen, confirmWritten } from "../write/in-force.js";
import { applyShared } from "./apply.js";
import { compareWithMoves, conflictOfOthers, movedAway } from "../write/compare.js";
import { RulesetsError } from "../../../model/errors.js";

/** Updates a program's rules of a shared ruleset, and compares the last response of the run with them. */
export async function updateOwnRules(
  session: Session,
  id: string,
  plan: OwnRulesPlan,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const state = await updateShared(session, id, plan, news);
  return state === undefined ? undefined : confirmShared(session, id, { desired: plan.desired, inputs: news }, state);
}

/**
 * Updates a program's rules of a shared ruleset: one read, and one write for each rule that changes. Returns undefined
 * if the ruleset no longer exists. Resources that take over rules of this one go first if they already wait for their turn.
 */
export async function updateShared(
  session: Session,
  id: string,
  plan: OwnRulesPlan,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const { scope } = plan.desired.target;
  const { rulesetId } = plan.recorded.state;
  const update = (): Promise<RulesetState | undefined> => updateInTurn(session, id, plan, news);
  const first = await runInTurn(session, scope, rulesetId, async () =>
    (await waitsForOwners(session, id, plan)) ? YIELDED : update(),
  );
  return first === YIELDED ? runInTurn(session, scope, rulesetId, update) : first;
}

const YIELDED = Symbol("another resource goes first");

/** Whether a resource that takes over a rule of this one has not written it yet, and others wait for their turn. */
async function waitsForOwners(session: Session, id: string, plan: OwnRulesPlan): Promise<boolean> {
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

async function updateInTurn(
  session: Session,
  id: string,
  plan: OwnRulesPlan,
  news: RulesetInputs,
): Promise<RulesetState | undefined> {
  const { recorded, desired } = plan;
  const actual = await currentRuleset(session, id, recorded.state);
  if (actual === undefined) return undefined;
  noteSeen(session, actual);
  const comparison = await compareWithMoves(session, plan, actual);
  const { part } = comparison;
  const conflict = conflictOfOthers(session, comparison);
  if (isConflict(conflict) && session.onConflict(desired.policy.onConflict) === "fail") {
    const display = displayFor(session, recorded.state);
    throw conflictError(desired.words.conflict({ version: actual.version, conflict, operation: "change", display }));
  }
  requireWithinLimit(session, desired, {
    removal: removalOf(session, plan, comparison),
    operation: "change",
    state: recorded.state,
  });
  const owned = await withInherited(session, desired, actual, part);
  return applyShared(session, { id, plan, part: owned, actual, news, exists: true, before: recorded.state });
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
  const { target, where, urn, policy, words, positions } = desired;
  const planOf = (each: RulesetState): OwnRulesPlan => new OwnRulesPlan(parseState(each), desired);
  return confirmWritten(session, id, state, {
    target,
    where: words.subject,
    urn,
    declaredIn: words.declaredIn,
    onConflict: policy.onConflict,
    secretsOf: (each) => each,
    isUnchanged: (each, current) =>
      words.declaredIn === "list"
        ? each.version !== "" && each.version === current.version
        : positions.size === 0 && areUnchanged(each, current),
    conflictIn: (each, current) => conflictOfOthers(session, planOf(each).compareWith(current)),
    again: async (each) => {
      const next = await updateShared(session, id, planOf(each), inputs);
      if (next !== undefined) return next;
      throw new RulesetsError(`${where} was deleted by somebody else. Run \`pulumi refresh\`, then \`pulumi up\`.`, {
        code: "RULESET_GONE",
      });
    },
  });
}

/** Whether the versions of the rules of a resource show that nobody has changed them. */
function areUnchanged({ ruleIds, deployedRules }: RulesetState, { rules }: Ruleset): boolean {
  const known = new Map(deployedRules.map(({ id, version }) => [id, version]));
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  return Object.values(ruleIds).every((id) => (known.get(id) ?? "") !== "" && known.get(id) === versions.get(id));
}
