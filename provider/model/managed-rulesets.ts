/** One list for the provider, the commands and the analysis, which knows nothing of the provider. */
export {
  managedName,
  managedRulesetIdOf,
  managedRulesetName,
  managedRulesets,
  managedRulesetWords,
  SCORING_RULE,
  withManagedName,
  type NameOf,
} from "../../simulator/managed-rulesets.js";
