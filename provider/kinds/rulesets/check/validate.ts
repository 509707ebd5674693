import { phaseResourceId } from "../../../../core/model/ids.js";
import { isObject, type Json } from "../../../../core/model/json.js";
import { isUnknown, type Pending } from "../../../../core/model/unknown.js";
import { checkCache } from "../../../engine/check-cache.js";
import { ignorableNames } from "../../../engine/description.js";
import type { Request } from "../../../engine/request.js";
import { redactFindings } from "../../../engine/secrets.js";
import { reachOf } from "../../../ownership/reach.js";
import { twoOwnersText } from "../../../ownership/ruleset-messages.js";
import { checkPositions } from "../../../validation/checks/positions.js";
import {
  checkRules,
  checkScope,
  failure,
  type Findings,
  type Place,
  readIgnored,
  refutable,
} from "../../../validation/index.js";
import type { GivenRulesetArguments, RulesetDescription, RulesetInputs } from "../description.js";
import { desiredFrom, isKnownTarget, targetOf, targetWords } from "../desired.js";
import { claimRuleset, lastWanted } from "../run.js";
import { refuseSecretRefs } from "./refs.js";

type GivenRequest = Request<GivenRulesetArguments>;

/**
 * Checks the arguments without a request: shapes, tables, names in `ignoreChanges`, and other resources that manage the
 * same ruleset.
 */
export function validate(
  description: RulesetDescription,
  request: GivenRequest,
  olds: Pending<RulesetInputs> | undefined,
): Findings {
  const { session, args, urn, keptInputs, ignored } = request;
  lastWanted({ session, urn, olds }, desiredFrom);
  const { phase, rules } = args;
  const mayBeMissing = keptInputs.includes("rules") || description.type === "Ruleset";
  return [
    redactFindings(
      [
        phase === undefined ? [] : withoutRefutable(placeOf(description.type, args)),
        checkName(description.type, args),
        checkPositions(args.positions),
      ].flat(),
      request,
    ),
    checkOwners(request),
    refuseSecretRefs(request),
    readIgnored(ignored, description.type, ignorableNames(description)).findings,
    rules === undefined && mayBeMissing ? [] : checkListArguments(request, rules),
  ].flat();
}

/** An entry point has no kind of its own. */
export function placeOf(type: string, { zoneId, accountId, phase, kind }: Place): Place {
  return { zoneId, accountId, phase, ...(type === "Ruleset" ? { kind: kind ?? "" } : {}) };
}

/** Whether the service has a ruleset there decides `check`. */
function withoutRefutable(place: Place): Findings {
  const findings = checkScope(place);
  const left = refutable(place, findings);
  return findings.filter((one) => !left.includes(one));
}

function checkListArguments(request: GivenRequest, rules: Json | undefined): Findings {
  if (isUnknown(rules)) return [];
  if (!Array.isArray(rules)) return failure(["rules"], notAListText(rules));
  const { phase, zoneId, accountId } = request.args;
  const isPlaced = zoneId !== undefined || accountId !== undefined;
  const kind = isPlaced ? targetOf(request.args).kind : undefined;
  const level = isPlaced ? targetOf(request.args).scope.level : undefined;
  const once = checkCache(request.session);
  return redactFindings(
    once.get("rules", [rules, phase, kind, level], () => checkRules(rules, { phase, kind, level })),
    request,
  );
}

function notAListText(rules: Json | undefined): string {
  return isObject(rules)
    ? "must be a list of rules, not an object, which has no order: write Object.values(…), or a list. " +
        "The output `rules` of another ruleset is such a list"
    : "must be a list of rules; write [] for no rules";
}

/** Two resources of one program must not own the same entry point, unless they share it. */
export function checkOwners({ session, urn, args }: GivenRequest): Findings {
  const target = targetOf(args);
  if (!target.entrypoint || !isKnownTarget(target)) return [];
  if (isUnknown(args.ownership)) return [];
  const keys = [phaseResourceId(target.scope, target.phase)];
  const other = claimRuleset(session, urn, keys, reachOf(args));
  return other === undefined ? [] : failure([], twoOwnersText(targetWords(target), other, urn));
}

/** An entry point has a name of its own, and a custom ruleset needs one. */
function checkName(type: RulesetDescription["type"], { name, rulesetId }: GivenRequest["args"]): Findings {
  // The service may have a ruleset whose name is empty.
  if (type === "Ruleset" && name === "" && rulesetId !== undefined) return [];
  if (type === "Ruleset") return (name ?? "") === "" ? failure(["name"], "is required") : [];
  return name === "" ? failure(["name"], "must not be empty; leave it out to keep the name") : [];
}
