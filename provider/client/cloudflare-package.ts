import { isList, isObject, mapFrom, type Json, type JsonObject, textOf } from "../model/json.js";
import type { DeployedRule } from "../model/ruleset.js";
import { getShape, type FieldType, type Shape, snakeCase } from "../model/shapes.js";
import { isUnknown } from "../model/unknown.js";
import { ruleFromWire } from "./codec.js";

/** What the service adds to a rule; each is missing if the state does not contain it. */
type Answered = "id" | "ref" | "version" | "lastUpdated";

/** A rule in a state of Cloudflare's own package or provider. */
type PackageRule = Omit<DeployedRule, Answered> & Partial<Pick<DeployedRule, Answered>>;

/**
 * Reads a rule of a `cloudflare_ruleset` in a state of Terraform, or of a `cloudflare.Ruleset` in a state of Pulumi. The
 * provider has blocks up to version 4, which are lists of one, and attributes since version 5; the Pulumi package has its
 * own spelling of the names. Fields that this package does not know go into `wire`, as for a response of the service.
 */
export function ruleFromPackage(rule: JsonObject): PackageRule {
  const wire = toWire(rule, getShape("RulesetRule"));
  const { id, ref, version, lastUpdated, categories: _tags, ...content } = ruleFromWire(wire);
  return {
    ...content,
    ...(id === "" ? {} : { id }),
    ...(wire.ref === undefined ? {} : { ref }),
    ...(version === "" ? {} : { version }),
    ...(lastUpdated === undefined ? {} : { lastUpdated }),
  };
}

function toWire(value: JsonObject, shape: Shape): JsonObject {
  const entries = Object.entries(value).flatMap(([key, item]): (readonly [string, Json])[] => {
    const field = shape.byWire[key] ?? shape.byName[key];
    const name = field?.wire ?? snakeCase(key);
    if (item === undefined || isInternal(key) || isLatestVersion(name, item, shape)) return [];
    if (isNothing(item, name) && !isEmptyOnPurpose(value, key)) return [];
    if (key === "status" && field === undefined) return [["enabled", item === "enabled"]];
    const made = field === undefined ? item : typeToWire(item, field.type);
    return made === undefined ? [] : [[name, made]];
  });
  return mapFrom(entries);
}

/** Pulumi records next to the inputs which of them were defaults. */
function isInternal(key: string): boolean {
  return key.startsWith("__");
}

/** The service adds to an executed ruleset that its latest version runs, and no program writes that. */
function isLatestVersion(name: string, item: Json, shape: Shape): boolean {
  return name === "version" && item === "latest" && shape.name !== "RulesetRule";
}

/** A state contains every argument, with null or an empty value if it was never set. */
function isNothing(item: Json, name: string): boolean {
  if (item === null || (Array.isArray(item) && item.length === 0)) return true;
  return item === "" || (item === 0 && NEVER_ZERO.has(name));
}

/** A query that is rewritten to an empty one. */
function isEmptyOnPurpose(object: JsonObject, key: string): boolean {
  return (
    key === "value" &&
    object.value === "" &&
    Object.entries(object).every(([one, item]) => one === key || isInternal(one) || isNothing(item ?? null, one))
  );
}

const NEVER_ZERO = new Set(["port", "status_code", "read_timeout", "score_per_period", "requests_per_period"]);

function typeToWire(item: Json, type: FieldType): Json | undefined {
  if (isUnknown(item)) return item;
  switch (type.kind) {
    case "plain":
      return item;
    case "shape": {
      const inside = isList(item) && item.every(isObject) ? item[0] : item;
      return isObject(inside) ? toWire(inside, getShape(type.name)) : wildcard(inside);
    }
    case "list":
      return isList(item) ? item.map((one) => elementToWire(one, type.of)) : item;
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
  return typeToWire(item, type) ?? null;
}

/** In version 4, headers are blocks with a name, and lists of rule IDs are comma-separated strings. */
function mapToWire(item: Json, type: FieldType): Json {
  if (isList(item)) {
    const named = item.filter(isObject);
    return mapFrom(named.map(({ name, ...rest }) => [textOf(name), typeToWire(rest, type) ?? {}] as const));
  }
  if (!isObject(item)) return item;
  return mapFrom(
    Object.entries(item).flatMap(([key, one]) => {
      if (one === undefined || one === null || key === "__defaults") return [];
      const list = type.kind === "list" && typeof one === "string" && !isUnknown(one) ? one.split(/\s*,\s*/) : one;
      return [[key, typeToWire(list, type) ?? null] as const];
    }),
  );
}
