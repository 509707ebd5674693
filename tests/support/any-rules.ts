import type { RulesetRule } from "../../core/model/generated/rule.js";
import { fc } from "./properties.js";

const words = ["admin", "api", "login", "bots", "country", "scanner"];

/** Any rule as in programs, from few words, so that equal and similar rules are common. */
export const anyRule: fc.Arbitrary<RulesetRule> = fc.record(
  {
    action: fc.constantFrom("block", "log", "managed_challenge", "skip"),
    expression: fc.constantFrom(...words).map((word) => `http.host contains "${word}"`),
    description: fc.constantFrom("", ...words),
    enabled: fc.boolean(),
  },
  { requiredKeys: ["action", "expression"] },
);

/** Any list of rules; some with refs, each ref once. */
export const anyRules: fc.Arbitrary<RulesetRule[]> = fc
  .array(fc.tuple(anyRule, fc.option(fc.constantFrom("a", "b", "c", "d", "e", "f"), { nil: undefined, freq: 3 })), {
    maxLength: 14,
  })
  .map((pairs) => {
    const seen = new Set<string>();
    return pairs.map(([rule, ref]) => {
      if (ref === undefined || seen.has(ref)) return rule;
      seen.add(ref);
      return { ...rule, ref };
    });
  });
