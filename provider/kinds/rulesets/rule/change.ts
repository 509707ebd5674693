import { requireClaim, claimParts } from "../../../engine/claims.js";
import { hasChanged, replacedInputs } from "../../../engine/inputs.js";
import type { Change } from "../../../engine/lifecycle.js";
import { reportManagedRules } from "../../../engine/managed-rules.js";
import type { PreviewPlan } from "../../../engine/preview-plan.js";
import { planUp } from "../../../engine/published-plans.js";
import { reportUnavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { sameJson } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import type { Pending } from "../../../model/unknown.js";
import { occupiedError, wholeAndPartText } from "../../../ownership/ruleset-messages.js";
import { twoRuleOwnersText, ruleInWords } from "../../../ownership/rule-messages.js";
import { ruleRequest } from "../write/planned-requests.js";
import type { RuleOp } from "../write/rule-writes.js";
import { RULESET_RULE, type RuleInputs, type RuleState } from "./description.js";
import { ruleKeysIn } from "../desired.js";
import { rulesetKeys, rulesetTarget, targetId, targetOf, type Desired } from "./desired.js";
import type { Plan } from "./plan.js";
import { planFor, plans, declareRule } from "./run.js";
import { recordReplacedRule } from "./predecessor.js";
import { reportRuleEffect, type RuleBefore } from "./effect.js";
import { noteUnchanged } from "../ledgers.js";
import { inputsOf } from "./state.js";
import { dryRunChange } from "./dry-run.js";
import { currentRuleset } from "./ruleset.js";
import { lastDesired } from "./takeover.js";
import { checkConflict, requireAnchor, conflictOfOthers } from "./write.js";

/** Decides what must happen to a rule, and whether it would undo somebody's work. In a refresh it is pure and offline. */
export async function diff(session: Session, _id: string, olds: RuleState, news: Pending<RuleInputs>): Promise<Change> {
  const plan = planFor(session, olds, news);
  const { recorded, desired } = plan;
  const dropsPosition = olds.position !== undefined && news.position === undefined;
  const policyChanges = dropsPosition || hasChanged(RULESET_RULE, ["record"], policyIn(olds), policyIn(news));
  const change = plan.change(replacing(olds, news), policyChanges);
  const checked = session.checked.get(desired.urn ?? "");
  // What a refresh claimed would not be deleted by the rest of the run, or could not move to another resource.
  if (checked === undefined) return change;
  if (change.kind === "update") session.part(plans).keep(plan, news);
  if (change.kind === "none") {
    noteUnchanged(session, desired.urn);
    session.part(lastDesired).delete(desired.urn ?? "");
  }
  if (change.kind === "replace") {
    if (targetId(desired.target) === targetId(targetOf(olds))) recordReplacedRule(session, desired.urn, olds);
    return change;
  }
  claimRule(session, desired, olds);
  if (change.kind === "update")
    declareRule(session, desired, { id: olds.rulesetId, kind: rulesetTarget(desired.target, olds.__kind).kind });
  if (change.kind === "update") planUp(session, desired.urn, plannedUnread(plan));
  if (change.kind === "update" && (plan.changes || plan.finishes)) {
    const hasNoSecrets = desired.secretPaths.length === 0 && (olds.__secretPaths ?? []).length === 0;
    if (hasNoSecrets) reportManagedRules(session, desired.urn, [recorded.declared, desired.rule]);
    const current = await checkAgainstNow(session, plan, checked.preview);
    if (checked.preview && current !== undefined) await dryRunChange(session, desired, current);
    if (checked.preview) reportRuleEffect(session, desired, ruleBefore(plan, olds));
  }
  return change;
}

function ruleBefore({ recorded, desired }: Plan, olds: RuleState): RuleBefore {
  const moves = desired.position !== undefined && !sameJson(olds.position, desired.position);
  return { rule: recorded.declared, secretPaths: olds.__secretPaths ?? [], moves };
}

function replacing(olds: RuleState, news: Pending<RuleInputs>): string[] {
  return replacedInputs(RULESET_RULE, inputsOf(olds), news);
}

/** The inputs with the policy that applies without one. */
function policyIn(inputs: Pending<RuleInputs>): Pending<RuleInputs> {
  const { onDelete = RULESET_RULE.arguments.onDelete.default } = inputs;
  return { ...inputs, onDelete };
}

/** The write where the rule was not compared with what is there. */
function plannedUnread({ changes, finishes, desired, recorded }: Plan): Partial<PreviewPlan> {
  if (!changes && !finishes) return { writes: [] };
  const { ruleId: id, rulesetId } = recorded.state;
  const { call } = ruleRequest(desired.target.scope, rulesetId, { kind: "change", id });
  return { writes: [{ call, unless: "the rule is already as declared" }] };
}

/** Claims the rule, under the IDs in the state. */
function claimRule(session: Session, desired: Desired, olds: RuleState): void {
  const { target, urn, ref, where } = desired;
  const { rulesetId, ruleId } = olds;
  const rulesets = rulesetKeys(target, { id: rulesetId, kind: rulesetTarget(target, olds.__kind).kind });
  const keys = ruleKeysIn(rulesets, [ref, ruleId]);
  const whole = claimParts(session, urn, rulesets);
  if (whole !== undefined) throw occupiedError(wholeAndPartText(where, whole, urn ?? ""));
  requireClaim(session, urn, {
    keys,
    refusal: (other) => twoRuleOwnersText(ruleInWords(ref, where), other, urn ?? ""),
  });
}

/** The current ruleset and the write that is due; undefined if there is no ruleset or it could not be read. */
async function checkAgainstNow(
  session: Session,
  plan: Plan,
  preview: boolean,
): Promise<{ readonly ruleset: Ruleset; readonly op: RuleOp | undefined } | undefined> {
  if (session.previewChecks === "off" && preview) return undefined;
  const { recorded, desired } = plan;
  const { urn, ref, where } = desired;
  try {
    const ruleset = await currentRuleset(session, desired.target);
    const current = ruleset ?? { rules: [] };
    const { conflict, anchorMissing, op } = plan.compareWith(current);
    const theirs = conflictOfOthers(session, conflict, recorded.position, ruleset);
    checkConflict(session, desired, theirs, { operation: "change", ruleId: recorded.ruleId });
    // In a preview, the rule may be one that the same run creates: `check` has already checked that.
    if (!preview) requireAnchor(desired, anchorMissing, current.rules);
    if (ruleset === undefined) return undefined;
    if (!anchorMissing)
      planUp(session, urn, { writes: op === undefined ? [] : [ruleRequest(desired.target.scope, ruleset.id, op)] });
    return { ruleset, op };
  } catch (error) {
    const request = { session, urn: urn ?? "", preview };
    if (
      reportUnavailableCheck(request, error, `whether somebody else changed ${ruleInWords(ref, where)}`) !== undefined
    )
      throw error;
    return undefined;
  }
}
