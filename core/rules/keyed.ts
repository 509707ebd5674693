import type { RulesetRule } from "../model/generated/rule.js";
import { refsIn } from "../model/ids.js";
import { isObject, mapFrom } from "../model/json.js";
import { parseRule } from "../model/parse-rule.js";
import type { DeployedRule } from "../model/ruleset.js";
import { isComplete, UNKNOWN, type PendingParts, type PendingValue } from "../model/unknown.js";
import { Rule } from "./rule.js";

/** A rule, or as much of it as is known. */
export type PendingRule = PendingValue<RulesetRule>;
/** The fields of a rule, each of which may be unknown. */
export type PendingFields = PendingParts<RulesetRule>;

/** The fields of a rule. If the whole is unknown, so is every field that each rule has. */
export function fieldsOf(rule: PendingRule): PendingFields {
  return typeof rule === "string" ? { action: UNKNOWN, expression: UNKNOWN } : rule;
}

/** The rule as it is sent. The engine requests writes only when every value is known. */
export function requireKnownRule(rule: PendingRule): RulesetRule {
  if (isComplete<RulesetRule>(rule)) return rule;
  throw new Error("a rule with unknown values cannot be written");
}

/** Rules by ref, and the order in which they run: the form of rules in checked inputs. */
export interface KeyedRules<R extends PendingRule = PendingRule> {
  readonly rules: Readonly<Record<string, Rule<R>>>;
  readonly order: readonly string[];
}

export const NO_RULES: KeyedRules<RulesetRule> = { rules: {}, order: [] };

/** A rule as written, with its ref. */
export interface RuleEntry<R extends PendingRule = PendingRule> {
  readonly ref: string;
  readonly rule: R;
}

/** Creates keyed rules from entries in order. */
export function keyedEntries<R extends PendingRule>(entries: readonly RuleEntry<R>[]): KeyedRules<R> {
  // Without a prototype, so that a ref such as `constructor` is an ordinary key.
  const rules = mapFrom(entries.map(({ ref, rule }) => [ref, Rule.of(rule)] as const));
  return { rules, order: entries.map(({ ref }) => ref) };
}

/** Creates keyed rules from an object and an order text. Refs missing in the text come last; unknown refs in it are ignored. */
export function keyedRules<R extends PendingRule>(rules: Readonly<Record<string, R>>, order: string): KeyedRules<R> {
  const known = new Set(Object.keys(rules).filter((ref) => ref !== "__defaults"));
  const named = new Set(refsIn(order));
  const refs = [...[...named].filter((ref) => known.has(ref)), ...[...known].filter((ref) => !named.has(ref))];
  return keyedEntries(
    refs.flatMap((ref) => {
      const rule = rules[ref];
      return rule === undefined ? [] : [{ ref, rule }];
    }),
  );
}

/** Creates keyed rules from the service's rules, with their refs and in their order. */
export function keyedDeployedRules(rules: readonly DeployedRule[]): KeyedRules<RulesetRule> {
  return keyedEntries(rules.map((rule) => ({ ref: rule.ref, rule: parseRule(rule) })));
}

/** The rules in order, with their refs. */
export function ruleEntries<R extends PendingRule>({ rules, order }: KeyedRules<R>): RuleEntry<R>[] {
  return order.flatMap((ref) => {
    const rule = rules[ref];
    return rule === undefined ? [] : [{ ref, rule: rule.fields }];
  });
}

/** The rules as written, by ref. */
export function rulesByRef<R extends PendingRule>(keyed: KeyedRules<R>): Readonly<Record<string, R>> {
  return mapFrom(ruleEntries(keyed).map(({ ref, rule }) => [ref, rule] as const));
}

/** Deployed rules by ID, in the order in which they run. */
export type DeployedRulesById = ReadonlyMap<string, Rule<DeployedRule>>;

export function deployedRulesById(rules: readonly DeployedRule[]): DeployedRulesById {
  return new Map(rules.map((rule) => [rule.id, Rule.of(rule)]));
}

/** Number of enabled rules; a rule counts if it is not known yet whether it is enabled. */
export function rulesInForce(rules: Readonly<Record<string, PendingRule>>): number {
  return Object.values(rules).filter((rule) => !isObject(rule) || rule.enabled !== false).length;
}
