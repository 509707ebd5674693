import type { RulesetRule } from "../model/generated/rule.js";
import { isObject } from "../model/json.js";
import type { DeployedRule } from "../model/ruleset.js";
import { parseRule } from "../model/parse-rule.js";
import { overlay } from "./content.js";
import { writtenAs } from "./form.js";
import type { Rule } from "./rule.js";

/**
 * The current state of a program's rule, written as in the program as far as possible; the declared rule if nothing changed
 * since the service's last response.
 */
export function currentRule(
  declared: Rule<RulesetRule> | undefined,
  last: Rule<DeployedRule> | undefined,
  actual: Rule<DeployedRule>,
): RulesetRule {
  const current = parseRule(actual.content);
  if (declared === undefined) return current;
  if ((last ?? declared).meansSameAs(actual)) return declared.fields;
  if (last === undefined) return current;
  const before = last.content;
  const overlaid = overlay(declared.fields, before, writtenAs(actual.content, before));
  return isObject(overlaid) ? parseRule(overlaid) : current;
}
