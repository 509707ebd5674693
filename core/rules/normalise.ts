import { shortRulesetId } from "../model/ids.js";
import { isList, isObject, mapFrom, type Json, type JsonObject } from "../model/json.js";
import { withoutEmptyIdentity } from "../model/ruleset.js";
import { isUnknown } from "../model/unknown.js";
import { withoutEmpty } from "./without-empty.js";

/** Converts full resource IDs to the service's ruleset IDs. */
function shortenIds(rule: JsonObject): JsonObject {
  const parameters = rule.actionParameters;
  if (!isObject(parameters)) return rule;
  const shorten = (id: Json | undefined): Json =>
    typeof id === "string" && !isUnknown(id) ? shortRulesetId(id) : (id ?? null);
  const { id, rulesets, rules } = parameters;
  const shortened = {
    ...parameters,
    ...(id === undefined ? {} : { id: shorten(id) }),
    ...(isList(rulesets) ? { rulesets: rulesets.map(shorten) } : {}),
    ...(isObject(rules)
      ? { rules: mapFrom(Object.entries(rules).map(([key, list]) => [shortRulesetId(key), list ?? null] as const)) }
      : {}),
  };
  return { ...rule, actionParameters: shortened };
}

/** Normalises the arguments of a ruleset: its rules, and the ID of a ruleset to take over. */
export function normaliseRulesetArguments(args: JsonObject): JsonObject {
  const { rules, rulesetId } = args;
  return {
    ...args,
    ...(isList(rules) ? { rules: rules.map((rule) => normaliseRule(rule)) } : {}),
    ...(typeof rulesetId === "string" ? { rulesetId: shortRulesetId(rulesetId) } : {}),
  };
}

/** Removes fields without a meaning from a program's rule. Unknown values, and values that are not rules, are not changed. */
export function normaliseRule(rule: JsonObject): JsonObject;
export function normaliseRule(rule: Json): Json;
export function normaliseRule(rule: unknown): unknown;
export function normaliseRule(rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  return shortenIds(withoutEmpty(withoutEmptyIdentity(rule)));
}
