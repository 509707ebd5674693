import { isList, isObject, textsIn, type Json, type JsonObject } from "./json.js";
import type { RulesetRule, WireRulesetRule } from "./generated/rule.js";
import { parseRule, parseWireRule } from "./parse-rule.js";
import { withoutEmptyIdentity, type DeployedRule, type Ruleset, type RulesetSummary } from "./ruleset.js";
import { getShape } from "./shapes.js";
import { shapeFromWire, shapeToWire } from "./wire.js";

/**
 * A rule in the service's format: snake_case names, with the raw fields of `wire` merged in and an empty identity removed.
 * Keys of user maps are not renamed.
 */
export function ruleToWire(rule: RulesetRule): WireRulesetRule {
  return parseWireRule(shapeToWire(withoutEmptyIdentity(rule), getShape("RulesetRule")));
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
