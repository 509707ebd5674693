import { ruleFromWire } from "../../provider/client/codec.js";
import { isObject, mapFrom, type Json, type JsonObject } from "../../provider/model/json.js";
import { getShape, type FieldType, type Shape } from "../../provider/model/shapes.js";
import { isUnknown } from "../../provider/model/unknown.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";
import type { ForeignResource } from "./foreign.js";
import { snakeCase } from "./pulumi.js";
import { textOf } from "./terraform.js";

/** Converts a ruleset resource of the Cloudflare provider, in any version of it; or returns why it cannot be read. */
export function convertRuleset({ values, id, tool, ownType, name }: ForeignResource): FoundRuleset | string {
  const { rules } = values;
  if (isUnknown(rules)) return "all its rules are marked as sensitive in the state";
  if (textOf(values.kind) === "" || textOf(values.phase) === "")
    return "the state does not contain its kind and its phase";
  const list: readonly Json[] = Array.isArray(rules) ? (rules as Json[]) : [];
  return {
    id,
    name: textOf(values.name),
    description: textOf(values.description),
    kind: textOf(values.kind),
    phase: textOf(values.phase),
    rules: list.filter(isObject).map(convertRule),
    ...(tool === "pulumi" ? { predecessor: { type: ownType, name } } : {}),
  };
}

/**
 * Converts a rule of such a resource: with blocks, which are lists of one, as in version 4 of the provider; with
 * attributes, as in version 5; or with the names of the Pulumi package.
 */
export function convertRule(rule: JsonObject): FoundRule {
  const {
    id,
    ref,
    version: _version,
    lastUpdated: _time,
    categories: _tags,
    ...rest
  } = ruleFromWire(toWire(rule, getShape("RulesetRule")));
  return { ...rest, ...(id === "" ? {} : { id }), ...(ref === "" || ref === id ? {} : { ref }) };
}

function toWire(value: JsonObject, shape: Shape): JsonObject {
  const entries = Object.entries(value).flatMap(([key, item]): (readonly [string, Json])[] => {
    if (item === undefined || (isNothing(item, key) && !isEmptyOnPurpose(value, key))) return [];
    const field = shape.byWire[key] ?? shape.byName[key];
    if (key === "status" && field === undefined) return [["enabled", item === "enabled"]];
    if (field === undefined) return [[snakeCase(key), item]];
    const made = fieldToWire(item, field.type);
    return made === undefined ? [] : [[field.wire, made]];
  });
  return mapFrom(entries);
}

/** A state contains every argument, with null or an empty value if it was never set. */
function isNothing(item: Json, key: string): boolean {
  if (item === null || (Array.isArray(item) && item.length === 0)) return true;
  return item === "" || (item === 0 && NEVER_ZERO.has(key));
}

/** A query that is rewritten to an empty one. */
function isEmptyOnPurpose(object: JsonObject, key: string): boolean {
  return (
    key === "value" &&
    object.value === "" &&
    Object.entries(object).every(([one, item]) => one === key || isNothing(item ?? null, one))
  );
}

const NEVER_ZERO = new Set([
  "port",
  "status_code",
  "statusCode",
  "read_timeout",
  "score_per_period",
  "requests_per_period",
]);

function fieldToWire(item: Json, type: FieldType): Json | undefined {
  if (isUnknown(item)) return item;
  switch (type.kind) {
    case "plain":
      return item;
    case "shape": {
      const inside = Array.isArray(item) && (item as Json[]).every(isObject) ? (item as Json[])[0] : item;
      return isObject(inside) ? toWire(inside, getShape(type.name)) : wildcard(inside);
    }
    case "list":
      return Array.isArray(item) ? (item as Json[]).map((one) => elementToWire(one, type.of)) : item;
    case "map":
      return mapToWire(item, type.of);
  }
}

/** All query parameters are `["*"]` in version 4, and `"*"` in the API. */
function wildcard(item: Json | undefined): Json | undefined {
  return Array.isArray(item) && item.length === 1 && item[0] === "*" ? "*" : item;
}

/** Names of fields to log are strings in version 4, and objects later. */
function elementToWire(item: Json, type: FieldType): Json {
  if (type.kind === "shape" && typeof item === "string" && !isUnknown(item)) return { name: item };
  return fieldToWire(item, type) ?? null;
}

/** In version 4, headers are blocks with a name, and lists of rule IDs are comma-separated strings. */
function mapToWire(item: Json, type: FieldType): Json {
  if (Array.isArray(item)) {
    const named = (item as Json[]).filter(isObject);
    return mapFrom(named.map(({ name, ...rest }) => [textOf(name), fieldToWire(rest, type) ?? {}] as const));
  }
  if (!isObject(item)) return item;
  return mapFrom(
    Object.entries(item).flatMap(([key, one]) => {
      if (one === undefined || one === null) return [];
      const list = type.kind === "list" && typeof one === "string" && !isUnknown(one) ? one.split(/\s*,\s*/) : one;
      return [[key, fieldToWire(list, type) ?? null] as const];
    }),
  );
}
