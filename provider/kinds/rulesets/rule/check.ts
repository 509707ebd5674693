import { entrypointKind, shortRulesetId } from "../../../../core/model/ids.js";
import { isObject, type Json, type JsonObject, omit, pick, sameJson } from "../../../../core/model/json.js";
import { uniquePaths } from "../../../../core/model/path.js";
import { type Ruleset, withoutEmptyIdentity } from "../../../../core/model/ruleset.js";
import { isUnknown, NOT_KNOWN, type Pending, UNKNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { fieldsOf, NO_RULES, ruleEntries } from "../../../../core/rules/keyed.js";
import { normaliseRule } from "../../../../core/rules/normalise.js";
import { findUnanchored } from "../../../../core/rules/placing/position.js";
import { claim, claimParts } from "../../../engine/claims.js";
import type { GivenArguments } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import type { Request } from "../../../engine/request.js";
import { keptSecrets, redactFindings } from "../../../engine/secrets.js";
import { twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { wholeAndPartText } from "../../../ownership/ruleset-messages.js";
import { checkPositionIndex } from "../../../validation/checks/positions.js";
import { checkRefs, checkRule, checkScope, failure, type Findings, hasErrors } from "../../../validation/index.js";
import { concludeCheck, type MatchedRules, type RulesInputs } from "../check/conclude.js";
import { inspect, type Inspected, NOT_INSPECTED } from "../check/existing.js";
import {
  type Desired,
  isKnownTarget,
  objectKeys,
  placeId,
  ruleKeysIn,
  scopeIn,
  type Target,
  targetOf,
  textOrMarker,
} from "../desired.js";
import type { DeclaredRules, Judges } from "../judge.js";
import { checkPlaced, checkPositions } from "../positions.js";
import { lastWanted, thereFor } from "../run.js";
import { desiredList, ruleIn } from "./as-list.js";
import { RULE_FIELDS, type RuleInputs, type RULESET_RULE } from "./description.js";
import { planRule, refOf } from "./new-rule.js";

type RuleRequest = CheckRequest<typeof RULESET_RULE>;

/** Checks the arguments without a request. */
export function validate(
  request: Request<GivenArguments<typeof RULESET_RULE>>,
  olds: Pending<RuleInputs> | undefined,
): Findings {
  lastWanted({ ...request, olds }, desiredList);
  return checkArguments(request);
}

/** What is known of a rule that is checked. */
interface CheckedRule {
  readonly desired: Desired;
  readonly ref: string;
  readonly deployed: Ruleset | undefined;
}

const INPUTS: RulesInputs<typeof RULESET_RULE> = {
  desiredOf: desiredList,
  fieldsOf: (inputs) => [ruleIn(inputs)],
};

/**
 * Determines the rule's ref, and checks which other resources manage the rule and what exists where it will be created
 * or moved.
 */
export async function check(request: RuleRequest, judges: Judges): Promise<Checked<typeof RULESET_RULE>> {
  return concludeCheck(request, await matchRule(request), INPUTS, judges);
}

async function matchRule(request: RuleRequest): Promise<MatchedRules<typeof RULESET_RULE>> {
  const { olds } = request;
  claimNamedRule(request);
  const inspected = await inspectRuleset(request);
  const inputs = checkedRuleInputs(request, inspected.ruleset);
  const rule = { desired: desiredList(inputs), ref: textOrMarker(inputs.ref), deployed: inspected.ruleset };
  const last = lastWanted(request, desiredList);
  return {
    inputs,
    findings: [
      inspected.findings,
      checkRuleClaim(request, rule, valueIfKnown(inputs.__adopt)),
      checkInRuleset(request, inputs),
      checkPositionOfRule(request, rule, inspected),
    ].flat(),
    ...{ desired: rule.desired, last },
    declared: declaredRules(request, rule, inspected, last),
    ...(olds === undefined ? { plan: (desired) => planRule(request, desired, inspected) } : {}),
  };
}

/** What judges look at: the rule, as far as it is known. */
function declaredRules(
  request: RuleRequest,
  { desired, ref, deployed }: CheckedRule,
  { isRead }: Inspected,
  last: Desired | undefined,
): DeclaredRules {
  const entries = ruleEntries(desired.rules ?? NO_RULES);
  const paths = desired.secrets.__secretPaths?.[ref] ?? [];
  const own = deployed?.rules.filter((rule) => rule.ref === ref) ?? [];
  return {
    ...{ request, target: desired.target, name: undefined, reach: desired.reach, last },
    ...{ rules: entries.map(({ rule }) => fieldsOf(rule)), refs: [ref], secretPathsIn: () => paths },
    ...{ isRead, deployed, own: new Set(own.map(({ id }) => id)) },
  };
}

/**
 * Reads the ruleset where a rule will be created or moved; for a rule that stays in place, `diff` reads it if the rule
 * changes.
 */
async function inspectRuleset(request: RuleRequest): Promise<Inspected> {
  const { wanted, olds } = request;
  const target = targetOf({ ...wanted, ...namedById(wanted) });
  const moves = wanted.position !== undefined && !sameJson(wanted.position, olds?.position);
  const sameRuleset = olds !== undefined && (wanted.rulesetId === undefined || olds.rulesetId === wanted.rulesetId);
  if (sameRuleset && !moves) return NOT_INSPECTED;
  const inspected = await inspect(request, target, target.rulesetId ?? target.phase);
  const { ruleset } = inspected;
  const isMissing = inspected.isRead && ruleset === undefined && target.rulesetId !== undefined;
  if (!isMissing && ruleset?.kind !== "managed") return inspected;
  const reason =
    ruleset === undefined
      ? `there is no ruleset ${target.rulesetId ?? ""} in ${target.scope.level}/${target.scope.id}`
      : `is one of Cloudflare's managed rulesets (${ruleset.name}), whose rules can only be overridden where it is executed`;
  return { isRead: true, findings: failure(["rulesetId"], reason) };
}

/**
 * Claims the rule before the ruleset is read: a list of this program that no longer contains the rule may be written
 * meanwhile.
 */
function claimNamedRule({ session, urn, wanted }: RuleRequest): void {
  const { ref, ruleId } = wanted;
  const names = [valueIfKnown(ref), valueIfKnown(ruleId)];
  const target = targetOf({ ...wanted, ...namedById(wanted) });
  if (urn !== "") claim(session, urn, ruleKeysIn(keysOf(target, undefined), names));
}

/** The keys of a rule's ruleset within a run, as far as they are known. */
function keysOf(target: Target, deployed: Pick<Ruleset, "id"> | undefined): string[] {
  return isKnownTarget(target) ? objectKeys(target, deployed?.id) : [];
}

/** No other resource of this program may manage the rule or the whole of its ruleset. */
function checkRuleClaim(
  { session }: RuleRequest,
  { desired, ref, deployed }: CheckedRule,
  adopts: string | undefined,
): Findings {
  const { urn = "", where, words, target } = desired;
  const rulesets = keysOf(target, deployed);
  const whole = claimParts(session, urn, rulesets);
  if (whole !== undefined) return failure([], wholeAndPartText(where, whole, urn));
  const rule = deployed?.rules.find((each) => each.ref === ref);
  const other = urn === "" ? undefined : claim(session, urn, ruleKeysIn(rulesets, [ref, adopts, rule?.id]));
  return other === undefined ? [] : failure([], twoRuleOwnersText(words.subject, other, urn));
}

/** Checks a rule of a ruleset that is given by its ID, once its phase is known. */
function checkInRuleset(request: RuleRequest, inputs: Pending<RuleInputs>): Findings {
  const { phase, __kind: kind } = inputs;
  if (kind === undefined) return [];
  const place = { phase, kind: kind === "" ? NOT_KNOWN : kind };
  return redactFindings(checkRuleIn(request.args, place), request);
}

/**
 * Checks that the positions in the program are consistent, and that the rule named by this position exists or will
 * exist.
 */
function checkPositionOfRule(
  { session, urn, olds }: RuleRequest,
  { desired, ref, deployed }: CheckedRule,
  { isRead }: Inspected,
): Findings {
  const { target, positions, reach } = desired;
  if (!isKnownTarget(target) || isUnknown(ref)) return [];
  const rules = { urn, order: [ref], positions, reach };
  const findings = checkPositions(session, placeId(target), rules);
  const position = positions.get(ref);
  const isNew = olds === undefined || !sameJson(olds.position, position);
  if (position === undefined || !isNew || !isRead || hasErrors(findings)) return findings;
  const unanchored = findUnanchored(positions, deployed?.rules ?? []);
  return checkPlaced(desired, unanchored, thereFor(session, desired, deployed));
}

/** The inputs that the engine keeps. */
function checkedRuleInputs(request: RuleRequest, ruleset: Ruleset | undefined): Pending<RuleInputs> {
  const { wanted, olds, urn, secretPaths } = request;
  const { ruleId, ...args } = wanted;
  const kept = keptSecrets(valueIfKnown(olds?.__secretPaths) ?? [], request);
  const secrets = uniquePaths([...secretPaths, ...kept]);
  return {
    ...args,
    ...placeOf(request, ruleset),
    ref: refOfRule(request, ruleset),
    ...(urn === "" ? {} : { __urn: urn }),
    ...(ruleId === undefined ? {} : { __adopt: ruleId }),
    ...(secrets.length === 0 ? {} : { __secretPaths: secrets }),
  };
}

/** The phase and, for a ruleset that is given by its ID, its kind. */
function placeOf(
  { wanted, olds }: RuleRequest,
  ruleset: Ruleset | undefined,
): Pick<Pending<RuleInputs>, "phase" | "__kind"> {
  const { rulesetId, phase = NOT_KNOWN } = wanted;
  if (rulesetId === undefined) return { phase };
  if (ruleset !== undefined) return { phase: ruleset.phase, __kind: ruleset.kind };
  const same = olds !== undefined && olds.rulesetId === rulesetId && rulesetId !== NOT_KNOWN;
  return same ? { phase: olds.phase, __kind: olds.__kind ?? "" } : { phase: NOT_KNOWN, __kind: "" };
}

/** What says that the program gives the ruleset by its ID, before its kind was read. */
function namedById({ rulesetId }: RuleRequest["wanted"]): { readonly __kind?: string } {
  return rulesetId === undefined ? {} : { __kind: "" };
}

/**
 * The ref that the program sets, the ref from the last run, the ref of the rule that it takes over, or one derived from
 * the resource's name.
 */
function refOfRule({ wanted, olds, urn }: RuleRequest, ruleset: Ruleset | undefined): Pending<RuleInputs>["ref"] {
  if (wanted.ref !== undefined) return wanted.ref;
  if (olds !== undefined) return olds.ref;
  if (wanted.ruleId === undefined) return refOf(urn);
  return ruleset?.rules.find(({ id }) => id === wanted.ruleId)?.ref ?? NOT_KNOWN;
}

type Given = GivenArguments<typeof RULESET_RULE>;

/** With those that say when it applies, as long as they are not part of the others. */
const FIELDS = Object.keys(RULE_FIELDS) as (keyof typeof RULE_FIELDS)[];

/**
 * Normalises the arguments: the rule without fields that mean nothing, and bare IDs. A program gives either the phase
 * or the ruleset, and `check` adds the other; with `ignoreChanges` the engine passes both back.
 */
export function normaliseArguments(args: Given, olds: Pending<RuleInputs> | undefined): JsonObject {
  const { rulesetId, position, ...rest } = withoutEmptyIdentity(withoutKeptPhase(args, olds));
  const rule = normaliseRule(pick(rest, FIELDS));
  return {
    ...omit(rest, FIELDS),
    ...(isObject(rule) ? rule : {}),
    ...(position === undefined || position === null ? {} : { position }),
    ...(rulesetId === undefined
      ? {}
      : { rulesetId: typeof rulesetId === "string" && !isUnknown(rulesetId) ? shortRulesetId(rulesetId) : rulesetId }),
  };
}

function withoutKeptPhase(args: Given, olds: Pending<RuleInputs> | undefined): Given {
  const both = olds?.__kind !== undefined && args.rulesetId !== undefined && args.phase === olds.phase;
  return both ? omit(args, ["phase"]) : args;
}

/** Checks the arguments without a request: shapes, tables and names. */
function checkArguments(request: Request<Given>): Findings {
  const { args } = request;
  const { phase, rulesetId } = args;
  const place = { zoneId: args.zoneId, accountId: args.accountId, phase: phase === undefined ? UNKNOWN : phase };
  return redactFindings(
    [
      checkScope(place),
      checkRefArgument(args.ref),
      checkPositionIndex(args.position),
      // The phase of a ruleset that is given by its ID is not known yet.
      rulesetId === undefined ? checkRuleIn(args, { phase, kind: entrypointKind(scopeIn(args)) }) : [],
    ].flat(),
    request,
  );
}

/** Checks the rule in the arguments for its phase and kind; faults are reported with the names of the arguments. */
function checkRuleIn(args: Given, place: { readonly phase: unknown; readonly kind: unknown }): Findings {
  return checkRule(pick(args, FIELDS), { ...place, level: scopeIn(args).level }, []);
}

function checkRefArgument(ref: Json | undefined): Findings {
  if (ref === undefined || isUnknown(ref)) return [];
  if (typeof ref !== "string" || ref === "") return failure(["ref"], "must be a non-empty string");
  return checkRefs([{ ref }], () => []);
}
