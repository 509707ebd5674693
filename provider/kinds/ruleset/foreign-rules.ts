import { mapFrom } from "../../model/json.js";
import type { Ruleset } from "../../model/ruleset.js";
import { foreignRules, type RecordedRuleset } from "../../ownership/conflict.js";
import { contentOf } from "../../rules/content.js";
import type { RulesetState } from "./description.js";

/**
 * The rules that this stack never wrote, as a refresh shows them, and where each runs: the first rule of a ruleset has
 * index 1. Nothing where there are none.
 */
export function foreignRulesIn(
  recorded: Pick<RecordedRuleset, "ruleIds">,
  { rules }: Pick<Ruleset, "rules">,
): Pick<RulesetState, "foreignRules"> {
  const foreign = foreignRules(recorded, rules);
  if (foreign.length === 0) return {};
  const shown = foreign.map((rule) => {
    return [rule.ref, { ...contentOf(rule), position: { index: rules.indexOf(rule) + 1 } }] as const;
  });
  return { foreignRules: mapFrom(shown) };
}

/** Whether a state knows rules of others that no refresh has shown yet: it was written by an earlier version. */
export function lacksForeignRules({ ownership, ruleIds, deployedRules, foreignRules }: RulesetState): boolean {
  if (ownership === "shared" || foreignRules !== undefined) return false;
  return deployedRules.length > Object.keys(ruleIds).length;
}
