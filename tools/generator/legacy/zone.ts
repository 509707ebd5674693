import type { NewRule } from "../../../core/legacy/new-rules.js";
import type { WireRules } from "../../../core/legacy/old-rules.js";
import type { Migration } from "../../../core/legacy/report.js";
import type { FoundList, FoundRule, FoundRuleset, FoundScope } from "../inventory.js";

/** A zone with the rules of its previous features, in the format of the API. */
export interface LegacyZone {
  readonly id: string;
  readonly name: string;
  /** Empty if it is not known, as the account: another tool's state may have neither. */
  readonly plan: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly wire: WireRules;
}

/** With what is there of the zone and of its account; an account whose rules are not known gets no redirect list. */
export type WithRulesets = LegacyZone & {
  readonly rulesets: readonly FoundRuleset[];
  readonly account?: Pick<FoundScope, "rulesets" | "lists"> | undefined;
};

/** The zone with its new rules, the lists that they need, and what was compared. */
export interface MigratedZone {
  readonly rulesets: readonly FoundRuleset[];
  readonly lists: readonly FoundList[];
  readonly migration: Migration;
  /** A redirect list, and the entry point of the account that puts it in force. */
  readonly redirects?: { readonly list: FoundList; readonly ruleset: FoundRuleset };
}

export const NOTE = "From page rules and other previous features: MIGRATION.md lists each of them.";

/** A new rule as it is generated. */
export function foundRule({ phase: _, from: __, ...rule }: NewRule, isDisabled: boolean): FoundRule {
  return { ...rule, ...(isDisabled ? { enabled: false } : {}) };
}

export const enabled = (rule: NewRule): FoundRule => foundRule(rule, false);
