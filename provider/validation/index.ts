export {
  errorsIn,
  failure,
  findingText,
  hasErrors,
  checkKnownName,
  checkKnownValue,
  warning,
  withCode,
  type ArgumentFinding,
  type Findings,
} from "../../core/model/failure.js";
export { checkRule, checkRules } from "./rules.js";
export { checkIgnored, checkIgnoredRefs, readIgnored, type IgnoredField } from "./checks/ignored.js";
export { checkMeaning, effectOfEdit, type EditOfRules, type JudgedPart } from "./checks/meaning.js";
export { effectText, listEffectText } from "./published-effect.js";
export { checkAtMostOne } from "./checks/groups.js";
export { checkRefs } from "./checks/refs.js";
export { checkSkipOrder } from "./checks/skip-order.js";
export { checkPhaseName, checkPlace, checkScope, refutable, type Place } from "./checks/scope.js";
export { checkId } from "./checks/ids.js";
export {
  ACCOUNT_CUSTOM_RULES,
  ACCOUNT_CUSTOM_RULESETS,
  ACCOUNT_RULES_EACH,
  phaseLimits,
  rulesIncluded,
  zoneRulesetsIncluded,
  checkRuleCount,
  countNeed,
  featuresNeeded,
  findNeeds,
  isEntitled,
  unknownNeed,
  unmetNeed,
  newNeeds,
  type Need,
  type PlanHolder,
} from "./checks/entitlements.js";
