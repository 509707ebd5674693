import { analyse } from "../analysis/index.js";
import type { RulesetInput } from "../simulator/index.js";
import { rulesetInput } from "../provider/rules/without-server-fields.js";
import type { FoundAccount, FoundZone } from "./facts.js";
import type { Context } from "./scope.js";

/** Checks that find rules without effect. */
const NAMES = ["never-matches", "covered", "late-skip", "invalid-expression"] as const;
type MeaningName = (typeof NAMES)[number];

interface RuleMeaning {
  readonly name: MeaningName;
  readonly message: string;
  /** Whether every request ends the same without the rule. */
  readonly isSpare: boolean;
}

/** By rule ID. */
export type Meanings = ReadonlyMap<string, readonly RuleMeaning[]>;

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
  const found = new Map<string, RuleMeaning[]>();
  for (const finding of analyse({ rulesets, steps: 20_000_000 })) {
    const name = NAMES.find((one) => one === finding.check);
    const { id } = finding.rule;
    if (name === undefined || id === undefined) continue;
    const list = found.get(id) ?? [];
    list.push({ name, message: finding.message, isSpare: finding.sameAction === true });
    found.set(id, list);
  }
  return found;
}
