import { keepReleasedElsewhere } from "../released.js";
import type { Session } from "../../../engine/session.js";
import { PartialFailure, RulesetsError } from "../../../model/errors.js";
import { isConflict } from "../../../ownership/conflict.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { displayFor } from "../../../engine/display.js";
import { carryOut } from "../lifecycle.js";
import { createShared } from "../shared/create.js";
import type { RulesetState } from "../description.js";
import type { OwnRulesPlan } from "../plan/own-rules.js";
import { listId, listInputs, ruleState, stateHalfway } from "../single-rule.js";
import type { RuleInputs, RuleState } from "./description.js";
import { planFor } from "./change.js";
import { placeOfRule } from "./takeover.js";

/** Updates a rule to what the program wants. */
export async function update(session: Session, id: string, olds: RuleState, news: RuleInputs): Promise<RuleState> {
  const plan = planFor(session, olds, news);
  const inputs = listInputs(news);
  const make = () => makeAgain(session, plan, news);
  const write = async (): Promise<RulesetState> =>
    keepReleasedElsewhere(session, olds, await carryOut(session, listId(news), plan, inputs, make));
  const state = await asRule(id, write, (list) => stateHalfway(olds, news, list));
  return requireRule(plan.desired.words.subject, ruleState(news, state));
}

/** Creates the ruleset again that somebody has deleted with the rule, if overwriting that was requested. */
async function makeAgain(session: Session, plan: OwnRulesPlan, news: RuleInputs): Promise<RulesetState> {
  const { desired, recorded } = plan;
  const { urn, where, words, policy } = desired;
  const { rulesetId: id, phase, version } = recorded.state;
  const none = { id, name: "", description: recorded.description, kind: "", phase, version, rules: [] };
  const { conflict } = plan.compareWith(none);
  const changes = { version, conflict, operation: "change", display: displayFor(session, recorded.state) } as const;
  if (isConflict(conflict)) {
    if (session.onConflict(policy.onConflict) === "fail") throw conflictError(words.conflict(changes));
    session.reporter.warn(urn, words.overwrites(changes));
  }
  if (news.__byId === true)
    throw new RulesetsError(`${where} no longer exists at the service.`, { code: "RULESET_GONE" });
  return (await createShared(session, placeOfRule(session, news), desired, listInputs(news))).state;
}

/** Runs a write of the list. What it leaves if it ends early becomes what it leaves of the rule. */
export async function asRule<T>(
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
export function requireRule(subject: string, state: RuleState | undefined): RuleState {
  if (state !== undefined) return state;
  throw new RulesetsError(
    `${subject}: the response does not contain the rule that was written. Run \`pulumi refresh\`, then \`pulumi up\`.`,
    { code: "API_GARBLED" },
  );
}
