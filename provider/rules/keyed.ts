import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, mapFrom } from "../model/json.js";
import type { DeployedRule } from "../model/ruleset.js";
import { Rule } from "./rule.js";

/** Rules by ref and the order they run in: how a checked ruleset holds its rules. */
export interface KeyedRules {
  readonly rules: Readonly<Record<string, Rule<RulesetRule>>>;
  readonly order: readonly string[];
}

export const NO_RULES: KeyedRules = { rules: {}, order: [] };

/** A rule under its ref, as it is written. */
export interface RuleEntry {
  readonly ref: string;
  readonly rule: RulesetRule;
}

/** Rules as values, by their refs, in that order. */
export function keyed(entries: readonly RuleEntry[]): KeyedRules {
  // Without a prototype: a ref such as `constructor` is only a ref.
  const rules = mapFrom(entries.map(({ ref, rule }) => [ref, new Rule(rule)] as const));
  return { rules, order: entries.map(({ ref }) => ref) };
}

/** Rules by ref and their order, from a map and a text. Refs that the text forgets come last; others it names are none. */
export function keyedRules(rules: Readonly<Record<string, RulesetRule>>, order: string): KeyedRules {
  const known = new Set(Object.keys(rules).filter((ref) => ref !== "__defaults"));
  const named = new Set(order.split("\n"));
  const refs = [...[...named].filter((ref) => known.has(ref)), ...[...known].filter((ref) => !named.has(ref))];
  return keyed(
    refs.flatMap((ref) => {
      const rule = rules[ref];
      return rule === undefined ? [] : [{ ref, rule }];
    }),
  );
}

/** Rules in order as the service holds them, by the refs it knows them by. */
export function keyedAnswer(rules: readonly DeployedRule[]): KeyedRules {
  return keyed(rules.map((rule) => ({ ref: rule.ref, rule: rule as RulesetRule })));
}

/** The rules in order, with their refs. */
export function ruleEntries({ rules, order }: KeyedRules): RuleEntry[] {
  return order.flatMap((ref) => {
    const rule = rules[ref];
    return rule === undefined ? [] : [{ ref, rule: rule.fields }];
  });
}

/** The rules by ref, as they are written. */
export function rulesByRef(keyed: KeyedRules): Readonly<Record<string, RulesetRule>> {
  return mapFrom(ruleEntries(keyed).map(({ ref, rule }) => [ref, rule] as const));
}

/** Rules as they stand at the service, by their ids and in the order they run. */
export type StandingRules = ReadonlyMap<string, Rule<DeployedRule>>;

export function standingRules(rules: readonly DeployedRule[]): StandingRules {
  return new Map(rules.map((rule) => [rule.id, new Rule(rule)]));
}

/** Every ref ends its line, the last one too: so an addition at the end is one line in a diff of texts. */
export function orderText(order: readonly string[]): string {
  return order.map((ref) => `${ref}\n`).join("");
}

/** How many rules run; one of which that is not known yet counts. */
export function rulesInForce(rules: Readonly<Record<string, RulesetRule>>): number {
  return Object.values(rules).filter((rule) => !isObject(rule) || rule.enabled !== false).length;
}
