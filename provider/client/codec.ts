import { isList, isObject, mapFrom, textsIn, type Json, type JsonObject } from "../model/json.js";
import type { RulesetRule } from "../model/generated/rule.js";
import { parseRule } from "../model/parse-rule.js";
import { withoutEmptyIdentity, type DeployedRule, type Ruleset, type RulesetSummary } from "../model/ruleset.js";
import { getShape, type FieldType, type Shape } from "../model/shapes.js";

/**
 * A rule in the service's format: snake_case names, with the raw fields of `wire` merged in and an empty identity removed.
 * Keys of user maps are not renamed.
 */
export function ruleToWire(rule: RulesetRule): JsonObject {
  return shapeToWire(withoutEmptyIdentity(rule), getShape("RulesetRule"));
}

function shapeToWire(value: JsonObject, shape: Shape): JsonObject {
  const typed = Object.entries(value).flatMap<readonly [string, Json | undefined]>(([key, item]) => {
    if (item === undefined || (key === "wire" && shape.raw)) return [];
    const field = shape.byName[key];
    return field === undefined ? [[key, item]] : [[field.wire, valueToWire(item, field.type)]];
  });
  const raw = shape.raw && isObject(value.wire) ? Object.entries(value.wire) : [];
  return Object.fromEntries([...typed, ...raw]);
}

function valueToWire(value: Json, type: FieldType): Json {
  if (type.kind === "shape" && isObject(value)) return shapeToWire(value, getShape(type.name));
  if (type.kind === "list" && isList(value)) return value.map((item) => valueToWire(item, type.of));
  if (type.kind === "map" && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueToWire(item ?? null, type.of)]));
  }
  return value;
}

const identity = new Set(["id", "ref"]);
const serverFields = new Set(["version", "last_updated", "categories"]);

/** Converts a rule of a response. Fields without a typed name go into `wire`, so that nothing is lost. */
export function ruleFromWire(wire: JsonObject): DeployedRule {
  const own = Object.fromEntries(
    Object.entries(wire)
      .filter(([key]) => !serverFields.has(key))
      .map(([key, value]) => [key, identity.has(key) ? text(value) : value] as const),
  );
  const id = text(wire.id) ?? "";
  return {
    ...parseRule(shapeFromWire(own, getShape("RulesetRule"))),
    id,
    ref: wire.ref === "" ? id : (text(wire.ref) ?? id),
    version: text(wire.version) ?? "",
    ...optional("lastUpdated", text(wire.last_updated)),
    ...optional("categories", isList(wire.categories) ? textsIn(wire.categories) : undefined),
  };
}

function shapeFromWire(value: JsonObject, shape: Shape): JsonObject {
  const typed: [string, Json][] = [];
  const raw: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue;
    const field = shape.byWire[key];
    if (field !== undefined) typed.push([field.name, fieldFromWire(item, field.type, shape.name)]);
    else (shape.raw ? raw : typed).push([key, item]);
  }
  return Object.fromEntries<Json>(raw.length > 0 ? [...typed, ["wire", Object.fromEntries(raw)]] : typed);
}

function fieldFromWire(value: Json, type: FieldType, owner: string): Json {
  if (type.kind === "shape") {
    if (owner.endsWith("CacheKeyCustomKeyQueryString")) return queryParameters(value);
    return isObject(value) ? shapeFromWire(value, getShape(type.name)) : value;
  }
  if (type.kind === "list" && isList(value)) {
    return value.map((item) => fieldFromWire(item, type.of, owner));
  }
  if (type.kind === "map" && isObject(value)) {
    return mapFrom(
      Object.entries(value).map(([key, item]) => [key, fieldFromWire(item ?? null, type.of, owner)] as const),
    );
  }
  return value;
}

/** The service writes the query parameters of a cache key as `{ all }`, `{ list }`, `"*"` or a bare list. */
function queryParameters(value: Json): Json {
  if (value === "*") return { all: true };
  if (Array.isArray(value)) return { lists: value };
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k === "list" ? "lists" : k, v ?? null]))
    : value;
}

/** Converts a ruleset of a response, without its rules. */
export function summaryFromWire(wire: JsonObject): RulesetSummary {
  return {
    id: text(wire.id) ?? "",
    name: text(wire.name) ?? "",
    description: text(wire.description) ?? "",
    kind: text(wire.kind) ?? "",
    phase: text(wire.phase) ?? "",
    version: text(wire.version) ?? "",
    ...optional("lastUpdated", text(wire.last_updated)),
  };
}

/** Converts a ruleset of a response; `rules` may be absent when it is empty. */
export function rulesetFromWire(wire: JsonObject): Ruleset {
  const rules = isList(wire.rules) ? wire.rules : [];
  return { ...summaryFromWire(wire), rules: rules.filter(isObject).map(ruleFromWire) };
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
