import { isList, isObject, stableText, type Json, type JsonObject } from "../model/json.js";
import { withTypedFields } from "../model/unchecked.js";
import { KEEP_EMPTY, withoutEmpty } from "./without-empty.js";

/**
 * A value that the service adds by itself, or treats like an absent one. The list is closed and only serves to compare
 * a program's rule with a response; drift is determined by comparing a response with the previous one.
 */
interface KnownDefault {
  readonly what: string;
  /** The rule without the default, or the same rule. */
  readonly strip: (rule: JsonObject) => JsonObject;
}

/** Fields that do not affect what a rule does. */
const IDENTITY = ["id", "ref", "version", "lastUpdated", "categories"];

function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Applies a change to a nested object, and removes the object if it becomes empty. */
function inside(rule: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = rule[key];
  if (!isObject(value)) return rule;
  const changed = change(value);
  return Object.keys(changed).length === 0 ? without(rule, key) : { ...rule, [key]: changed };
}

function drop(object: JsonObject, key: string, value: Json): JsonObject {
  return object[key] === value ? without(object, key) : object;
}

function sorted(object: JsonObject, key: string): JsonObject {
  const list = object[key];
  return isList(list) ? { ...object, [key]: [...list].sort(byText) } : object;
}

/** An order of the items of a list whose order means nothing. */
export function byText(one: Json, other: Json): number {
  const [a, b] = [textIn(one), textIn(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The service may return anything in a list. */
function textIn(item: Json): string {
  return typeof item === "string" ? item : stableText(item);
}

/** Removes null, undefined and empty nested objects such as `actionParameters: {}`. Keeps empty lists. */
function prune(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map((item) => prune(item) ?? null);
  return isObject(value) ? pruneObject(value) : value;
}

function pruneObject(value: JsonObject): JsonObject {
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const kept = prune(item);
    const empty = kept === undefined || kept === null || (isObject(kept) && Object.keys(kept).length === 0);
    if (!empty || KEEP_EMPTY.has(key)) entries.push([key, kept ?? {}]);
  }
  return Object.fromEntries(entries);
}
export const KNOWN_DEFAULTS: readonly KnownDefault[] = [
  { what: "a field in wire is the field with the typed name", strip: withTypedFields },
  { what: "id, ref, version, lastUpdated and categories are outputs", strip: (rule) => without(rule, ...IDENTITY) },
  { what: "an empty description equals none", strip: (rule) => drop(rule, "description", "") },
  { what: "an empty expression equals none", strip: (rule) => drop(rule, "expression", "") },
  { what: "rules are enabled", strip: (rule) => drop(rule, "enabled", true) },
  {
    what: "skip rules log",
    strip: (rule) =>
      rule.action === "skip" ? inside(rule, "logging", (logging) => drop(logging, "enabled", true)) : rule,
  },
  {
    what: "rate limits count at the edge, by the rule's own expression, and throttle",
    strip: (rule) =>
      inside(rule, "ratelimit", (ratelimit) => {
        const counted = drop(drop(ratelimit, "requestsToOrigin", false), "countingExpression", "");
        const throttled = drop(counted, "mitigationTimeout", 0);
        const own = counted.countingExpression === rule.expression;
        return sorted(own ? without(throttled, "countingExpression") : throttled, "characteristics");
      }),
  },
  {
    what: "execute runs the latest version",
    strip: (rule) =>
      inside(rule, "actionParameters", (parameters) =>
        inside(parameters, "wire", (raw) => drop(raw, "version", "latest")),
      ),
  },
  {
    what: "redirects drop the query string",
    strip: (rule) =>
      inside(rule, "actionParameters", (parameters) =>
        inside(parameters, "fromValue", (target) => drop(target, "preserveQueryString", false)),
      ),
  },
  {
    what: "responses say whether a rewrite reaches the origin",
    strip: (rule) =>
      inside(rule, "actionParameters", (parameters) => inside(parameters, "uri", (uri) => without(uri, "origin"))),
  },
  {
    what: "logged headers are logged once",
    strip: (rule) =>
      inside(rule, "actionParameters", (parameters) =>
        ["responseFields", "rawResponseFields"].reduce<JsonObject>((current, key) => {
          const fields = current[key];
          if (!isList(fields)) return current;
          const stripped = fields.map((f) => (isObject(f) ? drop(f, "preserveDuplicates", false) : f));
          return { ...current, [key]: stripped };
        }, parameters),
      ),
  },
  {
    what: "the order of skipped phases, products and rulesets is irrelevant",
    strip: (rule) =>
      inside(rule, "actionParameters", (parameters) =>
        ["phases", "products", "rulesets"].reduce((current, key) => sorted(current, key), parameters),
      ),
  },
  { what: "an empty list equals none", strip: withoutEmpty },
  { what: "an empty object equals none", strip: pruneObject },
];
