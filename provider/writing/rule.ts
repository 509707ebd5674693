import type * as pulumi from "@pulumi/pulumi";
import type { RulesetRule, RulesetRuleActionParameters } from "../resources/generated/inputs.js";
import type { ValueOrExpression } from "./unions.js";

/** Arguments that every rule has. */
export interface RuleArgs {
  /** Which requests match: a string in the rules language, or an {@link expression}; `true` matches all of them. */
  readonly expression: pulumi.Input<string>;
  /** Free text, shown with the rule in the dashboard. */
  readonly description?: pulumi.Input<string | undefined>;
  /** Whether the rule runs. @default true */
  readonly enabled?: pulumi.Input<boolean | undefined>;
  /** Stable name of the rule in its ruleset. @default derived from the rule, and kept in later runs */
  readonly ref?: pulumi.Input<string | undefined>;
  /** When the rule begins to apply, such as `2026-12-01`, from its start in UTC. @default at once */
  readonly from?: pulumi.Input<string | undefined>;
  /** When the rule ceases to apply, such as `2026-12-31`, until its end in UTC. @default never */
  readonly until?: pulumi.Input<string | undefined>;
  /** Whether the rule becomes several if its expression is too long for one. It then needs a `ref`. @default false */
  readonly split?: pulumi.Input<boolean | undefined>;
}

/** A rule with an action and its parameters, without undefined ones. */
export function makeRule(
  action: string,
  { expression, description, enabled, ref, from, until, split }: RuleArgs,
  parameters: RulesetRuleActionParameters = {},
): RulesetRule {
  const given = withoutUndefined(parameters);
  return {
    action,
    ...withoutUndefined({ expression, description, enabled, ref, from, until, split }),
    ...(Object.keys(given).length === 0 ? {} : { actionParameters: given }),
  };
}

const NAMES: Readonly<Record<keyof RuleArgs, true>> = {
  expression: true,
  description: true,
  enabled: true,
  ref: true,
  from: true,
  until: true,
  split: true,
};

/** The arguments that every rule has, and its own. */
export function splitArgs<A extends RuleArgs>(args: A): readonly [rule: RuleArgs, own: OwnArgs<A>] {
  const entries = Object.entries(args);
  const partOf = (isRule: boolean): object =>
    Object.fromEntries(entries.filter(([name]) => Object.hasOwn(NAMES, name) === isRule));
  return [partOf(true) as RuleArgs, partOf(false) as OwnArgs<A>];
}

type OwnArgs<A> = A extends unknown ? Omit<A, keyof RuleArgs> : never;

export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

/** Converts a fixed value to `{ value }`; an `{ expression }` is not changed. */
export function valueOrExpression(given: ValueOrExpression): {
  readonly value?: pulumi.Input<string>;
  readonly expression?: pulumi.Input<string>;
} {
  return isExpression(given) ? { expression: given.expression } : { value: given };
}

/** An output answers to any name, but has none of its own that a value could have. */
function isExpression(given: ValueOrExpression): given is Extract<ValueOrExpression, { readonly expression: unknown }> {
  return typeof given === "object" && Object.hasOwn(given, "expression");
}
