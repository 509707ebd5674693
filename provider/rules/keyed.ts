import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, mapFrom } from "../model/json.js";
import type { KeyedRules } from "../model/ruleset.js";

/** Rules by ref and their order, from a map and a text. Refs that the text forgets come last; others it names are none. */
export function keyedRules(rules: Readonly<Record<string, RulesetRule>>, order: string): KeyedRules {
  const known = new Set(Object.keys(rules).filter((ref) => ref !== "__defaults"));
  const named = new Set(order.split("\n"));
  const refs = [...[...named].filter((ref) => known.has(ref)), ...[...known].filter((ref) => !named.has(ref))];
  // Without a prototype: a ref such as `constructor` is only a ref.
  return { rules: mapFrom(refs.flatMap((ref) => pairOf(rules, ref))), order: refs };
}

function pairOf(rules: Readonly<Record<string, RulesetRule>>, ref: string): [] | [readonly [string, RulesetRule]] {
  const rule = rules[ref];
  return rule === undefined ? [] : [[ref, rule]];
}

export const NO_RULES: KeyedRules = { rules: {}, order: [] };

/** Every ref ends its line, the last one too: so an addition at the end is one line in a diff of texts. */
export function orderText(order: readonly string[]): string {
  return order.map((ref) => `${ref}\n`).join("");
}

/** Rules in order as the service holds them, by the refs it knows them by. */
export function keyedAnswer(rules: readonly (object & { readonly ref: string })[]): KeyedRules {
  return {
    rules: mapFrom(rules.map((rule) => [rule.ref, rule as RulesetRule] as const)),
    order: rules.map(({ ref }) => ref),
  };
}

/** How many rules run; one of which that is not known yet counts. */
export function rulesInForce(rules: Readonly<Record<string, RulesetRule>>): number {
  return Object.values(rules).filter((rule) => !isObject(rule) || rule.enabled !== false).length;
}
