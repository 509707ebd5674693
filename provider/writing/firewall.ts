import type * as pulumi from "@pulumi/pulumi";
import type {
  Phase,
  RulesetRuleActionParametersOverridesCategory as TagOverride,
  RulesetRuleActionParametersOverridesRule as RuleOverride,
  RulesetRuleActionParametersOverrides as RulesetOverride,
} from "../model/generated/rule.js";
import type { RulesetRule, RulesetRuleActionParameters, RulesetRuleRatelimit } from "../resources/generated/inputs.js";
import { makeRule, splitArgs, withoutUndefined, type RuleArgs } from "./rule.js";
import type { Arguments, AtLeastOne, OneOf } from "./unions.js";

/** The response to a request that is blocked. */
export interface BlockResponse {
  /** 400 to 499. */
  readonly statusCode: pulumi.Input<number>;
  /** Such as `text/plain`. */
  readonly contentType: pulumi.Input<string>;
  /** The body. */
  readonly content: pulumi.Input<string>;
}

/** Arguments of {@link block}. */
export interface BlockArgs extends RuleArgs {
  /** @default Cloudflare's own page, with status 403 */
  readonly response?: BlockResponse;
}

/** Stops a request. See https://developers.cloudflare.com/waf/custom-rules/. */
export function block({ response, ...rule }: BlockArgs): RulesetRule {
  return makeRule("block", rule, { response });
}

/** Lets a request pass when its visitor solves a challenge. */
export function challenge(rule: RuleArgs): RulesetRule {
  return makeRule("challenge", rule);
}

/** Lets a request pass when its browser runs a script. */
export function jsChallenge(rule: RuleArgs): RulesetRule {
  return makeRule("js_challenge", rule);
}

/** Lets Cloudflare choose the challenge. */
export function managedChallenge(rule: RuleArgs): RulesetRule {
  return makeRule("managed_challenge", rule);
}

/** Logs a request and lets it pass; Enterprise plan only. */
export function log(rule: RuleArgs): RulesetRule {
  return makeRule("log", rule);
}

/** Adds to the score of a request; the increment may be negative. */
export function score({ increment, ...rule }: RuleArgs & { readonly increment: pulumi.Input<number> }): RulesetRule {
  return makeRule("score", rule, { increment });
}

type Product = "bic" | "hot" | "rateLimit" | "securityLevel" | "uaBlock" | "waf" | "zoneLockdown";
type List<T> = pulumi.Input<readonly pulumi.Input<T>[]>;
type Products = List<Product>;
type Phases = List<Phase>;
type RulesByRuleset = Readonly<Record<string, List<string>>>;

/** What a {@link skip} skips: the service accepts only one of these forms. */
export type Skipped = OneOf<
  /** The rest of this ruleset. */
  | { readonly ruleset: "current"; readonly phases?: Phases; readonly products?: Products }
  /** Whole rulesets that later rules execute, by ID, and single rules of others. */
  | {
      readonly rulesets: List<string>;
      readonly rules?: RulesByRuleset;
      readonly products?: Products;
    }
  /** Single rules: ruleset ID to rule IDs. */
  | { readonly rules: RulesByRuleset; readonly phases?: Phases; readonly products?: Products }
  /** Whole phases that come later. */
  | { readonly phases: Phases; readonly products?: Products }
  /** The rest of this phase. */
  | { readonly phase: "current"; readonly products?: Products }
  /** Older security products; `waf` is the previous WAF. */
  | { readonly products: Products }
>;

/** Arguments of {@link skip}. */
export type SkipArgs = RuleArgs & {
  /** Whether matches are logged. @default true */
  readonly logging?: pulumi.Input<boolean | undefined>;
} & Skipped;

/**
 * Skips later rules for the requests that match.
 * See https://developers.cloudflare.com/waf/custom-rules/skip/options/ and
 * https://developers.cloudflare.com/ruleset-engine/managed-rulesets/create-exception/.
 */
export function skip({ logging, ruleset, rulesets, rules, phases, phase, products, ...rule }: SkipArgs): RulesetRule {
  // The types of rules expect mutable lists, but nothing modifies them.
  const skipped = { ruleset, rulesets, rules, phases, phase, products } as RulesetRuleActionParameters;
  return { ...makeRule("skip", rule, skipped), ...(logging === undefined ? {} : { logging: { enabled: logging } }) };
}

type Overriding = Pick<RulesetOverride, "action" | "enabled" | "sensitivityLevel">;

/** Changes to the rules of an executed ruleset. Those for a rule win over those for a tag, and these over the ruleset's. */
export type Overrides = AtLeastOne<
  Arguments<Overriding> & {
    /** By tag; if several match a rule, the last one wins. */
    readonly categories?: pulumi.Input<readonly TagOverrideArgs[]>;
    /** By rule. */
    readonly rules?: pulumi.Input<readonly RuleOverrideArgs[]>;
  }
>;
export type TagOverrideArgs = { readonly category: pulumi.Input<string> } & AtLeastOne<
  Arguments<Pick<TagOverride, keyof Overriding>>
>;
export type RuleOverrideArgs = { readonly id: pulumi.Input<string> } & AtLeastOne<
  Arguments<Pick<RuleOverride, keyof Overriding | "scoreThreshold">>
>;

/** Arguments of {@link execute}. */
export interface ExecuteArgs extends Omit<RuleArgs, "expression"> {
  /** ID of the ruleset: one of `managedRulesets`, or the `id` of a custom `Ruleset`. */
  readonly ruleset: pulumi.Input<string>;
  /** @default "true": every request */
  readonly expression?: pulumi.Input<string>;
  readonly overrides?: Overrides;
  /** Logs the matched data, encrypted with this key. */
  readonly matchedData?: { readonly publicKey: pulumi.Input<string> };
}

/**
 * Runs another ruleset. See https://developers.cloudflare.com/ruleset-engine/managed-rulesets/override-managed-ruleset/.
 *
 * @example
 * ```ts
 * execute({ ruleset: managedRulesets.cloudflareManaged, overrides: { categories: [{ category: "wordpress", action: "log" }] } })
 * ```
 */
export function execute({ ruleset, overrides, matchedData, expression = "true", ...rule }: ExecuteArgs): RulesetRule {
  const parameters = { id: ruleset, overrides, matchedData } as RulesetRuleActionParameters;
  return makeRule("execute", { expression, ...rule }, parameters);
}

/** Seconds over which the service counts requests. */
type Period =
  | 10
  | 15
  | 20
  | 30
  | 40
  | 45
  | 60
  | 90
  | 120
  | 180
  | 240
  | 300
  | 480
  | 600
  | 900
  | 1200
  | 1800
  | 2400
  | 3600
  | 65535
  | 86400;

/** Arguments of {@link rateLimit}. */
export type RateLimitArgs = Omit<RuleArgs, "split"> & {
  /** Fields to count by: each combination of values has its own counter. `cf.colo.id` must be one of them. */
  readonly characteristics: List<string>;
  /** Seconds. */
  readonly period: pulumi.Input<Period> | pulumi.Output<number>;
  /** How many seconds the action lasts once the limit is exceeded; 0 throttles instead. */
  readonly mitigationTimeout?: pulumi.Input<number | undefined>;
  /** Which requests are counted. @default the rule's own expression */
  readonly countingExpression?: pulumi.Input<string | undefined>;
  /** Counts only requests that reach the origin. @default false */
  readonly requestsToOrigin?: pulumi.Input<boolean | undefined>;
} & OneOf<
    /** A number of requests. */
    | { readonly requestsPerPeriod: pulumi.Input<number> }
    /** A sum of scores that the origin reports in a response header. */
    | { readonly scorePerPeriod: pulumi.Input<number>; readonly scoreResponseHeaderName: pulumi.Input<string> }
  > &
  OneOf<
    | { readonly action: "block"; readonly response?: BlockResponse }
    | { readonly action: "challenge" | "js_challenge" | "managed_challenge" | "log" }
  >;

/** Counts requests, and acts above a limit. See https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/. */
export function rateLimit({ action, response, ...args }: RateLimitArgs): RulesetRule {
  const [rule, limit] = splitArgs(args);
  const ratelimit = withoutUndefined(limit) as RulesetRuleRatelimit;
  return { ...makeRule(action, rule, { response }), ratelimit };
}
