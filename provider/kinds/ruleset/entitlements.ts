import type { CheckRequest } from "../../engine/kind.js";
import { ruleEntries, type KeyedRules } from "../../model/ruleset.js";
import type { WantedRule } from "../../rules/match.js";
import { findNeeds, isEntitled, needWarning, newNeeds, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { RULESET } from "./description.js";
import { isKnownTarget, targetOf } from "./desired.js";
import type { Found } from "./occupied.js";

/**
 * Warns in a preview of what the plan of the zone does not include. The zone is read only where rules need more than the
 * smallest plan has and what stands there does not show that the account has it.
 */
export async function checkEntitlements(
  { session, wanted: args, preview }: CheckRequest<typeof RULESET>,
  wanted: readonly WantedRule[],
  last: KeyedRules | undefined,
  found: Found | undefined,
): Promise<Findings> {
  const target = targetOf(args);
  const { scope, phase, entrypoint } = target;
  const asks = preview && session.previewChecks !== "off" && scope.level === "zones";
  if (!asks || !entrypoint || !isKnownTarget(target)) return NO_FINDINGS;
  const before = last === undefined ? (found?.existing.rules ?? []) : ruleEntries(last).map(({ rule }) => rule);
  const needs = newNeeds(findNeeds(wanted, phase), findNeeds(before, phase));
  const zone = needs.length === 0 ? undefined : await session.zones.find(scope.id);
  if (zone === undefined) return NO_FINDINGS;
  const warnings = needs.filter((need) => !isEntitled(need, zone.plan)).map((need) => needWarning(need, zone));
  return { failures: [], warnings };
}
