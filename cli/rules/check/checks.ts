import type { Check } from "./finding.js";
import { meaningChecks } from "./meaning-checks.js";
import { planChecks } from "./plan-checks.js";
import { ruleChecks } from "./rule-checks.js";

/** Every check of `rules check`: to add one, add a line. */
export const CHECKS: readonly Check[] = [ruleChecks, planChecks, meaningChecks];

/** Every name that a finding can have, with a sentence about it. */
export const FINDING_NAMES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...CHECKS.map(({ names }) => names),
) as Record<string, string>;
