import { objectType } from "../../engine/named-type.js";
import type { RulesetRuleActionParametersOverrides as Overrides } from "../../../core/model/generated/rule.js";
import { RULE } from "../rule-type.js";
import type { Adjustments, OverrideAdjustment, RuleSelector } from "../../../core/previous-waf/adjust.js";

const SELECTOR = objectType<RuleSelector>(
  "MigrationRuleSelector",
  "Selects rules of the retrieved configuration, which have no IDs yet. All given fields must match exactly.",
  {
    executes: { type: "string", text: "ID of the managed ruleset that the rule executes; see `managedRulesets`." },
    description: { type: "string", text: "The rule's description." },
    expression: { type: "string", text: "The rule's expression." },
    action: { type: "string", text: "The rule's action." },
  },
);

const OVERRIDES = objectType<Omit<OverrideAdjustment, keyof Overrides>, OverrideAdjustment>(
  "MigrationOverrides",
  "Overrides for an executed managed ruleset: for single rules (`rules`), for tags (`categories`), or for all of its rules. " +
    "An action for all rules replaces every action of the retrieved overrides.",
  {
    rulesetId: {
      type: "string",
      text: "ID of the managed ruleset.",
      otherwise: "every ruleset that the configuration executes",
    },
  },
  { extends: "RulesetRuleActionParametersOverrides" },
);

export const ADJUSTMENTS = objectType<Adjustments>(
  "MigrationAdjustments",
  "Changes to the retrieved configuration, applied in this order. Rules that are not selected stay exactly as retrieved.",
  {
    drop: { type: { list: SELECTOR }, text: "Rules to omit." },
    disable: { type: { list: SELECTOR }, text: "Rules to write but disable." },
    overrides: { type: { list: OVERRIDES }, text: "Overrides to add to rules that execute managed rulesets." },
    prepend: {
      type: { list: RULE },
      text: "Rules before the retrieved ones. Exceptions (action `skip`) belong here: they only affect rules after them.",
    },
    append: { type: { list: RULE }, text: "Rules after the retrieved ones." },
  },
);
