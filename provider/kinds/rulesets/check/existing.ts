import { rulesetResourceId } from "../../../../core/model/ids.js";
import { isObject, textOf } from "../../../../core/model/json.js";
import { isUnknown, NOT_KNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import type { WantedRule } from "../../../../core/rules/match.js";
import { claim } from "../../../engine/claims.js";
import { readInCheck, type Request } from "../../../engine/request.js";
import { twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { twoOwnersText } from "../../../ownership/ruleset-messages.js";
import { ruleInWords } from "../../../ownership/words.js";
import { failure, type Findings } from "../../../validation/index.js";
import { isKnownTarget, objectKeys, ruleKeysIn, type Target } from "../desired.js";
import { planTakeover, type TakeoverPlan } from "../new-resource.js";
import { claimRuleset } from "../run.js";
import type { ExistingCheck, RuleList, RulesetCheck } from "./inputs.js";

/** Whether a check may ask the service about a ruleset, and knows which one it is. */
export function mayRead({ session, preview }: Pick<Request, "session" | "preview">, target: Target): boolean {
  return isKnownTarget(target) && !(session.previewChecks === "off" && preview);
}

const NOT_INSPECTED: ExistingCheck = { isRead: false, findings: [] };

/** Reads what exists where a resource will be created, if it can be read and previews may do so. */
export async function checkExisting(checking: RulesetCheck, { wanted }: RuleList): Promise<ExistingCheck> {
  const { session, olds, given, urn, place } = checking;
  const { target, where, name, reach, policy } = place;
  const isPending = [given.__adopt, given.onExisting, given.onConflict, given.ownership].includes(NOT_KNOWN);
  const stays = olds !== undefined && (target.rulesetId === undefined || olds.rulesetId === target.rulesetId);
  if (stays || isPending || !mayRead(checking, target)) return NOT_INSPECTED;
  // A list of this program that no longer contains the rules may be written while the ruleset is read.
  checkRuleClaims(
    checking,
    wanted,
    wanted.map((rule) => (isObject(rule) ? textOf(rule.ref) : "")),
  );
  const resource = { ...{ target, where, name: valueIfKnown(name), reach, policy }, wanted, urn };
  const read = await readInCheck(checking, `what is in ${where}`, () => planTakeover(session, resource));
  if (!read.isRead) return read;
  const found = read.value;
  const { level, id } = target.scope;
  const named = policy.adopts ?? target.rulesetId;
  if (found === undefined) {
    const missing = `there is no ruleset ${named ?? ""} in ${level}/${id}`;
    return { isRead: true, findings: named === undefined ? [] : failure(["rulesetId"], missing) };
  }
  if (found.deployed.kind === "managed") {
    const managed = `is one of Cloudflare's managed rulesets (${found.deployed.name}), whose rules can only be overridden where it is executed`;
    return { isRead: true, findings: failure(["rulesetId"], managed) };
  }
  const key = rulesetResourceId(target.scope, found.deployed.id);
  const other = claimRuleset(session, urn, [key], policy.ownership);
  if (other !== undefined) return { isRead: true, findings: failure([], twoOwnersText(where, other, urn)) };
  const { refusal } = found;
  return { isRead: true, found, findings: refusal === undefined ? [] : failure([], refusal.message) };
}

/** Two resources of one program that share a ruleset must have different rules, whether their refs are set or derived. */
export function checkRuleClaims(
  { session, urn, place }: Pick<RulesetCheck, "session" | "urn" | "place">,
  wanted: readonly WantedRule[],
  refs: readonly (string | undefined)[],
  found?: TakeoverPlan,
): Findings {
  const { reach, target, where, policy } = place;
  if (!reach.isPart || urn === "" || !isKnownTarget(target)) return [];
  const rulesets = objectKeys(target, found?.deployed.id ?? policy.adopts);
  return wanted.flatMap((rule, index) => {
    // A rule that is still completely unknown has no ref.
    if (!isObject(rule)) return [];
    const ref = isUnknown(rule.ref) ? undefined : refs[index];
    const existing = found?.deployed.rules.find((one) => one.ref === ref || one.id === rule.id);
    const names = [ref, textOf(rule.id), existing?.ref, existing?.id];
    const other = claim(session, urn, ruleKeysIn(rulesets, names));
    const path = reach.argumentPath(["rules", index]);
    return other === undefined ? [] : failure(path, twoRuleOwnersText(ruleInWords(ref ?? "", where), other, urn));
  });
}
