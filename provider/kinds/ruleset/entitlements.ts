import type { WantedRule } from "../../rules/match.js";
import { ruleEntries } from "../../model/ruleset.js";
import { findNeeds, isEntitled, needWarning, newNeeds, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { CheckRequest } from "./check-request.js";
import { isKnownTarget, keyedRules, targetOf, type CheckedInputs } from "./model.js";
import type { Found } from "./occupied.js";

/**
 * Warns in a preview of what the plan of the zone does not include. The zone is read only where rules need more than the
 * smallest plan has and what stands there does not show that the account has it.
 */
export async function checkEntitlements(
  { session, args, olds, preview }: CheckRequest,
  wanted: readonly WantedRule[],
  found: Found | undefined,
): Promise<Findings> {
  const target = targetOf(args as unknown as CheckedInputs);
  const { scope, phase, entrypoint } = target;
  const asks = preview && session.previewChecks !== "off" && scope.level === "zones";
  if (!asks || !entrypoint || !isKnownTarget(target)) return NO_FINDINGS;
  const before =
    olds === undefined ? (found?.existing.rules ?? []) : ruleEntries(keyedRules(olds)).map(({ rule }) => rule);
  const needs = newNeeds(findNeeds(wanted, phase), findNeeds(before, phase));
  const zone = needs.length === 0 ? undefined : await session.zones.find(scope.id);
  if (zone === undefined) return NO_FINDINGS;
  const warnings = needs.filter((need) => !isEntitled(need, zone.plan)).map((need) => needWarning(need, zone));
  return { failures: [], warnings };
}
