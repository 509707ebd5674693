import { checkCache } from "../../engine/check-cache.js";
import { ignorableNames } from "../../engine/description.js";
import type { Request } from "../../engine/request.js";
import { redactFindings } from "../../engine/secrets.js";
import { phaseResourceId } from "../../model/ids.js";
import { isObject, type Json } from "../../model/json.js";
import { isUnknown, type Pending } from "../../model/unknown.js";
import { twoOwnersText } from "../../ownership/ruleset-messages.js";
import {
  checkRules,
  checkScope,
  failure,
  joinFindings,
  NO_FINDINGS,
  readIgnored,
  type Findings,
} from "../../validation/index.js";
import type { GivenRulesetArguments, RulesetDescription, RulesetInputs } from "./description.js";
import { isKnownTarget, targetOf, targetWords } from "./desired.js";
import { lastDesired } from "./last-desired.js";
import { claimRuleset } from "./ledgers.js";
import { checkOptions } from "./options.js";
import { refuseSecretRefs } from "./secret-refs.js";

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
  if (olds !== undefined) session.part(lastDesired).parse(urn, olds);
  const { zoneId, accountId, phase, kind, rules } = args;
  const place = { zoneId, accountId, phase, ...(description.type === "Ruleset" ? { kind: kind ?? "" } : {}) };
  const mayBeMissing = keptInputs.includes("rules") || description.type === "Ruleset";
  return joinFindings([
    redactFindings(joinFindings([checkScope(place), checkOptions(description.type, args)]), request),
    checkOwners(request),
    refuseSecretRefs(request),
    readIgnored(ignored, description.type, ignorableNames(description)).findings,
    rules === undefined && mayBeMissing ? NO_FINDINGS : checkListed(request, rules),
  ]);
}

function checkListed(request: GivenRequest, rules: Json | undefined): Findings {
  if (isUnknown(rules)) return NO_FINDINGS;
  if (!Array.isArray(rules)) return failure(["rules"], notAListText(rules));
  const { phase, zoneId, accountId } = request.args;
  const isPlaced = zoneId !== undefined || accountId !== undefined;
  const kind = isPlaced ? targetOf(request.args).kind : undefined;
  const once = request.session.part(checkCache);
  return redactFindings(
    once.get("rules", [rules, phase, kind], () => checkRules(rules, { phase, kind })),
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
function checkOwners({ session, urn, args }: GivenRequest): Findings {
  const target = targetOf(args);
  if (!target.entrypoint || !isKnownTarget(target)) return NO_FINDINGS;
  if (isUnknown(args.ownership)) return NO_FINDINGS;
  const keys = [phaseResourceId(target.scope, target.phase)];
  const other = claimRuleset(session, urn, keys, args.ownership === "shared" ? "shared" : "exclusive");
  return other === undefined ? NO_FINDINGS : failure([], twoOwnersText(targetWords(target), other, urn));
}
