import type { RulesetRule } from "../../core/model/generated/rule.js";

type Simple = RulesetRule & { readonly action: "block" | "log" };

export const block = (description: string, expression: string, more: Partial<Simple> = {}): Simple => ({
  action: "block",
  description,
  expression,
  ...more,
});
