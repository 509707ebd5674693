import { findNeeds, isEntitled, needWarning } from "../../../provider/validation/index.js";
import type { Check } from "./finding.js";
import { toFinding } from "./rule-checks.js";

/** What the plan of a zone does not include. Without a zone or `--plan` it reports nothing. */
export const planChecks: Check = {
  names: { plan: "The plan of the zone does not include something" },
  run: ({ rulesets, zone }) => {
    const plan = zone?.plan;
    if (zone === undefined || plan === undefined) return [];
    return rulesets.flatMap(({ input }, ruleset) => {
      if (input.accountId !== undefined) return [];
      const needs = findNeeds(input.rules, input.phase).filter((need) => !isEntitled(need, plan));
      return needs.map((need) =>
        toFinding({ check: "plan", ...needWarning(need, { name: zone.name, plan }) }, "warning", ruleset),
      );
    });
  },
};
