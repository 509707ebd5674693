import { reasonOf } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../model/errors.js";
import type { Ownership } from "../../model/options.js";
import { conflictError } from "../../ownership/ruleset-messages.js";
import { notReplacedText } from "../../ownership/shared-messages.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, policyOf, type Created, type Desired } from "./desired.js";
import type { Owners } from "./owners.js";
import { ownersOf, runRecord } from "./this-run.js";
import type { Plan } from "./plan/plan.js";
import { planFor, type Updates } from "./plans.js";
import { requireNoEditOverwritten } from "./write/compare.js";
import { createShared, placeOfList } from "./shared/create.js";
import { deleteOwnRules } from "./shared/delete.js";
import { OWN_RULES_UPDATES } from "./shared/update.js";
import { parseState, type ParsedState } from "./state.js";
import { createWhole, WHOLE_UPDATES } from "./whole/write.js";
import { deleteWhole } from "./whole/delete.js";

/* What the engine calls to write a ruleset: create, update and delete. `WRITING` chooses how. */

type Update = (
  description: RulesetDescription,
  session: Session,
  id: string,
  olds: RulesetState,
  news: RulesetInputs,
) => Promise<RulesetState>;

/** How a resource writes in its ruleset: the whole of it, or its own rules among those of others. */
interface Writing {
  readonly create: (
    type: RulesetDescription["type"],
    session: Session,
    desired: Desired,
    inputs: RulesetInputs,
  ) => Promise<Created>;
  readonly update: Update;
  /** The resource of the program because of which a delete keeps everything: another one, or the same one again. */
  readonly keeperOf: (owners: Owners, state: RulesetState, desired: Desired) => string | undefined;
  readonly delete: (session: Session, id: string, desired: Desired, recorded: ParsedState) => Promise<void>;
}

const WRITING: Readonly<Record<Ownership, Writing>> = {
  exclusive: {
    create: createWhole,
    update: updateBy(WHOLE_UPDATES),
    keeperOf: (owners, { deployedRules }, desired) => owners.keeperOfWhole(deployedRules, desired),
    delete: deleteWhole,
  },
  shared: {
    create: (type, session, desired, inputs) =>
      createShared(session, placeOfList(type, session, desired), desired, inputs),
    update: updateBy(OWN_RULES_UPDATES),
    keeperOf: (owners, state, desired) => owners.keeperOfShared(state, desired),
    delete: deleteOwnRules,
  },
};

/** Creates a ruleset, or takes over the existing one if that loses nothing or was requested. */
export async function create(
  { type }: RulesetDescription,
  session: Session,
  inputs: RulesetInputs,
  desired: Desired = desiredFrom(inputs),
): Promise<Created> {
  const { create: make } = WRITING[desired.policy.ownership];
  return runRecord(session).creating(desired, () => make(type, session, desired, inputs));
}

/** Updates a ruleset to what the program wants. */
export const update: Update = (description, session, id, olds, news) =>
  WRITING[policyOf(news).ownership].update(description, session, id, olds, news);

function updateBy<P extends Plan>(updates: Updates<P>): Update {
  return (description, session, id, olds, news) => {
    const plan = planFor(session, updates.strategy, olds, news);
    const make = async (): Promise<RulesetState> => {
      const { desired } = plan;
      if (description.type === "PhaseEntrypoint") return (await create(description, session, news, desired)).state;
      throw new RulesetsError(
        `${desired.where} no longer exists at the service. Run \`pulumi refresh\`; the next \`pulumi up\` creates it again.`,
        { code: "RULESET_GONE" },
      );
    };
    return carryOut(updates, session, id, plan, news, make);
  };
}

/**
 * Carries out a plan. Sends no request if nothing differs.
 * @param make creates the ruleset where it no longer exists
 */
export async function carryOut<P extends Plan>(
  { strategy, keep, write }: Updates<P>,
  session: Session,
  id: string,
  plan: P,
  news: RulesetInputs,
  make: () => Promise<RulesetState>,
): Promise<RulesetState> {
  session.part(strategy.plans).forget(plan);
  if (!plan.finishes && !plan.changes) return keep(session, plan, news);
  return (await write(session, id, plan, news)) ?? make();
}

/**
 * Deletes a ruleset or the resource's own rules in it according to `onDelete`, unless another resource of this run still needs
 * them. A ruleset that no longer exists is fine.
 */
export async function deleteRuleset(session: Session, id: string, state: RulesetState): Promise<void> {
  const recorded = parseState(state);
  await remove(session, id, desiredFrom(state, recorded.declared), recorded);
}

export async function remove(session: Session, id: string, desired: Desired, recorded: ParsedState): Promise<void> {
  const { state } = recorded;
  const { urn, policy } = desired;
  const owners = ownersOf(session, desired, state.rulesetId);
  const keeper = WRITING[policy.ownership].keeperOf(owners, state, desired);
  // With `deleteBeforeReplace`, the resource is created again after this.
  runRecord(session).noteState(urn, recorded);
  if (keeper !== undefined) requireNoEditOverwritten(session, desired, recorded);
  if (shouldKeepRuleset(session, desired, keeper === undefined ? undefined : reasonOf(keeper, urn))) return;
  const failed = runRecord(session).failedCreateIn(desired, state.rulesetId);
  if (failed !== undefined) throw conflictError(notReplacedText(desired.words.subject, failed));
  // The rules of a resource that owned the whole ruleset, and that others share now, are deleted one by one.
  await WRITING[owners.hasOthers(desired) ? "shared" : policy.ownership].delete(session, id, desired, recorded);
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
