/** One list for the provider, the commands and the analysis, which knows nothing of the provider. */
export {
  managedRuleName,
  managedRulesetIdOf,
  managedRulesetName,
  managedRulesets,
  managedRulesetWords,
  SCORING_RULE,
  withManagedName,
} from "../../simulator/managed-rulesets.js";
