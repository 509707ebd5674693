import { ruleFromWire, ruleToWire } from "../model/codec.js";
import { contentOf } from "../rules/content.js";
import type {
  RulesetRule,
  RulesetRuleActionParametersOverrides as Overrides,
  WireRulesetRule,
} from "../model/generated/rule.js";
import { isList, isObject, sameJson, stableText, type Json, type JsonObject } from "../model/json.js";
import type { RetrievedConfig } from "../model/migration.js";
import type { Path } from "../model/path.js";
import { parseRule, parseWireRule } from "../model/parse-rule.js";
import type { Ruleset } from "../model/ruleset.js";
import { shortRulesetId } from "../model/ids.js";

/**
 * Selects rules of a retrieved configuration, which have no IDs yet, by the ruleset they execute, or by their
 * description, expression or action.
 */
export interface RuleSelector {
  /** ID of the ruleset that the rule executes, or of its resource. */
  readonly executes?: string;
  readonly description?: string;
  readonly expression?: string;
  readonly action?: string;
}

/** Overrides for an executed managed ruleset; without `rulesetId`, for all of them. */
export interface OverrideAdjustment extends Overrides {
  readonly rulesetId?: string;
}

/** The changes to a retrieved configuration, in this order. */
export interface Adjustments {
  readonly drop?: readonly RuleSelector[];
  readonly disable?: readonly RuleSelector[];
  readonly overrides?: readonly OverrideAdjustment[];
  /** Rules before the retrieved ones, for exceptions, which only affect rules after them. */
  readonly prepend?: readonly RulesetRule[];
  /** Rules after the retrieved ones. */
  readonly append?: readonly RulesetRule[];
}

/** An adjustment that matches no rule. */
interface Unmatched {
  readonly path: Path;
  readonly reason: string;
}

export interface Adjusted {
  readonly config: RetrievedConfig;
  readonly unmatched: readonly Unmatched[];
}

/** Applies adjustments in the wire format, so that every rule that they do not touch stays exactly as it was. */
export function adjust(config: RetrievedConfig, adjustments: Adjustments): Adjusted {
  const unmatched: Unmatched[] = [];
  const requireMatch = (adjustment: string, index: number, what: string, count: number): void => {
    if (count > 0) return;
    const known = config.rules.map((rule) => `  - ${selectorWords(rule)}`).join("\n");
    const reason = `no rule of the retrieved configuration ${what}; it contains\n${known}`;
    unmatched.push({ path: ["adjustments", adjustment, index], reason });
  };
  let rules = config.rules;
  adjustments.drop?.forEach((selector, index) => {
    const rest = rules.filter((rule) => !matches(rule, selector));
    requireMatch("drop", index, `matches ${JSON.stringify(selector)}`, rules.length - rest.length);
    rules = rest;
  });
  adjustments.disable?.forEach((selector, index) => {
    requireMatch(
      "disable",
      index,
      `matches ${JSON.stringify(selector)}`,
      rules.filter((rule) => matches(rule, selector)).length,
    );
    rules = rules.map((rule) => (matches(rule, selector) ? { ...rule, enabled: false } : rule));
  });
  adjustments.overrides?.forEach((adjustment, index) => {
    const touched = rules.filter((rule) => isTarget(rule, adjustment.rulesetId));
    requireMatch("overrides", index, `executes ${adjustment.rulesetId ?? "a ruleset"}`, touched.length);
    rules = rules.map((rule) => (isTarget(rule, adjustment.rulesetId) ? withOverrides(rule, adjustment) : rule));
  });
  const [before, after] = [adjustments.prepend, adjustments.append].map((own = []) => own.map(ruleToWire));
  return { config: { ...config, rules: [...(before ?? []), ...rules, ...(after ?? [])] }, unmatched };
}

/** The configuration with its rules replaced. */
export function withRules(config: RetrievedConfig, rules: readonly RulesetRule[]): RetrievedConfig {
  return { name: "default", ...config, rules: rules.map(ruleToWire) };
}

/** The rules of a configuration as programs write them, without an identity, which none of them has yet. */
export function typedRules(config: RetrievedConfig): RulesetRule[] {
  return config.rules.map((wire) => {
    const { id: _id, ref, version: _version, ...rule } = ruleFromWire(wire);
    return parseRule({ ...rule, ...(ref === "" ? {} : { ref }) });
  });
}

/** The rules of an entry point as programs write them: a `PhaseEntrypoint` adopts them without sending anything. */
export function deployedRules(entrypoint: Ruleset | undefined): RulesetRule[] {
  return (entrypoint?.rules ?? []).map((rule) => parseRule(contentOf(rule)));
}

function executedBy(rule: JsonObject): string | undefined {
  const parameters = isObject(rule.action_parameters) ? rule.action_parameters : {};
  return rule.action === "execute" && typeof parameters.id === "string" ? parameters.id : undefined;
}

function isTarget(rule: JsonObject, rulesetId: string | undefined): boolean {
  const executed = executedBy(rule);
  return executed !== undefined && (rulesetId === undefined || executed === shortRulesetId(rulesetId));
}

function matches(rule: JsonObject, { executes, ...fields }: RuleSelector): boolean {
  const entries = Object.entries(fields as Readonly<Record<string, string | undefined>>).filter(
    ([, value]) => value !== undefined,
  );
  if (executes === undefined && entries.length === 0) return false;
  return (
    (executes === undefined || executedBy(rule) === shortRulesetId(executes)) &&
    entries.every(([key, value]) => sameJson(rule[key], value))
  );
}

function selectorWords(rule: JsonObject): string {
  const { action, description, expression } = rule;
  const executes = executedBy(rule);
  return JSON.stringify({ ...(executes === undefined ? { action } : { executes }), description, expression });
}

/**
 * Adds overrides to a rule: by rule ID, by tag, and for the whole ruleset. A rule override takes precedence over a tag
 * override, which takes precedence over the whole. So an action set for the whole also replaces the action in the
 * retrieved detailed overrides; only the detailed overrides of this adjustment itself take precedence over it.
 */
function withOverrides(
  rule: WireRulesetRule,
  { rulesetId: _ruleset, ...overrides }: OverrideAdjustment,
): WireRulesetRule {
  const parameters = isObject(rule.action_parameters) ? rule.action_parameters : {};
  const before = isObject(parameters.overrides) ? parameters.overrides : {};
  const after = overridesToWire(overrides);
  const { rules, categories, ...whole } = after;
  const merged: JsonObject = {
    ...before,
    ...whole,
    ...unlessEmpty("categories", mergeBy("category", withCommonAction(before.categories, whole), categories)),
    ...unlessEmpty("rules", mergeBy("id", withCommonAction(before.rules, whole), rules)),
  };
  return parseWireRule({ ...rule, action_parameters: { ...parameters, overrides: merged } });
}

function overridesToWire(overrides: Overrides): JsonObject {
  const wire = ruleToWire({ action: "execute", expression: "true", actionParameters: { id: "x", overrides } });
  const parameters = wire.action_parameters;
  return isObject(parameters) && isObject(parameters.overrides) ? parameters.overrides : {};
}

/** Detailed overrides, with their action replaced by that of the whole. Levels that are off stay off. */
function withCommonAction(list: Json | undefined, whole: JsonObject): JsonObject[] {
  const items = isList(list) ? list.filter(isObject) : [];
  return items.map((item) =>
    whole.action === undefined || item.action === undefined ? item : { ...item, action: whole.action },
  );
}

function mergeBy(key: string, before: readonly JsonObject[], changes: Json | undefined): JsonObject[] {
  const items = isList(changes) ? changes.filter(isObject) : [];
  const nameOf = (item: JsonObject): string => stableText(item[key]);
  // Of several with the same name, the first counts.
  const changesByName = new Map(items.toReversed().map((item) => [nameOf(item), item]));
  const changed = before.map((item) => ({ ...item, ...changesByName.get(nameOf(item)) }));
  const known = new Set(before.map(nameOf));
  return [...changed, ...items.filter((item) => !known.has(nameOf(item)))];
}

function unlessEmpty(name: string, items: readonly JsonObject[]): JsonObject {
  return items.length === 0 ? {} : { [name]: items };
}
