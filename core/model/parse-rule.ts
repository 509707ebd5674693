import type { RulesetRule, WireRulesetRule } from "./generated/rule.js";
import { isJsonObject, isObject, type Json, type JsonObject } from "./json.js";
import { snakeCase } from "./shapes.js";
import { isUnknown, UNKNOWN, type PendingParts, type PendingValue } from "./unknown.js";

/** The kind of value that a field of a rule has. */
type Kind<T> = T extends string ? "string" : T extends boolean ? "boolean" : "object";

const KINDS = {
  action: "string",
  actionParameters: "object",
  description: "string",
  enabled: "boolean",
  exposedCredentialCheck: "object",
  expression: "string",
  id: "string",
  logging: "object",
  ratelimit: "object",
  ref: "string",
  wire: "object",
} as const satisfies { readonly [Name in keyof RulesetRule]-?: Kind<NonNullable<RulesetRule[Name]>> };

export type RuleField = keyof typeof KINDS;

/** The fields that say what a rule does. Its ref and its ID say which one it is. */
export const CONTENT_FIELDS = Object.keys(KINDS).filter((name) => name !== "id" && name !== "ref");

function isRuleField(name: string): name is RuleField {
  return Object.hasOwn(KINDS, name);
}

/**
 * Whether a field of a rule can have a value, judged by the kind of value. What objects contain is JSON; it is not compared
 * with the schema, because the service may return fields that are newer.
 */
export function isFieldValue(name: RuleField, value: unknown): boolean {
  const kind = KINDS[name];
  return kind === "object" ? isJsonObject(value) : typeof value === kind;
}

/** Whether a value is a rule. The engine's marker may stand for any value in it. */
export function isRule(value: unknown): boolean {
  return isObject(value) && Object.entries(value).every(([name, field]) => fitsField(name, field));
}

/** Whether a field of a rule can have a value; the engine's marker, and no value, fit everywhere. */
export function fitsField(name: string, value: unknown): boolean {
  if (value === undefined || value === null || isUnknown(value) || !isRuleField(name)) return true;
  return isFieldValue(name, value);
}

/**
 * The rule that JSON describes: of the service, of a state or of a program. This is the only place where JSON gets the type
 * of a rule. A field with another kind of value than rules have moves to `wire`, so that it is kept and sent back as it is.
 */
export function parseRule(json: JsonObject): RulesetRule {
  // Every rule has an action. Only rules of managed rulesets have no expression, and programs do not declare those.
  return withFieldsThatFit(json) as RulesetRule;
}

/** The rule that JSON describes, where the engine's marker may stand for the whole rule or for any value in it. */
export function parsePendingRule(json: Json | undefined): PendingValue<RulesetRule> {
  return isObject(json) ? parsePendingFields(json) : UNKNOWN;
}

export function parsePendingFields(json: JsonObject): PendingParts<RulesetRule> {
  // The marker is a string, which no field's type excludes in a `PendingValue`.
  return withFieldsThatFit(json) as PendingParts<RulesetRule>;
}

/** The fields, with those that do not fit in `wire`; the object itself if all fit, so that a rule is recognised by its object. */
function withFieldsThatFit(json: JsonObject): JsonObject {
  const misfits = Object.entries(json).filter(([name, value]) => !fitsField(name, value));
  if (misfits.length === 0) return json;
  const names = new Set(misfits.map(([name]) => name));
  const rest = Object.fromEntries(Object.entries(json).filter(([name]) => !names.has(name)));
  const raw = Object.fromEntries(misfits.map(([name, value]) => [snakeCase(name), value] as const));
  return { ...rest, wire: { ...(isObject(rest.wire) ? rest.wire : {}), ...raw } };
}

/** The rule that JSON describes as the service spells it. It is passed on unchanged, whatever it contains. */
export function parseWireRule(json: JsonObject): WireRulesetRule {
  return json as WireRulesetRule;
}
