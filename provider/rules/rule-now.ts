import type { RulesetRule } from "../model/generated/rule.js";
import { isObject } from "../model/json.js";
import type { DeployedRule } from "../model/ruleset.js";
import { overlay, ruleOf } from "./content.js";
import { writtenAs } from "./form.js";
import type { Rule } from "./rule.js";

/**
 * What a program's rule has become at the service since its last answer, in the program's words: the rule itself where
 * nothing changed.
 */
export function ruleNow(
  declared: Rule<RulesetRule> | undefined,
  last: Rule<DeployedRule> | undefined,
  actual: Rule<DeployedRule>,
): RulesetRule {
  const now = ruleOf(actual.content);
  if (declared === undefined) return now;
  if ((last ?? declared).says(actual)) return declared.fields;
  if (last === undefined) return now;
  const before = last.content;
  const overlaid = overlay(declared.fields, before, writtenAs(actual.content, before));
  return isObject(overlaid) ? ruleOf(overlaid) : now;
}
