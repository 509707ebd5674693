import type { GivenArguments } from "../../../engine/description.js";
import type { Request } from "../../../engine/request.js";
import { redactFindings } from "../../../engine/secrets.js";
import { entrypointKind, shortRulesetId } from "../../../../core/model/ids.js";
import { isObject, omit, pick, type Json, type JsonObject } from "../../../../core/model/json.js";
import { withoutEmptyIdentity } from "../../../../core/model/ruleset.js";
import { isUnknown, UNKNOWN, type Pending } from "../../../../core/model/unknown.js";
import { normaliseRule } from "../../../../core/rules/normalise.js";
import {
  checkId,
  checkRefs,
  checkRule,
  checkScope,
  failure,
  joinFindings,
  NO_FINDINGS,
  type Findings,
} from "../../../validation/index.js";
import { checkPositionIndex } from "../../../validation/checks/positions.js";
import { scopeIn } from "../desired.js";
import { RULE_FIELDS, type RULESET_RULE, type RuleInputs } from "./description.js";

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
export function checkArguments(request: Request<Given>): Findings {
  const { args } = request;
  const { phase, rulesetId } = args;
  const place = { zoneId: args.zoneId, accountId: args.accountId, phase: phase === undefined ? UNKNOWN : phase };
  return redactFindings(
    joinFindings([
      checkScope(place),
      ...(["rulesetId", "ruleId"] as const).map((name) =>
        args[name] === undefined ? NO_FINDINGS : checkId([name], args[name]),
      ),
      checkRefArgument(args.ref),
      checkPositionIndex(args.position),
      // The phase of a ruleset that is given by its ID is not known yet.
      rulesetId === undefined ? checkRuleIn(args, { phase, kind: entrypointKind(scopeIn(args)) }) : NO_FINDINGS,
    ]),
    request,
  );
}

/** Checks the rule in the arguments for its phase and kind; faults are reported with the names of the arguments. */
export function checkRuleIn(args: Given, place: { readonly phase: unknown; readonly kind: unknown }): Findings {
  return checkRule(pick(args, FIELDS), { ...place, level: scopeIn(args).level }, []);
}

function checkRefArgument(ref: Json | undefined): Findings {
  if (ref === undefined || isUnknown(ref)) return NO_FINDINGS;
  if (typeof ref !== "string" || ref === "") return failure(["ref"], "must be a non-empty string");
  return checkRefs([{ ref }], () => []);
}
