import { claimParts, requireClaim } from "../../../engine/claims.js";
import { hasChanged, replacedInputs } from "../../../engine/inputs.js";
import type { Change } from "../../../engine/lifecycle.js";
import type { Session } from "../../../engine/session.js";
import type { Pending } from "../../../model/unknown.js";
import { twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { occupiedError, wholeAndPartText } from "../../../ownership/ruleset-messages.js";
import { reportChange } from "../change.js";
import { objectKeys, ruleKeys } from "../desired.js";
import { declareRules, noteUnchanged } from "../ledgers.js";
import { OwnRulesPlan } from "../plan/own-rules.js";
import { lastDesired, plans } from "../plans.js";
import { orphanedRules } from "../released.js";
import { desiredList, inputsOf, listId, listState, parseList } from "../single-rule.js";
import { RULESET_RULE, type RuleInputs, type RuleState } from "./description.js";
import { targetId, targetOf } from "./desired.js";
import { recordReplacedRule } from "./takeover.js";

/** Decides what must happen to a rule, and whether it would undo somebody's work. In a refresh it is pure and offline. */
export async function diff(session: Session, _id: string, olds: RuleState, news: Pending<RuleInputs>): Promise<Change> {
  const known = planFor(session, olds, news);
  const { urn } = known.desired;
  const changeBy = (plan: OwnRulesPlan): Change =>
    plan.change(replacedInputs(RULESET_RULE, inputsOf(olds), news), changesPolicy(olds, news));
  const checked = session.checked.get(urn ?? "");
  // What a refresh claimed would not be deleted by the rest of the run, or could not move to another resource.
  if (checked === undefined) return changeBy(known);
  const plan = known.reclaiming(await orphanedRules(session, known.desired, olds));
  const change = changeBy(plan);
  if (change.kind === "update") session.part(plans).keep(plan, news);
  if (change.kind === "none") {
    noteUnchanged(session, urn);
    session.part(lastDesired).forget(urn ?? "");
  }
  if (change.kind === "replace") {
    if (targetId(targetOf(news)) === targetId(targetOf(olds))) recordReplacedRule(session, urn, olds);
    return change;
  }
  claimRule(session, plan, olds);
  if (change.kind === "update") declareRules(session, plan.desired, olds.rulesetId, plan.desired.rules);
  await reportChange(session, listId(olds), plan, change, checked);
  return change;
}

/** Whether arguments changed that a delete or the next run reads from the state, although nothing changes at the service. */
function changesPolicy(olds: RuleState, news: Pending<RuleInputs>): boolean {
  return hasChanged(RULESET_RULE, ["record"], policyIn(olds), policyIn(news));
}

/** The inputs with the policy that applies without one. */
function policyIn(inputs: Pending<RuleInputs>): Pending<RuleInputs> {
  const { onDelete = RULESET_RULE.arguments.onDelete.default } = inputs;
  return { ...inputs, onDelete };
}

/** Claims the rule, under the IDs in the state. */
function claimRule(session: Session, { desired }: OwnRulesPlan, { rulesetId, ruleId, ref }: RuleState): void {
  const { target, urn, where, words } = desired;
  const whole = claimParts(session, urn, objectKeys(target, rulesetId));
  if (whole !== undefined) throw occupiedError(wholeAndPartText(where, whole, urn ?? ""));
  requireClaim(session, urn, {
    keys: ruleKeys(target, rulesetId, [ref, ruleId]),
    refusal: (other) => twoRuleOwnersText(words.subject, other, urn ?? ""),
  });
}

/** The plan of a change: reused if `diff` has already made it in this run from the same state and inputs. */
export function planFor(session: Session, state: RuleState, inputs: Pending<RuleInputs>): OwnRulesPlan {
  const known = session.part(plans).find(listState(state), inputs);
  return known instanceof OwnRulesPlan ? known : new OwnRulesPlan(parseList(state), desiredList(inputs));
}
