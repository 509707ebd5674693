import { reasonOf } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { conflictError } from "../../ownership/ruleset-messages.js";
import { notReplacedText } from "../../ownership/shared-messages.js";
import type { Words } from "../../ownership/words.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, nothingAt, type Created, type Desired } from "./desired.js";
import type { Owners } from "./owners.js";
import { editOf, sidesOf, type Edit } from "./plan/change.js";
import { conflictSince } from "./plan/rules.js";
import { ownersOf, runRecord, thereFor } from "./run.js";
import { requireNothingOverwritten, requireNothingUndone } from "./write/conflicts.js";
import { createShared, placeOfList } from "./shared/create.js";
import { deleteOwnRules } from "./shared/delete.js";
import { placeOfRule } from "./shared/one-rule.js";
import { updateOwnRules } from "./shared/update.js";
import { keptState, parseState, type ParsedState } from "./state.js";
import { createWhole, updateWhole } from "./whole/write.js";
import { deleteWhole } from "./whole/delete.js";

/* What the engine calls to write a ruleset: create, update and delete. `WRITING` chooses how. */

/** How a resource writes in its ruleset: the whole of it, its own rules among those of others, or the one rule that it is. */
interface Writing {
  readonly create: (session: Session, desired: Desired, inputs: RulesetInputs) => Promise<Created>;
  /** The resource of the program because of which a delete keeps everything: another one, or the same one again. */
  readonly keeperOf: (owners: Owners, state: RulesetState) => string | undefined;
  readonly delete: (session: Session, id: string, desired: Desired, recorded: ParsedState) => Promise<void>;
}

const OWN_RULES: Writing = {
  create: (session, desired, inputs) => createShared(session, placeOfList(session, desired), desired, inputs),
  keeperOf: (owners, { ruleIds }) => owners.keeperOfRules(Object.entries(ruleIds).map(([ref, id]) => ({ ref, id }))),
  delete: deleteOwnRules,
};

const WRITING: Readonly<Record<Words["manages"], Writing>> = {
  ruleset: {
    create: createWhole,
    keeperOf: (owners, { deployedRules }) => owners.keeperOfWhole(deployedRules),
    delete: deleteWhole,
  },
  rules: OWN_RULES,
  rule: {
    ...OWN_RULES,
    create: (session, desired, inputs) => createShared(session, placeOfRule(session, desired), desired, inputs),
  },
};

/** Creates a ruleset, or takes over the existing one if that loses nothing or was requested. */
export function create(
  session: Session,
  inputs: RulesetInputs,
  desired: Desired = desiredFrom(inputs),
): Promise<Created> {
  return runRecord(session).creating(desired, () => WRITING[desired.words.manages].create(session, desired, inputs));
}

/** Updates a ruleset to what the program wants. Sends no request if nothing differs. */
export async function update(
  session: Session,
  id: string,
  olds: RulesetState,
  news: RulesetInputs,
): Promise<RulesetState> {
  const edit = editOf(sidesOf(olds, news));
  if (!edit.writes) return keptState(olds, news, edit.owned);
  const state = await (edit.desired.words.manages === "ruleset"
    ? updateWhole(session, id, edit, news)
    : updateOwnRules({ session, id, edit, news }));
  return state ?? createAgain(session, edit, news);
}

/** Creates a ruleset again that somebody has deleted. With a single rule, that undoes the change of somebody else. */
async function createAgain(session: Session, { before, desired }: Edit, news: RulesetInputs): Promise<RulesetState> {
  const { target, where } = desired;
  if (desired.words.manages === "rule") {
    const { state, description } = before;
    const { rulesetId: id, version } = state;
    const there = thereFor(session, desired, { ...nothingAt(target), id, description, version });
    const conflict = conflictSince({ before, desired }, there);
    requireNothingUndone(session, desired, { version, conflict, operation: "change", state });
  }
  if (target.byPhase) return (await create(session, news, desired)).state;
  const ways = target.rulesetId === undefined ? " Run `pulumi refresh`; the next `pulumi up` creates it again." : "";
  throw new RulesetsError(`${where} no longer exists at the service.${ways}`, { code: "RULESET_GONE" });
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
  const keeper = WRITING[words.manages].keeperOf(owners, state);
  // With `deleteBeforeReplace`, the resource is created again after this.
  runRecord(session).noteState(urn, recorded);
  if (keeper !== undefined) requireNothingOverwritten(session, desired, recorded);
  if (shouldKeepRuleset(session, desired, keeper === undefined ? undefined : reasonOf(keeper, urn))) return;
  const failed = runRecord(session).failedCreateIn(desired, state.rulesetId);
  if (failed !== undefined) throw conflictError(notReplacedText(words.subject, failed));
  // The rules of a resource that owned the whole ruleset, and that others share now, are deleted one by one.
  const { delete: remove } = owners.otherHolder("any") !== undefined ? OWN_RULES : WRITING[words.manages];
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
