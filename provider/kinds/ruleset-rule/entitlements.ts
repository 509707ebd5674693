import type { CheckRequest } from "../../engine/kind.js";
import type { Ruleset } from "../../model/ruleset.js";
import { NO_FINDINGS, type Findings } from "../../validation/index.js";
import { shouldCheckPlan, findNewNeeds, warnOfUnmetNeeds } from "../ruleset/entitlements.js";
import type { RULESET_RULE } from "./description.js";
import { isKnownTarget, ruleIn, type Desired } from "./desired.js";

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
