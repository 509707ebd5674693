import { REF_PREFIX } from "../../../core/legacy/new-rules.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";

/** Whether an earlier conversion wrote a rule. */
export function isOurs({ ref }: FoundRule): boolean {
  return ref?.startsWith(REF_PREFIX) === true;
}

export function withoutOurs(rulesets: readonly FoundRuleset[]): readonly FoundRuleset[] {
  return rulesets.map((ruleset) => ({ ...ruleset, rules: ruleset.rules.filter((rule) => !isOurs(rule)) }));
}
