import { analyse, type AnalysisFinding } from "../../core/analysis/index.js";
import type { FindingCode } from "../../core/language/index.js";
import type { RulesetInput } from "../../core/simulator/index.js";
import { rulesetInput } from "../../core/rules/without-server-fields.js";
import type { FoundAccount, FoundZone } from "./facts.js";
import type { Context } from "./scope.js";

/** The findings that say that a rule has no effect, or that it is not known. */
const CODES: readonly FindingCode[] = ["never-matches", "covered", "skip-order", "invalid-expression"];

/** By rule ID. */
export type Meanings = ReadonlyMap<string, readonly AnalysisFinding[]>;

/** Analyses the rules of an account together. */
export function meaningsInAccount({ id, rulesets }: FoundAccount): Meanings {
  return meaningsOf(rulesets.map((ruleset) => ({ ...rulesetInput(ruleset), accountId: id })));
}

/** Analyses the rules that requests of a zone meet; rules of its account are narrowed to this zone. */
export function meaningsInZone(zone: FoundZone, account: FoundAccount, context: Context): Meanings {
  const narrowed = account.rulesets.map(({ rules, ...ruleset }) => ({
    ...ruleset,
    rules: rules.flatMap((rule) => {
      const reach = context.reach(rule, ruleset.phase, zone);
      return reach === "none" ? [] : [reach === "every" ? { ...rule, expression: "true" } : rule];
    }),
  }));
  return meaningsOf([
    ...narrowed.map((ruleset) => ({ ...rulesetInput(ruleset), accountId: account.id })),
    ...zone.rulesets.map((ruleset) => ({ ...rulesetInput(ruleset), zoneId: zone.id })),
  ]);
}

function meaningsOf(rulesets: readonly RulesetInput[]): Meanings {
  const found = analyse({ rulesets, steps: 20_000_000 }).filter(({ code }) => CODES.includes(code));
  return Map.groupBy(found, ({ rule }) => rule.id ?? "");
}
