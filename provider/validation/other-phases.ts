import withoutRulesets from "../../schema/phases-without-rulesets.json";
import { mapFrom } from "../../core/model/json.js";

/** By name, the product that runs in a phase and has an API of its own instead of rulesets. */
export const PRODUCTS_IN_PHASES: Readonly<Record<string, string>> = mapFrom(
  Object.entries(withoutRulesets).map(([phase, { product }]) => [phase, product] as const),
);
