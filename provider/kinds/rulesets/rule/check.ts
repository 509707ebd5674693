import { checkClaim, claim, claimParts, otherClaimant } from "../../../engine/claims.js";
import type { GivenArguments } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { reportManagedRules } from "../../../engine/managed-rules.js";
import type { PreviewPlan } from "../../../engine/preview-plan.js";
import { planUp } from "../../../engine/published-plans.js";
import type { Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { redactFindings } from "../../../engine/secrets.js";
import { sameJson } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { isUnknown, valueIfKnown, NOT_KNOWN, type Pending } from "../../../model/unknown.js";
import { wholeAndPartText } from "../../../ownership/ruleset-messages.js";
import { anchorMissingText, ruleInWords, twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { Rule } from "../../../rules/rule.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { withRefusals } from "../write/dry-runs.js";
import { expectCreate, runRecord } from "../ledgers.js";
import { rulesetPath, rulesetsPath, ruleRequest } from "../write/planned-requests.js";
import { firstWrite } from "./create.js";
import { checkArguments, checkRuleIn } from "./arguments.js";
import { checkedInputs } from "./checked-inputs.js";
import type { RULESET_RULE, RuleInputs } from "./description.js";
import { ruleKeysIn } from "../desired.js";
import { desiredFrom, isKnownTarget, rulesetKeys, targetId, targetOf, type Desired, ruleIn } from "./desired.js";
import { dryRunCreate } from "./dry-run.js";
import { inspectRuleset, type Inspected } from "./ruleset.js";
import { anchorOf, findAnchor } from "../position.js";
import { reportTakeover, decideTakeover, lastDesired, type Takeover } from "./takeover.js";
import { reportRuleEffect } from "./effect.js";
import { checkRequestedPosition } from "./requested-positions.js";
import { declareRule } from "./run.js";
import { shouldCheckPlan, findNewNeeds, warnOfUnmetNeeds } from "../entitlements.js";

type RuleRequest = CheckRequest<typeof RULESET_RULE>;

/** Checks the arguments without a request. */
export function validate(
  request: Request<GivenArguments<typeof RULESET_RULE>>,
  olds: Pending<RuleInputs> | undefined,
): Findings {
  if (olds !== undefined) request.session.part(lastDesired).set(request.urn, desiredFrom(olds));
  return checkArguments(request);
}

/**
 * Determines the rule's ref, and checks which other resources manage the rule and what exists where it is to be created
 * or moved.
 */
export async function check(request: RuleRequest): Promise<Checked<typeof RULESET_RULE>> {
  if (request.olds === undefined) expectCreate(request.session, request.urn);
  claimNamedRule(request);
  const inspected = await inspectRuleset(request);
  const inputs = checkedInputs(request, inspected.ruleset);
  const desired = desiredFrom(inputs);
  const { ruleset } = inspected;
  const early = joinFindings([
    inspected.findings,
    checkRuleClaim(request, desired, ruleset),
    checkPlaced(request, inputs),
    checkPosition(request, desired, inspected),
  ]);
  if (early.failures.length > 0) return { inputs, findings: early };
  const judged = joinFindings([early, await checkEntitlements(request, desired, ruleset)]);
  if (request.olds !== undefined) return { inputs, findings: judged };
  declareRule(request.session, desired, ruleset);
  const found = ruleset === undefined ? undefined : await checkTakeover(request, desired, ruleset);
  const findings = joinFindings([judged, found?.findings ?? NO_FINDINGS]);
  const { session, preview, urn } = request;
  if (desired.secretPaths.length === 0 && findings.failures.length === 0)
    reportManagedRules(session, urn, [desired.rule]);
  if (findings.failures.length === 0)
    planUp(session, urn, plannedCreation(session, desired, inspected, found?.takeover));
  if (!preview || !inspected.isRead || findings.failures.length > 0) return { inputs, findings };
  const existing = found?.takeover.kind === "taken" ? Rule.of(found.takeover.rule) : undefined;
  reportRuleEffect(session, desired, { rule: existing, secretPaths: desired.secretPaths, moves: false });
  return { inputs, findings: withRefusals(session, findings, await dryRunCreate(session, desired, found)) };
}

/**
 * Claims the rule before the ruleset is read: a list of this program that no longer contains the rule may be written
 * meanwhile.
 */
function claimNamedRule({ session, urn, wanted }: RuleRequest): void {
  const { ref, ruleId, rulesetId } = wanted;
  const names = [valueIfKnown(ref), valueIfKnown(ruleId)];
  const target = targetOf({ ...wanted, __byId: rulesetId !== undefined });
  if (urn !== "") claim(session, urn, ruleKeysIn(rulesetKeys(target, undefined), names));
}

/** What a new rule sends, and the rule that it takes over. */
function plannedCreation(
  session: Session,
  desired: Desired,
  { isRead, ruleset }: Inspected,
  takeover: Takeover | undefined,
): Partial<PreviewPlan> {
  const { target, position, policy } = desired;
  const { scope } = target;
  const root = `POST ${rulesetsPath(scope)}`;
  if (!isRead) {
    const path = rulesetPath(scope, target.rulesetId ?? "<id>");
    if (policy.adopts !== undefined)
      return {
        writes: [{ call: `PATCH ${path}/rules/${policy.adopts}`, unless: "the rule already has this content" }],
      };
    const made = target.rulesetId === undefined ? `there is no entry point yet (then ${root} creates it), or ` : "";
    return {
      writes: [{ call: `POST ${path}/rules`, unless: `${made}an equal rule already exists and is taken over` }],
    };
  }
  if (ruleset === undefined) return { writes: [{ call: root }] };
  if (takeover?.kind !== "taken") return { writes: [{ call: `POST ${rulesetPath(scope, ruleset.id)}/rules` }] };
  const { rule, differences } = takeover;
  const name = position === undefined ? undefined : anchorOf(position);
  const isPlaced = name === undefined || findAnchor(ruleset.rules, name) !== undefined;
  const op = isPlaced ? firstWrite(session, desired, ruleset, takeover) : ({ kind: "change", id: rule.id } as const);
  const isTaken = !runRecord(session).dropped.has(rule.id);
  return {
    writes: op === undefined ? [] : [ruleRequest(scope, ruleset.id, op)],
    rules:
      isTaken && !isUnknown(desired.ref) ? { [desired.ref]: { id: rule.id, changes: differences.length > 0 } } : {},
  };
}

/** No other resource of this program may manage the rule or the whole of its ruleset. */
function checkRuleClaim({ session, urn }: RuleRequest, desired: Desired, ruleset: Ruleset | undefined): Findings {
  const { target, ref, where, policy } = desired;
  const rulesets = rulesetKeys(target, ruleset);
  const existing = ruleset?.rules.find((rule) => rule.ref === ref);
  const whole = claimParts(session, urn, rulesets);
  if (whole !== undefined) return failure([], wholeAndPartText(where, whole, urn));
  return checkClaim(session, urn, {
    keys: ruleKeysIn(rulesets, [ref, policy.adopts, existing?.id]),
    refusal: (other) => twoRuleOwnersText(ruleInWords(ref, where), other, urn),
  });
}

/** Checks a rule of a ruleset that is given by its ID, once its phase is known. */
function checkPlaced(request: RuleRequest, inputs: Pending<RuleInputs>): Findings {
  const { phase, __kind: kind, __byId: byId } = inputs;
  if (byId !== true) return NO_FINDINGS;
  const place = { phase, kind: kind ?? NOT_KNOWN };
  return redactFindings(checkRuleIn(request.args, place), request);
}

/**
 * Checks that the positions in the program are consistent, and that the rule named by this position exists or will
 * exist.
 */
function checkPosition(
  { session, urn, olds }: RuleRequest,
  desired: Desired,
  { isRead, ruleset }: Inspected,
): Findings {
  const { target, ref, position, where } = desired;
  if (!isKnownTarget(target) || isUnknown(ref)) return NO_FINDINGS;
  const key = targetId(target);
  const findings = checkRequestedPosition(session, key, { urn, ref, position });
  const name = position === undefined ? undefined : anchorOf(position);
  const isNew = olds === undefined || !sameJson(olds.position, position);
  if (position === undefined || name === undefined || !isNew || !isRead || findings.failures.length > 0)
    return findings;
  const rules = ruleset?.rules ?? [];
  const declared = otherClaimant(session, urn, ruleKeysIn(rulesetKeys(target, ruleset), [name]), { parts: false });
  if (findAnchor(rules, name) !== undefined || declared !== undefined) return findings;
  return failure(["position", "before" in position ? "before" : "after"], anchorMissingText(where, name, rules));
}

/** What a new rule finds under its ref. */
interface FoundRule {
  readonly ruleset: Ruleset;
  readonly takeover: Takeover;
  readonly findings: Findings;
}

async function checkTakeover(
  { session, urn, preview }: RuleRequest,
  desired: Desired,
  ruleset: Ruleset,
): Promise<FoundRule> {
  const takeover = await decideTakeover(session, desired, ruleset);
  const refused = takeover.kind === "refused";
  if (!refused) reportTakeover(session, urn, takeover, preview);
  return { ruleset, takeover, findings: refused ? failure([], takeover.reason) : NO_FINDINGS };
}

/**
 * Warns in a preview about what a rule needs and the zone's plan does not include, unless the previous rule or, for a
 * new rule, the rules around it show that the account has it.
 */
export async function checkEntitlements(
  request: CheckRequest<typeof RULESET_RULE>,
  { target, rule, ref }: Desired,
  ruleset: Ruleset | undefined,
): Promise<Findings> {
  const { scope, phase, rulesetId } = target;
  const { session, olds } = request;
  if (!shouldCheckPlan(request, scope) || rulesetId !== undefined || !isKnownTarget(target)) return NO_FINDINGS;
  const before = olds === undefined ? (ruleset?.rules ?? []) : [{ ...ruleIn(olds), ref }];
  const others = before.filter((existing) => existing.ref !== ref);
  const needs = findNewNeeds(session, [...others, rule.fields], before, phase);
  // The rule is the resource: `rules[3].action` is its `action`.
  const own = needs.map((need) => ({ ...need, path: need.path.slice(2) }));
  return warnOfUnmetNeeds(session, scope.id, own);
}
