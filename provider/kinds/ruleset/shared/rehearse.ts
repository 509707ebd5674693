import type { RulesetsClient } from "../../../client/index.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { sameForm } from "../../../rules/rule.js";
import type { Desired } from "../desired.js";
import type { Rehearsed } from "../rehearsals.js";
import { ruleEntries } from "../../../rules/keyed.js";

const REHEARSAL = { dryRun: true } as const;

/**
 * The dry runs of what is written of a shared ruleset, rule by rule: of each rule that is added or says something else. Its
 * place is left out, since the rule beside it may be one that the same run adds; so a quota that only all of them together
 * exceed shows at the update.
 * @param ids by ref, the ids of the program's rules that stand there; others are known by their refs
 */
export function singleWrites(
  client: RulesetsClient,
  { target: { scope }, rules }: Desired,
  actual: Ruleset,
  ids: ReadonlyMap<string, string>,
): readonly Rehearsed[] {
  const byId = new Map(actual.rules.map((rule) => [rule.id, rule]));
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return (rules === undefined ? [] : ruleEntries(rules)).flatMap(({ ref, rule }, index): Rehearsed[] => {
    const there = byId.get(ids.get(ref) ?? "") ?? byRef.get(ref);
    const place = { path: ["rules", index], ref };
    if (there === undefined) {
      const rehearse = () => client.addRule(scope, actual.id, { ...rule, ref }, undefined, REHEARSAL);
      return [{ operation: "addRule", rule: place, rehearse }];
    }
    if (sameForm(there, rule)) return [];
    const change = { rule: { ...rule, ref: there.ref } };
    const rehearse = () => client.patchRule(scope, actual.id, there.id, change, REHEARSAL);
    return [{ operation: "patchRule", rule: place, rehearse }];
  });
}
