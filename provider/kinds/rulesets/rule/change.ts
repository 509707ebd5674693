import { claim, claimParts } from "../../../engine/claims.js";
import { hasChanged, replacedInputs } from "../../../engine/inputs.js";
import type { Change } from "../../../engine/lifecycle.js";
import type { Session } from "../../../engine/session.js";
import type { Pending } from "../../../model/unknown.js";
import { twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { wholeAndPartText } from "../../../ownership/ruleset-messages.js";
import { decideChange, type Changing } from "../change.js";
import { objectKeys, ruleKeysIn, type Desired } from "../desired.js";
import type { Judges } from "../judge.js";
import type { OwnRulesComparison, OwnRulesPlan } from "../plan/own-rules.js";
import type { Plan } from "../plan/plan.js";
import { OWN_RULES_CHANGES } from "../shared/strategy.js";
import { desiredList, inputsOf, listId, listState, parseList } from "../single-rule.js";
import { RULESET_RULE, type RuleInputs, type RuleState } from "./description.js";

/** Decides what must happen to a rule, and whether it would undo somebody's work. In a refresh it is pure and offline. */
export function diff(session: Session, olds: RuleState, news: Pending<RuleInputs>, judges: Judges): Promise<Change> {
  return decideChange(changingOf(session, olds, news), {
    news,
    judges,
    changeBy: (plan) =>
      plan.change(replacedInputs(RULESET_RULE, inputsOf(olds), news), changesPolicyOfRule(olds, news)),
    claim: (plan, { kind }) => (kind === "replace" ? undefined : claimRule(session, plan, olds)),
  });
}

/** The change of a rule, as that of a list of one. */
export function changingOf(
  session: Session,
  olds: RuleState,
  news: Pending<RuleInputs>,
): Changing<OwnRulesPlan, OwnRulesComparison> {
  return { strategy: OWN_RULES_CHANGES, session, id: listId(olds), plan: planForRule(session, olds, news) };
}

/** Whether arguments changed that a delete or the next run reads from the state, although nothing changes at the service. */
function changesPolicyOfRule(olds: RuleState, news: Pending<RuleInputs>): boolean {
  return hasChanged(RULESET_RULE, ["record"], policyIn(olds), policyIn(news));
}

/** The inputs with the policy that applies without one. */
function policyIn(inputs: Pending<RuleInputs>): Pending<RuleInputs> {
  const { onDelete = RULESET_RULE.arguments.onDelete.default } = inputs;
  return { ...inputs, onDelete };
}

/** Claims the rule under the IDs in the state. Returns the reason if another resource manages it or its whole ruleset. */
function claimRule(session: Session, { desired }: Plan, { rulesetId, ruleId, ref }: RuleState): string | undefined {
  return claimIn(session, desired, objectKeys(desired.target, rulesetId), [ref, ruleId]);
}

/**
 * Claims a rule of rulesets by its names. Returns the reason if another resource of the program manages it or the whole of its
 * ruleset.
 */
export function claimIn(
  session: Session,
  { urn = "", where, words }: Desired,
  rulesets: readonly string[],
  names: readonly (string | undefined)[],
): string | undefined {
  const whole = claimParts(session, urn, rulesets);
  if (whole !== undefined) return wholeAndPartText(where, whole, urn);
  const other = urn === "" ? undefined : claim(session, urn, ruleKeysIn(rulesets, names));
  return other === undefined ? undefined : twoRuleOwnersText(words.subject, other, urn);
}

/** The plan of a change: reused if `diff` has already made it in this run from the same state and inputs. */
export function planForRule(session: Session, state: RuleState, inputs: Pending<RuleInputs>): OwnRulesPlan {
  const known = session.part(OWN_RULES_CHANGES.plans).find(listState(state), inputs);
  return known ?? OWN_RULES_CHANGES.planOf(parseList(state), desiredList(inputs));
}
