import { BULK_LACKS, type BulkRedirects } from "../../../core/legacy/bulk.js";
import type { Conversion, Note } from "../../../core/legacy/new-rules.js";
import type { OldRules } from "../../../core/legacy/old-rules.js";
import { plural } from "../../../core/model/words.js";
import type { FoundRuleset } from "../inventory.js";
import { foundRule, NOTE, type MigratedZone, type WithRulesets } from "./zone.js";

/** The redirect list of a zone, and the entry point of its account with the rule that uses it. */
export function redirectsOf(
  { name, account }: WithRulesets,
  { list, items, rule }: BulkRedirects,
  isDisabled: boolean,
): NonNullable<MigratedZone["redirects"]> {
  const there = account?.rulesets.find(({ phase, kind }) => phase === rule.phase && kind === "root");
  const ruleset = there ?? { name: "default", description: "", kind: "root", phase: rule.phase, rules: [] };
  const isThere = ruleset.rules.some(({ ref }) => ref === rule.ref);
  const rules = isThere ? ruleset.rules : [...ruleset.rules, foundRule(rule, isDisabled)];
  return {
    list: { name: list, kind: "redirect", description: `Redirects of page rules of ${name}`, items },
    ruleset: {
      ...ruleset,
      rules,
      ...(isThere ? {} : { newLists: [...(ruleset.newLists ?? []), list], notes: [...(ruleset.notes ?? []), NOTE] }),
    },
  };
}

export function without(rulesets: readonly FoundRuleset[], refs: ReadonlySet<string>): readonly FoundRuleset[] {
  return rulesets.map((one) => ({ ...one, rules: one.rules.filter(({ ref }) => ref === undefined || !refs.has(ref)) }));
}

export function withNotes(conversion: Conversion, { rule: { from } }: BulkRedirects, old: OldRules): Conversion {
  const moved = old.pageRules.filter(({ id }) => from.includes(id));
  return {
    ...conversion,
    notes: [...conversion.notes, ...moved.map((rule): Note => ({ rule, text: BULK_LACKS, kind: "lacks" }))],
  };
}

export function adviceOf({ items }: BulkRedirects, accountId: string): string {
  const account = accountId === "" ? "the account of the zone is known" : `you add \`--account ${accountId}\``;
  return `${plural(Object.keys(items).length, "redirect")} of single URLs can become a redirect list of the account, if ${account}.`;
}
