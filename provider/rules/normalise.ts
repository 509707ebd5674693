import { KEEP_EMPTY } from "./defaults.js";
import { shortRulesetId } from "../model/ids.js";
import { isList, isObject, mapFrom, type Json, type JsonObject } from "../model/json.js";
import { withoutEmptyIdentity } from "../model/ruleset.js";
import { getShape, type FieldType, type Shape } from "../model/shapes.js";
import { isUnknown } from "../model/unknown.js";

const RULE: FieldType = { kind: "shape", name: "RulesetRule" };

/**
 * Removes what means the same as an absent field: null, an empty list where a list is expected, and an empty object where an
 * object is expected that may be empty. Any other value stays, so that it is refused if it does not fit.
 */
function prune(value: Json, type: FieldType): Json | undefined {
  if (value === null) return undefined;
  const kept = pruneInside(value, type);
  if (isList(kept)) return kept.length === 0 && type.kind === "list" ? undefined : kept;
  return isObject(kept) && mayBeEmpty(type) && Object.keys(kept).length === 0 ? undefined : kept;
}

function mayBeEmpty(type: FieldType): boolean {
  return type.kind === "map" || (type.kind === "shape" && getShape(type.name).mayBeEmpty);
}

/** Removes it from the parts of a value. What people name or list themselves, such as a header, stays, even if it is empty. */
function pruneInside(value: Json, type: FieldType): Json {
  if (type.kind === "list" && isList(value)) return value.map((item) => pruneInside(item, type.of));
  if (!isObject(value) || type.kind === "plain" || type.kind === "list") return value;
  const kept = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    if (item === undefined || item === null) return [];
    if (type.kind === "map") return [[name, pruneInside(item, type.of)]];
    const pruned = prune(item, typeOf(getShape(type.name), name));
    if (pruned !== undefined) return [[name, pruned]];
    return KEEP_EMPTY.has(name) && isObject(item) ? [[name, {}]] : [];
  });
  return mapFrom(kept);
}

/** Raw fields are sent as they are, so only the whole of them may be empty. */
function typeOf({ byName, raw }: Shape, name: string): FieldType {
  return byName[name]?.type ?? (raw && name === "wire" ? { kind: "map", of: { kind: "plain" } } : { kind: "plain" });
}

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
  const pruned = pruneInside(withoutEmptyIdentity(rule), RULE);
  return isObject(pruned) ? shortenIds(pruned) : {};
}
