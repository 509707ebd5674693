import { isOfType, ruleType, type NamedType } from "../engine/named-type.js";
import type { RulesetRule } from "../model/generated/rule.js";
import { isObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";

/** A field of a rule: what it contains is checked with the rule, with the path of each fault. */
function field<Name extends keyof RulesetRule>(
  name: Name,
  is: (value: unknown) => boolean,
): NamedType<NonNullable<RulesetRule[Name]>> {
  return ruleType("RulesetRule", is, name);
}

const isText = (value: unknown): boolean => isOfType("string", value);

/** The types of the fields of a rule. The service may return fields that are newer, so contents are not compared. */
export const RULE_FIELD_TYPES = {
  action: field("action", isText),
  actionParameters: field("actionParameters", isObject),
  description: field("description", isText),
  enabled: field("enabled", (value) => isOfType("boolean", value)),
  exposedCredentialCheck: field("exposedCredentialCheck", isObject),
  expression: field("expression", isText),
  id: field("id", isText),
  logging: field("logging", isObject),
  ratelimit: field("ratelimit", isObject),
  ref: field("ref", isText),
  wire: field("wire", isObject),
} as const satisfies { readonly [Name in keyof Required<RulesetRule>]: NamedType<RulesetRule[Name]> };

const FIELDS: readonly (readonly [string, NamedType<unknown>])[] = Object.entries(RULE_FIELD_TYPES);

/** A rule. In checked inputs, the engine's marker may stand for the whole rule or any value in it. */
export const RULE = ruleType<RulesetRule>("RulesetRule", (value) => isUnknown(value) || isRule(value));

function isRule(value: unknown): boolean {
  if (!isObject(value)) return false;
  return FIELDS.every(([name, { is }]) => {
    const part = value[name];
    return part === undefined || part === null || isUnknown(part) || is(part);
  });
}
