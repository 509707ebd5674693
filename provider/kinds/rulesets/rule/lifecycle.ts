import type { Session } from "../../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../../model/errors.js";
import { ruleResourceId } from "../../../model/ids.js";
import type { RulesetState } from "../description.js";
import { nothingAt } from "../desired.js";
import { carryOut, remove } from "../lifecycle.js";
import type { OwnRulesPlan } from "../plan/own-rules.js";
import { createShared } from "../shared/create.js";
import { OWN_RULES_UPDATES } from "../shared/update.js";
import { createdHalfway, desiredList, listId, listInputs, parseList, ruleState, stateHalfway } from "../single-rule.js";
import { planForRule } from "./change.js";
import type { RuleInputs, RuleState } from "./description.js";
import { requireNothingUndone } from "../write/compare.js";
import { runRecord } from "../this-run.js";
import { placeOfRule } from "./new-rule.js";

/** Adds a rule to a ruleset, creating the entry point if there is none, or takes over the rule that has its ref. */
export async function create(
  session: Session,
  inputs: RuleInputs,
): Promise<{ readonly id: string; readonly state: RuleState }> {
  const desired = desiredList(inputs);
  const { words } = desired;
  const make = () =>
    runRecord(session).creating(desired, () =>
      createShared(session, placeOfRule(session, desired, inputs), desired, listInputs(inputs)),
    );
  const id = ruleResourceId(listId(inputs), inputs.ref);
  const { state } = await asRule(id, make, (half) => createdHalfway(inputs, half));
  return { id, state: requireRule(words.subject, ruleState(inputs, state)) };
}

/** Updates a rule to what the program wants. */
export async function update(session: Session, id: string, olds: RuleState, news: RuleInputs): Promise<RuleState> {
  const plan = planForRule(session, olds, news);
  const inputs = listInputs(news);
  const make = () => makeAgain(session, plan, news);
  const write = () => carryOut(OWN_RULES_UPDATES, session, listId(news), plan, inputs, make);
  const state = await asRule(id, write, (list) => stateHalfway(olds, news, list));
  return requireRule(plan.desired.words.subject, ruleState(news, state));
}

/** Creates the ruleset again that somebody has deleted with the rule, if overwriting that was requested. */
async function makeAgain(session: Session, plan: OwnRulesPlan, news: RuleInputs): Promise<RulesetState> {
  const { desired, recorded } = plan;
  const { state, description } = recorded;
  const { rulesetId: id, version } = state;
  const { conflict } = plan.compareWith({ ...nothingAt(desired.target), id, description, version });
  requireNothingUndone(session, desired, { version, conflict, operation: "change", state });
  if (news.__kind !== undefined)
    throw new RulesetsError(`${desired.where} no longer exists at the service.`, { code: "RULESET_GONE" });
  return (await createShared(session, placeOfRule(session, desired, news), desired, listInputs(news))).state;
}

/** Deletes a rule, unless another resource of this run still needs it. The ruleset stays. */
export async function deleteRule(session: Session, _id: string, state: RuleState): Promise<void> {
  const desired = desiredList(state);
  await remove(session, listId(state), desired, parseList(state));
}

/** Runs a write of the list. What it leaves if it ends early becomes what it leaves of the rule. */
async function asRule<T>(
  id: string,
  write: () => Promise<T>,
  stateOf: (list: RulesetState) => RuleState | undefined,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const { state: list, cause } = error as PartialFailure<RulesetState>;
    const state = stateOf(list);
    throw state === undefined ? cause : new PartialFailure(id, state, cause);
  }
}

/** Stops where a response lacks the rule. */
function requireRule(subject: string, state: RuleState | undefined): RuleState {
  if (state !== undefined) return state;
  throw new RulesetsError(
    `${subject}: the response does not contain the rule that was written. Run \`pulumi refresh\`, then \`pulumi up\`.`,
    { code: "API_GARBLED" },
  );
}
