import type { RulesetRule } from "../model/generated/rule.js";
import { isObject } from "../model/json.js";
import type { DeployedRule } from "../model/ruleset.js";
import { contentOf, overlay, ruleOf, sameContent } from "./content.js";
import { writtenAs } from "./form.js";

/**
 * What a program's rule has become at the service since its last answer, in the program's words: the rule itself where
 * nothing changed.
 */
export function ruleNow(
  declared: RulesetRule | undefined,
  last: DeployedRule | undefined,
  actual: DeployedRule,
): RulesetRule {
  const now = ruleOf(contentOf(actual));
  if (declared === undefined) return now;
  if (last === undefined) return sameContent(declared, actual) ? declared : now;
  if (sameContent(last, actual)) return declared;
  const before = contentOf(last);
  const overlaid = overlay(declared, before, writtenAs(contentOf(actual), before));
  return isObject(overlaid) ? ruleOf(overlaid) : now;
}
