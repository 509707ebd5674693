import * as pulumi from "@pulumi/pulumi";
import type { RulesetRule, RulesetRuleActionParameters } from "../resources/generated/inputs.js";
import type { ValueOrExpression } from "./unions.js";

/** What every rule has, whatever it does. */
export interface RuleArgs {
  /** Which requests: a text of the rules language, such as {@link expression} makes; `true` for all of them. */
  readonly expression: pulumi.Input<string>;
  /** Free text shown beside the rule in the dashboard. */
  readonly description?: pulumi.Input<string | undefined>;
  /** Whether the rule runs. @default true */
  readonly enabled?: pulumi.Input<boolean | undefined>;
  /** Stable name of the rule inside its ruleset. @default one that is derived and carried from run to run */
  readonly ref?: pulumi.Input<string | undefined>;
}

/** A rule of an action with its parameters, those aside that are not given. */
export function ruleOf(
  action: string,
  { expression, description, enabled, ref }: RuleArgs,
  parameters: RulesetRuleActionParameters = {},
): RulesetRule {
  const given = withoutUndefined(parameters);
  return {
    action,
    ...withoutUndefined({ expression, description, enabled, ref }),
    ...(Object.keys(given).length === 0 ? {} : { actionParameters: given }),
  };
}

export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

/** `{ value }` of a fixed value, and `{ expression }` as it is. */
export function valueOrExpression(given: ValueOrExpression): {
  readonly value?: pulumi.Input<string>;
  readonly expression?: pulumi.Input<string>;
} {
  if (typeof given !== "object" || pulumi.Output.isInstance(given) || given instanceof Promise) return { value: given };
  return { expression: given.expression };
}
