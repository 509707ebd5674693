import { entrypointKind, shortRulesetId } from "../../../../core/model/ids.js";
import { isObject, type Json, type JsonObject, omit, pick } from "../../../../core/model/json.js";
import { type Path, uniquePaths } from "../../../../core/model/path.js";
import { type DeployedRule, type Ruleset, withoutEmptyIdentity } from "../../../../core/model/ruleset.js";
import { isUnknown, NOT_KNOWN, type Pending, UNKNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { deriveRefOf } from "../../../../core/rules/derive-ref.js";
import { normaliseRule } from "../../../../core/rules/normalise.js";
import type { GivenArguments } from "../../../engine/description.js";
import type { CheckRequest } from "../../../engine/kind.js";
import type { Request } from "../../../engine/request.js";
import { keptSecrets, redactFindings } from "../../../engine/secrets.js";
import { checkPositionIndex } from "../../../validation/checks/positions.js";
import { checkRefs, checkRule, checkScope, failure, type Findings } from "../../../validation/index.js";
import { placeIn, type RulesetCheck } from "../check/inputs.js";
import { checkOwners } from "../check/validate.js";
import { scopeIn, textOrMarker } from "../desired.js";
import { lastWanted } from "../run.js";
import { asList, desiredList } from "./as-list.js";
import { RULE_FIELDS, type RuleInputs, type RULESET_RULE } from "./description.js";

type RuleRequest = CheckRequest<typeof RULESET_RULE>;

/** The check of a rule, as that of a list of one. */
export function asListCheck(request: RuleRequest): RulesetCheck {
  const { olds } = request;
  const { rules, order: _, ...given } = asList(ruleInputs(request, undefined));
  return {
    ...request,
    given,
    list: {
      wanted: rules === NOT_KNOWN ? [] : Object.values(rules),
      secretPathsIn: () => secretsIn(request),
    },
    place: placeIn(given),
    olds: olds === undefined ? undefined : asList(olds),
    last: lastWanted(request, desiredList),
    ignoredFields: [],
    settle: ({ place: { where } }, { isRead, found }) => {
      const inputs = ruleInputs(request, found?.deployed);
      const isNew = olds === undefined && isRead;
      return {
        inputs: asList(inputs),
        refs: [textOrMarker(inputs.ref)],
        findings: [
          checkInRuleset(request, inputs),
          isNew ? checkNames(inputs, where, found?.deployed.rules ?? []) : [],
        ].flat(),
        notes: [],
      };
    },
  };
}

/** The inputs that the engine keeps, as far as they are known from the arguments and the ruleset. */
function ruleInputs(request: RuleRequest, ruleset: Ruleset | undefined): Pending<RuleInputs> {
  const { ruleId, ...args } = request.wanted;
  const secrets = secretsIn(request);
  return {
    ...args,
    ...placeOf(request, ruleset),
    ref: refOf(request, ruleset),
    ...(request.urn === "" ? {} : { __urn: request.urn }),
    ...(ruleId === undefined ? {} : { __adopt: ruleId }),
    ...(secrets.length === 0 ? {} : { __secretPaths: secrets }),
  };
}

function secretsIn(request: RuleRequest): readonly Path[] {
  const kept = keptSecrets(valueIfKnown(request.olds?.__secretPaths) ?? [], request);
  return uniquePaths([...request.secretPaths, ...kept]);
}

/**
 * The ref that the program sets, the ref from the last run, the ref of the rule that it takes over, or one derived from
 * the resource's name.
 */
function refOf({ wanted, olds, urn }: RuleRequest, ruleset: Ruleset | undefined): Pending<RuleInputs>["ref"] {
  if (wanted.ref !== undefined) return wanted.ref;
  if (olds !== undefined) return olds.ref;
  if (wanted.ruleId === undefined) return deriveRefOf(urn);
  return ruleset?.rules.find(({ id }) => id === wanted.ruleId)?.ref ?? NOT_KNOWN;
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

/** Checks a rule of a ruleset that is given by its ID, once its phase is known. */
function checkInRuleset(request: RuleRequest, { phase, __kind: kind }: Pending<RuleInputs>): Findings {
  if (kind === undefined) return [];
  return redactFindings(checkRuleIn(request.args, { phase, kind: kind === "" ? NOT_KNOWN : kind }), request);
}

/** Refuses an ID that is no rule, or the ID of a rule with another ref. */
function checkNames(inputs: Pending<RuleInputs>, where: string, rules: readonly DeployedRule[]): Findings {
  const [ref, adopts] = [textOrMarker(inputs.ref), valueIfKnown(inputs.__adopt)];
  const rule = rules.find(({ id }) => id === (adopts ?? ref));
  if (rule === undefined) return adopts === undefined ? [] : failure([], `there is no rule ${adopts} in ${where}`);
  const isNamed = rules.some((each) => each.ref === ref && (adopts === undefined || each === rule));
  if (isUnknown(ref) || isNamed) return [];
  const [known, write] = [JSON.stringify(rule.ref), `write ref: ${JSON.stringify(rule.ref)}`];
  const text =
    adopts === undefined
      ? `${ref} is the ID of a rule in ${where} whose ref is ${known}: ${write}`
      : `the rule ${adopts} has the ref ${known}: ${write}, or leave ref out`;
  return failure([], text);
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

/** Checks the arguments without a request: shapes, tables, names, and another resource that manages the ruleset. */
export function validate(request: Request<Given>, olds: Pending<RuleInputs> | undefined): Findings {
  const { args } = request;
  lastWanted({ ...request, olds }, desiredList);
  const { phase, rulesetId } = args;
  const place = { zoneId: args.zoneId, accountId: args.accountId, phase: phase === undefined ? UNKNOWN : phase };
  const found = [
    checkScope(place),
    checkRefArgument(args.ref),
    checkPositionIndex(args.position),
    // The phase of a ruleset that is given by its ID is not known yet.
    rulesetId === undefined ? checkRuleIn(args, { phase, kind: entrypointKind(scopeIn(args)) }) : [],
  ].flat();
  return [
    redactFindings(found, request),
    rulesetId === undefined ? checkOwners({ ...request, args: { ...place, ownership: "shared" } }) : [],
  ].flat();
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
