/** One list for the provider, the commands and the analysis, which does not depend on the provider. */
export {
  managedName,
  managedRulesetIdOf,
  managedRulesetName,
  managedRulesetPhase,
  managedRulesets,
  SCORING_RULE,
  withManagedName,
  type NameOf,
} from "../simulator/managed-rulesets.js";
