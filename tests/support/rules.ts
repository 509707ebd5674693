import type { RulesetRule } from "../../provider/model/generated/rule.js";

export const block = (description: string, expression: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
  action: "block",
  description,
  expression,
  ...more,
});
