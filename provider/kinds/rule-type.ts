import { ruleType, type NamedType } from "../engine/named-type.js";
import type { RulesetRule } from "../../core/model/generated/rule.js";
import { isFieldValue, isRule, type RuleField } from "../../core/model/parse-rule.js";
import { isUnknown } from "../../core/model/unknown.js";

/** A field of a rule: what it contains is checked with the rule, with the path of each fault. */
function field<Name extends RuleField>(name: Name): NamedType<NonNullable<RulesetRule[Name]>> {
  return ruleType("RulesetRule", (value) => isFieldValue(name, value), name);
}

/** The types of the fields of a rule. */
export const RULE_FIELD_TYPES = {
  action: field("action"),
  actionParameters: field("actionParameters"),
  description: field("description"),
  enabled: field("enabled"),
  exposedCredentialCheck: field("exposedCredentialCheck"),
  expression: field("expression"),
  id: field("id"),
  logging: field("logging"),
  ratelimit: field("ratelimit"),
  ref: field("ref"),
  wire: field("wire"),
} as const satisfies { readonly [Name in RuleField]: NamedType<RulesetRule[Name]> };

/** A rule. In checked inputs, the engine's marker may stand for the whole rule or any value in it. */
export const RULE = ruleType<RulesetRule>("RulesetRule", (value) => isUnknown(value) || isRule(value));
