import type { Check } from "./finding.js";
import { listChecks } from "./list-checks.js";
import { descriptionChecks } from "./description-checks.js";
import { expiryChecks } from "./expiry-checks.js";
import { meaningChecks } from "./meaning-checks.js";
import { planChecks } from "./plan-checks.js";
import { ruleChecks } from "./rule-checks.js";

/** Every check of `rules check`. To add one, add a line. */
export const CHECKS: readonly Check[] = [
  ruleChecks,
  listChecks,
  planChecks,
  meaningChecks,
  expiryChecks,
  descriptionChecks,
];

/** Every finding name, with a sentence that describes it. */
export const FINDING_NAMES: Readonly<Record<string, string>> = Object.assign(
  {},
  ...CHECKS.map(({ names }) => names),
) as Record<string, string>;
