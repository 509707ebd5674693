import type { RulesetsClient } from "../../../client/index.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { isSameForm } from "../../../rules/rule.js";
import type { Desired } from "../desired.js";
import type { DryRun } from "../dry-runs.js";
import { requireKnownRule, ruleEntries } from "../../../rules/keyed.js";

const DRY_RUN = { dryRun: true } as const;

/**
 * The dry runs of the writes to a shared ruleset: one for each rule that is added or changed. Positions are omitted,
 * since the neighbouring rule may be one that the same run adds. A limit that only all rules together exceed is
 * therefore reported only during the update.
 * @param ids by ref, the IDs of the program's existing rules; others are found by their refs
 */
export function singleWrites(
  client: RulesetsClient,
  { target: { scope }, rules }: Desired,
  actual: Ruleset,
  ids: ReadonlyMap<string, string>,
): readonly DryRun[] {
  const byId = new Map(actual.rules.map((rule) => [rule.id, rule]));
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return (rules === undefined ? [] : ruleEntries(rules)).flatMap(({ ref, rule: wanted }, index): DryRun[] => {
    const rule = requireKnownRule(wanted);
    const existing = byId.get(ids.get(ref) ?? "") ?? byRef.get(ref);
    const place = { path: ["rules", index], ref };
    if (existing === undefined) {
      const dryRun = () => client.addRule(scope, actual.id, { ...rule, ref }, undefined, DRY_RUN);
      return [{ operation: "addRule", rule: place, dryRun }];
    }
    if (isSameForm(existing, rule)) return [];
    const change = { rule: { ...rule, ref: existing.ref } };
    const dryRun = () => client.patchRule(scope, actual.id, existing.id, change, DRY_RUN);
    return [{ operation: "patchRule", rule: place, dryRun }];
  });
}
