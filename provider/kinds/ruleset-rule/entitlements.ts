import type { CheckRequest } from "../../engine/kind.js";
import type { Ruleset } from "../../model/ruleset.js";
import { NO_FINDINGS, type Findings } from "../../validation/index.js";
import { asksForPlan, neededNow, unmetNeeds } from "../ruleset/entitlements.js";
import type { RULESET_RULE } from "./description.js";
import { isKnownTarget, ruleIn, type Desired } from "./desired.js";

/**
 * Warns in a preview of what a rule needs that the plan of its zone does not include, and that neither the rule as it was
 * nor, for a new one, the rules beside it show the account to have.
 */
export async function checkEntitlements(
  request: CheckRequest<typeof RULESET_RULE>,
  { target, rule, ref }: Desired,
  ruleset: Ruleset | undefined,
): Promise<Findings> {
  const { scope, phase, rulesetId } = target;
  const { session, olds } = request;
  if (!asksForPlan(request, scope) || rulesetId !== undefined || !isKnownTarget(target)) return NO_FINDINGS;
  const before = olds === undefined ? (ruleset?.rules ?? []) : [{ ...ruleIn(olds), ref }];
  const others = before.filter((standing) => standing.ref !== ref);
  const needs = neededNow([...others, rule.fields], before, phase);
  // The rule is the resource: `rules[3].action` is its `action`.
  const own = needs.map((need) => ({ ...need, path: need.path.slice(2) }));
  return unmetNeeds(session, scope.id, own);
}
