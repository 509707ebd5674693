import { ApiError, RulesetsError } from "../../../core/model/errors.js";
import { rulesetResourceId, scopeArguments } from "../../../core/model/ids.js";
import { quotedRuleName, rulesetName } from "../../../core/model/names.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import { reasonOf } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import { conflictError, keptRulesetText, recreatedText } from "../../ownership/ruleset-messages.js";
import { notReplacedText } from "../../ownership/shared-messages.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { type Created, type Desired, desiredFrom, type Target } from "./desired.js";
import { type Edit, editOf, sidesOf, stepsOf } from "./plan/change.js";
import { reportKept, requireRecreatable } from "./plan/preview.js";
import { planDelete } from "./plan/rules.js";
import { addressOf, currentRuleset, readAt } from "./find.js";
import { type Owners, ownersOf, runRecord, thereFor } from "./run.js";
import { type ParsedState, parseState, takenOverIn } from "./state.js";
import { createShared, createWhole } from "./write/create.js";
import { replaceRuleset, reportDeletion } from "./write/ruleset-writes.js";
import { stateWithoutWrite } from "./write/state-after.js";
import { writeSteps } from "./write/steps.js";
import {
  findReappeared,
  requireDeleteWithinLimit,
  requireNothingOverwritten,
  requireNothingUndone,
  runInTurn,
} from "./write/stops.js";
import { type Update, updateOwnRules, updateWhole } from "./write/update.js";

/* What the engine calls to write a ruleset: create, update and delete. */

/** How a resource writes in its ruleset: the whole of it, or its own rules among those of others. */
interface Writing {
  readonly create: (session: Session, desired: Desired, inputs: RulesetInputs) => Promise<Created>;
  readonly update: Update;
  /** The resource of the program because of which a delete keeps everything: another one, or the same one again. */
  readonly keeperOf: (owners: Owners, state: RulesetState) => string | undefined;
  readonly delete: (session: Session, id: string, desired: Desired, recorded: ParsedState) => Promise<void>;
}

const OWN_RULES: Writing = {
  create: createShared,
  update: updateOwnRules,
  keeperOf: (owners, { ruleIds }) => owners.keeperOfRules(Object.entries(ruleIds).map(([ref, id]) => ({ ref, id }))),
  delete: deleteOwnRules,
};

const WHOLE: Writing = {
  create: createWhole,
  update: updateWhole,
  keeperOf: (owners, { deployedRules }) => owners.keeperOfWhole(deployedRules),
  delete: deleteWhole,
};

function writingOf({ reach }: Pick<Desired, "reach">): Writing {
  return reach.isPart ? OWN_RULES : WHOLE;
}

/** Creates a ruleset, or takes over the existing one if that loses nothing or was requested. */
export function create(
  session: Session,
  inputs: RulesetInputs,
  desired: Desired = desiredFrom(inputs),
): Promise<Created> {
  return runRecord(session).creating(desired, () => writingOf(desired).create(session, desired, inputs));
}

/** Updates a ruleset to what the program wants. Sends no request if nothing differs. */
export async function update(
  session: Session,
  id: string,
  olds: RulesetState,
  news: RulesetInputs,
): Promise<RulesetState> {
  const edit = editOf(sidesOf(olds, news));
  if (!edit.writes) return stateWithoutWrite(edit, news);
  const state = await writingOf(edit.desired).update(session, id, edit, news);
  return state ?? createAgain(session, edit, news);
}

/** Creates a ruleset again that somebody has deleted. */
async function createAgain(session: Session, edit: Edit, news: RulesetInputs): Promise<RulesetState> {
  requireRecreatable(session, edit);
  return (await create(session, news, edit.desired)).state;
}

/**
 * Deletes a ruleset or the resource's own rules in it according to `onDelete`, unless another resource of this run still needs
 * them. A ruleset that no longer exists is fine.
 */
export async function deleteRuleset(session: Session, id: string, state: RulesetState): Promise<void> {
  const recorded = parseState(state);
  const desired = desiredFrom(state, recorded.declared);
  const { urn, words } = desired;
  const owners = ownersOf(session, desired, state.rulesetId);
  const keeper = writingOf(desired).keeperOf(owners, state);
  // With `deleteBeforeReplace`, the resource is created again after this.
  runRecord(session).noteState(urn, recorded);
  if (keeper !== undefined) requireNothingOverwritten(session, desired, recorded);
  if (shouldKeepRuleset(session, desired, keeper === undefined ? undefined : reasonOf(keeper, urn))) return;
  const failed = runRecord(session).failedCreateIn(desired, state.rulesetId);
  if (failed !== undefined) throw conflictError(notReplacedText(words.subject, failed));
  // The rules of a resource that owned the whole ruleset, and that others share now, are deleted one by one.
  const { delete: remove } = owners.otherHolder("any") !== undefined ? OWN_RULES : writingOf(desired);
  await remove(session, id, desired, recorded);
}

/**
 * Whether a delete changes nothing, because another resource needs the ruleset or the program says so. Reports the
 * reason.
 */
function shouldKeepRuleset(
  session: Session,
  { urn, words, policy }: Pick<Desired, "urn" | "words" | "policy">,
  /** Why another resource of the program needs it. */
  keeper: string | undefined,
): boolean {
  const reason = keeper ?? (policy.onDelete === "keep" ? 'onDelete is "keep"' : undefined);
  if (reason === undefined) return false;
  session.reporter.info(urn, `${words.subject} was not deleted: ${reason}. No request was sent.`);
  return true;
}

/** Deletes a ruleset, or drops its rules and keeps its versions. */
async function deleteWhole(session: Session, id: string, desired: Desired, recorded: ParsedState): Promise<void> {
  const { state } = recorded;
  const { target, urn, where, policy } = desired;
  if (state.__takenOver !== undefined) {
    session.reporter.warn(urn, keptRulesetText(where));
    return;
  }
  const address = addressOf(id, state);
  const deployed = await readAt(session, address);
  if (deployed === undefined) return;
  if (deployed.rules.length === 0 && state.rulesetId !== "" && deployed.id !== state.rulesetId) {
    session.reporter.info(urn, recreatedText(where, deployed.id));
    return;
  }
  const { conflict } = planDelete(recorded, thereFor(session, desired, deployed)).notes;
  const changes = { version: deployed.version, conflict, operation: "delete", state } as const;
  requireNothingUndone(session, desired, changes);
  requireDeleteWithinLimit(session, desired, state, deployed.rules, deployed);
  await (policy.onDelete === "empty"
    ? empty(session, desired, state, deployed)
    : deleteAll(session, target, deployed, where));
  session.reads.forget(address.scope, target.phase, deployed.id);
}

/** Removes the rules, and keeps the versions, so that the rules can be restored. */
async function empty(session: Session, desired: Desired, state: RulesetState, deployed: Ruleset): Promise<void> {
  if (deployed.rules.length === 0) return;
  try {
    const content = { description: deployed.description, rules: [] };
    const written = await replaceRuleset(session, desired, deployed, content, { operation: "delete", state });
    const { ruleset, overwrote } = written;
    await reportDeletion(session, desired.urn, ruleset);
    if (overwrote !== undefined) throw overwrote;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
    // A proxy or an outdated replica may have answered.
    if ((await session.client.rulesets.find(desired.target.scope, deployed.id)) !== undefined) throw error;
  }
}

async function deleteAll(session: Session, target: Target, deployed: Ruleset, where: string): Promise<void> {
  try {
    await session.queue.run(rulesetResourceId(target.scope, deployed.id), () =>
      session.client.rulesets.delete(target.scope, deployed.id),
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND") return;
    if (!(error instanceof ApiError) || error.code !== "API_INVALID") throw error;
    // The service has no code for it. Without a user, its message is all that is known.
    const user = await findUser(session, target, deployed.id).catch(() => undefined);
    if (user === undefined) throw error;
    throw new RulesetsError(
      `${where} (${deployed.id}) cannot be deleted while ${user} executes it. ${error.message} ` +
        "To continue: remove that execute rule first, then delete this ruleset.",
      { code: "RULESET_IN_USE", cause: error },
    );
  }
}

/** The ruleset that executes another one, as messages name it. */
async function findUser(session: Session, target: Target, rulesetId: string): Promise<string | undefined> {
  const { rulesets } = session.client;
  const list = await rulesets.list(target.scope);
  for (const { id, kind, phase, name } of list.filter((r) => r.kind !== "managed" && r.phase === target.phase)) {
    const whole = await rulesets.find(target.scope, id);
    const rule = whole?.rules.find((r) => r.action === "execute" && r.actionParameters?.id === rulesetId);
    if (rule !== undefined)
      return `${rulesetName({ id, kind, name, phase, ...scopeArguments(target.scope) })} (${id}, rule ${quotedRuleName(rule)})`;
  }
  return undefined;
}

/**
 * Deletes the rules that a resource owns in a shared ruleset, from the bottom up, so that no exception is deleted
 * before the rule that it applies to. The ruleset and all other rules stay, and so does a rule that another resource of
 * the program has taken over.
 */
async function deleteOwnRules(session: Session, id: string, desired: Desired, recorded: ParsedState): Promise<void> {
  const { scope } = desired.target;
  await runInTurn(session, scope, recorded.state.rulesetId, () => deleteRules(session, id, desired, recorded));
  const undone = await findReappeared(session, desired, recorded.state.rulesetId);
  if (undone !== undefined) throw undone;
}

async function deleteRules(session: Session, id: string, desired: Desired, recorded: ParsedState): Promise<void> {
  const { state } = recorded;
  if (state.__incomplete !== true && ownsNothing(session, desired, recorded)) return;
  const deployed = await currentRuleset(session, id, state);
  if (deployed === undefined) return;
  const change = planDelete(recorded, thereFor(session, desired, deployed));
  const { conflict, own } = change.notes;
  const steps = stepsOf(change);
  reportKept(session, desired, recorded, own?.kept ?? []);
  if (steps.length === 0) return;
  const deleted = new Set(steps.flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  const removed = deployed.rules.filter((rule) => deleted.has(rule.id));
  requireNothingUndone(session, desired, { version: deployed.version, conflict, operation: "delete", state });
  requireDeleteWithinLimit(session, desired, state, removed, deployed);
  const progress = await writeSteps(session, { desired, deployed, ids: new Map(), steps, operation: "delete", state });
  if (progress.error !== undefined) throw progress.error;
  if (progress.overwrote.length > 0) throw conflictError(progress.overwrote.join("\n"));
}

/** Whether a resource has no rule that its delete may remove. Reports those that it only took over. */
function ownsNothing(session: Session, desired: Desired, recorded: ParsedState): boolean {
  const taken = takenOverIn(recorded);
  if (Object.keys(recorded.ruleIds).some((ref) => !taken.has(ref))) return false;
  const ids = new Set(Object.values(recorded.ruleIds));
  const rules = recorded.lastRuleset.rules.filter(({ id }) => ids.has(id));
  reportKept(session, desired, recorded, rules);
  return true;
}
