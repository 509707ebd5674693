import type * as pulumi from "@pulumi/pulumi";
import type {
  RulesetRuleActionParameters as Parameters,
  RulesetRuleActionParametersCacheKey as Key,
  RulesetRuleActionParametersCacheKeyCustomKey as CustomKey,
} from "../model/generated/rule.js";
import type { RulesetRule } from "../resources/generated/inputs.js";
import { makeRule, splitArgs, type RuleArgs } from "./rule.js";
import type { Arguments, AtLeastOne, OneOf } from "./unions.js";

/** How long browsers keep a response. */
export type BrowserTtl = OneOf<
  | { readonly mode: "override_origin"; /** Seconds. */ readonly default: pulumi.Input<number> }
  | { readonly mode: "respect_origin" | "bypass_by_default" | "bypass" }
>;

/** How long the edge keeps a response. */
export type EdgeTtl = OneOf<
  | { readonly mode: "override_origin"; /** Seconds. */ readonly default: pulumi.Input<number> }
  | { readonly mode: "respect_origin" | "bypass_by_default" }
> & {
  /** TTLs by status code. */
  readonly statusCodeTtls?: StatusCodeTtl[];
};

/** TTL for a status code or a range of them. */
export type StatusCodeTtl = OneOf<
  | { readonly statusCode: pulumi.Input<number> }
  | {
      readonly statusCodeRange: AtLeastOne<{
        readonly from?: pulumi.Input<number>;
        readonly to?: pulumi.Input<number>;
      }>;
    }
> & {
  /** Seconds; 0 always revalidates, -1 does not cache. */
  readonly value: pulumi.Input<number>;
};

/** Parameters of the query string: all of them, or some by name. */
export type QueryParameters = OneOf<{ readonly all: true } | { readonly lists: pulumi.Input<string>[] }>;

/** What makes two requests the same for the cache. */
export type CacheKey = Arguments<Omit<Key, "customKey">> & {
  /** Parts of the request that are included in the key. */
  readonly customKey?: Arguments<Omit<CustomKey, "queryString">> & {
    /** The parameters to include in the key, or those to exclude from it. */
    readonly queryString?: OneOf<{ readonly include: QueryParameters } | { readonly exclude: QueryParameters }>;
  };
};

type CacheNames =
  | "additionalCacheablePorts"
  | "cache"
  | "cacheReserve"
  | "originCacheControl"
  | "originErrorPagePassthru"
  | "originRangeRequests"
  | "readTimeout"
  | "respectStrongEtags"
  | "serveStale"
  | "sharedDictionary"
  | "stripEtags"
  | "stripLastModified"
  | "stripSetCookie"
  | "vary";

/** Arguments of {@link setCache}. */
export type SetCacheArgs = RuleArgs &
  AtLeastOne<
    Arguments<Pick<Parameters, CacheNames>> & {
      readonly browserTtl?: BrowserTtl;
      readonly edgeTtl?: EdgeTtl;
      readonly cacheKey?: CacheKey;
    }
  >;

/**
 * Sets whether, where and how long a response is cached (action `set_cache_settings`).
 * See https://developers.cloudflare.com/cache/how-to/cache-rules/settings/.
 */
export function setCache(args: SetCacheArgs): RulesetRule {
  return makeRule("set_cache_settings", ...splitArgs(args));
}

interface ForCloudflareOnly {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: pulumi.Input<boolean>;
}

/** A directive without a value. */
export type Directive = ForCloudflareOnly & { readonly operation: "set" | "remove" };
/** A directive with a number of seconds. */
export type SecondsDirective = ForCloudflareOnly &
  OneOf<{ readonly operation: "set"; readonly value: pulumi.Input<number> } | { readonly operation: "remove" }>;
/** A directive that may name headers. */
export type QualifiedDirective = ForCloudflareOnly &
  OneOf<{ readonly operation: "set"; readonly qualifiers?: pulumi.Input<string>[] } | { readonly operation: "remove" }>;

/** Arguments of {@link setCacheControl}. */
export type SetCacheControlArgs = RuleArgs &
  AtLeastOne<
    {
      readonly [Name in "maxAge" | "sMaxage" | "staleIfError" | "staleWhileRevalidate"]?: SecondsDirective;
    } & { readonly [Name in "private" | "noCache"]?: QualifiedDirective } & {
      readonly [
        Name in
          "public" | "noStore" | "noTransform" | "immutable" | "mustRevalidate" | "mustUnderstand" | "proxyRevalidate"
      ]?: Directive;
    }
  >;

/** Changes directives of a response's Cache-Control header. */
export function setCacheControl(args: SetCacheControlArgs): RulesetRule {
  return makeRule("set_cache_control", ...splitArgs(args));
}

/** Arguments of {@link setCacheTags}. */
export type SetCacheTagsArgs = RuleArgs & {
  readonly operation: pulumi.Input<"add" | "remove" | "set">;
  /** The tags, or the expression that yields them. */
  readonly values: pulumi.Input<string>[] | { readonly expression: pulumi.Input<string> };
};

/** Changes the cache tags of a response. */
export function setCacheTags({ operation, values, ...rule }: SetCacheTagsArgs): RulesetRule {
  const tags = Array.isArray(values) ? { values } : { expression: values.expression };
  return makeRule("set_cache_tags", rule, { operation, ...tags });
}
