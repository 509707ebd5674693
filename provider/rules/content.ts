import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, sameJson, type Json, type JsonObject } from "../model/json.js";
import { KNOWN_DEFAULTS } from "./defaults.js";
import { inNormalForm } from "./form.js";

/** What a rule says as it is written, without ids, versions, and what the service fills in. */
export function contentOf(rule: JsonObject): JsonObject {
  return KNOWN_DEFAULTS.reduce((current, known) => known.strip(current), rule);
}

/** The content with every expression in its normal form, to be compared and never shown: equal ones behave alike. */
export function meaningOf(rule: JsonObject): JsonObject {
  return contentOf(inNormalForm(rule));
}

/** A content as a rule again: what it was made of, without what means nothing. */
export function ruleOf(content: JsonObject): RulesetRule {
  // The service gives every rule an action; rules of managed rulesets have no expression, and nobody declares these.
  return content as RulesetRule;
}

/**
 * What a program's rule has become: where the service's answer changed since the last one, the new value; everywhere
 * else what the program wrote. So what the service adds by itself never shows.
 */
export function overlay(
  declared: Json | undefined,
  last: Json | undefined,
  actual: Json | undefined,
): Json | undefined {
  if (sameJson(last, actual)) return declared;
  if (isObject(last) && isObject(actual)) {
    const base = isObject(declared) ? declared : {};
    const keys = new Set([...Object.keys(base), ...Object.keys(last), ...Object.keys(actual)]);
    const entries = [...keys].map((key) => [key, overlay(base[key], last[key], actual[key])] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return actual;
}
