import { ownValue } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { Rule } from "../../../rules/rule.js";
import type { KeyedRules } from "../../../rules/keyed.js";

/**
 * Rules that a write with an unknown result turns out to have added: the state has them without an ID, and they exist
 * under the same ref. If such a rule has other content in its first version, this stack never sent it; in a later
 * version, somebody has edited it.
 */
export function findUnconfirmedAdditions(
  declared: KeyedRules,
  ruleIds: Readonly<Record<string, string>>,
  actual: Pick<Ruleset, "rules">,
): { readonly ref: string; readonly rule: DeployedRule }[] {
  const lost = declared.order.filter((ref) => ownValue(ruleIds, ref) === undefined);
  if (lost.length === 0) return [];
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return lost.flatMap((ref) => {
    const rule = byRef.get(ref);
    if (rule === undefined) return [];
    return rule.version !== "1" || declared.rules[ref]?.meansSameAs(Rule.of(rule)) === true ? [{ ref, rule }] : [];
  });
}
