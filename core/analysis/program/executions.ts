import type { AnalysedRule, AnalysedRuleset } from "./rule.js";

/**
 * Rulesets in which each rule that executes a custom ruleset has one of its own, so that it is known when each of them runs. Skip
 * rules that name a ruleset skip all of its copies.
 */
export function withOwnExecutions(rulesets: readonly AnalysedRuleset[]): readonly AnalysedRuleset[] {
  const custom = new Map(rulesets.flatMap((one) => (isCustom(one) && one.id !== undefined ? [[one.id, one]] : [])));
  const copies = new Map<string, string[]>();
  const added: AnalysedRuleset[] = [];
  const own = rulesets.map((ruleset) => ({
    ...ruleset,
    rules: ruleset.rules.map((rule): AnalysedRule => {
      if (rule.effect.kind !== "execute" || !rule.isOn) return rule;
      const { id } = rule.effect;
      const executed = custom.get(id);
      if (executed === undefined || executed === ruleset) return rule;
      const names = copies.get(id);
      if (names === undefined) {
        copies.set(id, [id]);
        return rule;
      }
      const copy = `${id}#${String(names.length + 1)}`;
      names.push(copy);
      added.push({ ...executed, id: copy });
      return { ...rule, effect: { ...rule.effect, id: copy } };
    }),
  }));
  if (added.length === 0) return rulesets;
  return [...own, ...added].map((ruleset) => ({
    ...ruleset,
    rules: ruleset.rules.map((rule) => skippingCopies(rule, copies)),
  }));
}

function isCustom({ kind }: AnalysedRuleset): boolean {
  return kind !== "root" && kind !== "zone" && kind !== "managed";
}

function skippingCopies(rule: AnalysedRule, copies: ReadonlyMap<string, readonly string[]>): AnalysedRule {
  if (rule.effect.kind !== "skip") return rule;
  const { target } = rule.effect;
  const rulesets = target.rulesets.flatMap((id) => copies.get(id) ?? [id]);
  const rules = new Map(
    Array.from(target.rules).flatMap(([id, names]) => (copies.get(id) ?? [id]).map((copy) => [copy, names] as const)),
  );
  return { ...rule, effect: { ...rule.effect, target: { ...target, rulesets, rules } } };
}
