import type { CheckRequest } from "../../engine/kind.js";
import type { Ruleset } from "../../model/ruleset.js";
import { findNeeds, newNeeds, NO_FINDINGS, type Findings } from "../../validation/index.js";
import { unmetNeeds } from "../ruleset/entitlements.js";
import type { RULESET_RULE } from "./description.js";
import { isKnownTarget, ruleIn, type Desired } from "./desired.js";

/**
 * Warns in a preview of what a rule needs that the plan of its zone does not include, and that neither the rule as it was
 * nor, for a new one, the rules beside it show the account to have.
 */
export async function checkEntitlements(
  { session, olds, preview }: CheckRequest<typeof RULESET_RULE>,
  { target, rule, ref }: Desired,
  ruleset: Ruleset | undefined,
): Promise<Findings> {
  const { scope, phase, rulesetId } = target;
  const asks = preview && session.previewChecks !== "off" && scope.level === "zones";
  if (!asks || rulesetId !== undefined || !isKnownTarget(target)) return NO_FINDINGS;
  const before = olds === undefined ? (ruleset?.rules ?? []) : [{ ...ruleIn(olds), ref }];
  const others = before.filter((standing) => standing.ref !== ref);
  const needs = newNeeds(findNeeds([...others, rule.fields], phase), findNeeds(before, phase));
  // The rule is the resource: `rules[3].action` is its `action`.
  const own = needs.map((need) => ({ ...need, path: need.path.slice(2) }));
  return unmetNeeds(session, scope.id, own);
}
