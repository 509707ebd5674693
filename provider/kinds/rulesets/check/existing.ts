import { rulesetResourceId } from "../../../../core/model/ids.js";
import { isObject } from "../../../../core/model/json.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { isUnknown, NOT_KNOWN } from "../../../../core/model/unknown.js";
import type { WantedRule } from "../../../../core/rules/match.js";
import { claim } from "../../../engine/claims.js";
import { readInCheck, type Request } from "../../../engine/request.js";
import { twoOwnersText } from "../../../ownership/ruleset-messages.js";
import { twoRefsText } from "../../../ownership/shared-messages.js";
import { failure, type Findings } from "../../../validation/index.js";
import { isKnownTarget, policyOf, ruleKeys, type Target } from "../desired.js";
import { planTakeover, type TakeoverPlan } from "../new-resource.js";
import { currentAt } from "../read.js";
import { claimRuleset } from "../run.js";
import type { RulesetCheck } from "./inputs.js";

/** Whether a check may ask the service about a ruleset, and knows which one it is. */
export function mayRead({ session, preview }: Pick<Request, "session" | "preview">, target: Target): boolean {
  return isKnownTarget(target) && !(session.previewChecks === "off" && preview);
}

/** A ruleset that was read, or why it could not be. */
export interface Inspected {
  /** Whether it is known what the ruleset contains. */
  readonly isRead: boolean;
  readonly ruleset?: Ruleset | undefined;
  readonly findings: Findings;
}

export const NOT_INSPECTED: Inspected = { isRead: false, findings: [] };

/** Reads a ruleset, if a check may. */
export async function inspect(
  request: Pick<Request, "session" | "urn" | "preview">,
  target: Target,
  name: string,
): Promise<Inspected> {
  if (!mayRead(request, target)) return NOT_INSPECTED;
  const read = await readInCheck(request, `what is in ${name}`, () => currentAt(request.session, target));
  return read.isRead ? { isRead: true, ruleset: read.value, findings: [] } : read;
}

/** What exists where a resource will be created, or why it could not be read or must not be taken over. */
export interface ExistingCheck {
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  readonly found?: TakeoverPlan;
  readonly findings: Findings;
}

/** Reads what exists where a new resource will be created, if it can be read and previews may do so. */
export async function checkExisting(checking: RulesetCheck, wanted: readonly WantedRule[]): Promise<ExistingCheck> {
  const { session, olds, wanted: args, urn, target, name, where, adopts } = checking;
  const isPending = [args.rulesetId, args.onExisting, args.onConflict, args.ownership].includes(NOT_KNOWN);
  if (olds !== undefined || isPending || !mayRead(checking, target)) return NOT_INSPECTED;
  const policy = policyOf({ ...args, ...(adopts === undefined ? {} : { __adopt: adopts }) });
  const resource = { target, where, name, policy, wanted, urn };
  const read = await readInCheck(checking, `whether ${where} is free`, () => planTakeover(session, resource));
  if (!read.isRead) return read;
  const found = read.value;
  if (found === undefined) {
    const missing = `there is no ruleset ${adopts ?? ""} in ${target.scope.level}/${target.scope.id}`;
    return { isRead: true, findings: adopts === undefined ? [] : failure(["rulesetId"], missing) };
  }
  const key = rulesetResourceId(target.scope, found.deployed.id);
  const other = claimRuleset(session, urn, [key], policy.ownership);
  if (other !== undefined) return { isRead: true, findings: failure([], twoOwnersText(where, other, urn)) };
  const { refusal } = found;
  return { isRead: true, found, findings: refusal === undefined ? [] : failure([], refusal.message) };
}

/**
 * Two resources of one program that share a ruleset must have different rules, whether their refs are set or derived. A
 * rule that is still completely unknown has no ref.
 */
export function checkRefClaims(
  { session, refOwner = "", target, where, adopts, wanted: args }: RulesetCheck,
  wanted: readonly WantedRule[],
  refs: readonly string[],
): Findings {
  const known = target.entrypoint || args.rulesetId !== undefined;
  if (refOwner === "" || !known || !isKnownTarget(target)) return [];
  return wanted.flatMap((rule, index) => {
    const ref = refs[index];
    if (ref === undefined || ref === "" || !isObject(rule) || isUnknown(rule.ref)) return [];
    const other = claim(session, refOwner, ruleKeys(target, adopts, [ref]));
    return other === undefined ? [] : failure(["rules", index, "ref"], twoRefsText(where, ref, other));
  });
}
