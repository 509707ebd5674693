import { own } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { Rule } from "../../../rules/rule.js";
import type { KeyedRules } from "../../../rules/keyed.js";

/**
 * Rules that a write of which nobody knows whether it landed has added after all: the state names them without an id, and
 * they stand there under the same ref. One that says something else in its first version was never sent by this stack; in
 * a later one, somebody has edited it.
 */
export function lostAdditions(
  declared: KeyedRules,
  ruleIds: Readonly<Record<string, string>>,
  actual: Pick<Ruleset, "rules">,
): { readonly ref: string; readonly rule: DeployedRule }[] {
  const lost = declared.order.filter((ref) => own(ruleIds, ref) === undefined);
  if (lost.length === 0) return [];
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return lost.flatMap((ref) => {
    const rule = byRef.get(ref);
    if (rule === undefined) return [];
    return rule.version !== "1" || declared.rules[ref]?.meansSameAs(new Rule(rule)) === true ? [{ ref, rule }] : [];
  });
}
