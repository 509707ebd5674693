// Generated from schema/ by `npm run generate`. Edit the schema instead.

import type { JsonObject } from "../json.js";
/** Actions known today; others pass with a warning. */
export type Action =
  | "block"
  | "challenge"
  | "compress_response"
  | "ddos_dynamic"
  | "execute"
  | "force_connection_close"
  | "js_challenge"
  | "log"
  | "log_custom_field"
  | "managed_challenge"
  | "redirect"
  | "rewrite"
  | "route"
  | "score"
  | "serve_error"
  | "set_cache_control"
  | "set_cache_settings"
  | "set_cache_tags"
  | "set_config"
  | "skip"
  | "transform_response_html";
/** Phases known today; others pass with a warning. */
export type Phase =
  | "ddos_l4"
  | "ddos_l7"
  | "http_config_settings"
  | "http_custom_errors"
  | "http_log_custom_fields"
  | "http_ratelimit"
  | "http_request_cache_settings"
  | "http_request_dynamic_redirect"
  | "http_request_firewall_custom"
  | "http_request_firewall_managed"
  | "http_request_late_transform"
  | "http_request_origin"
  | "http_request_redirect"
  | "http_request_sanitize"
  | "http_request_sbfm"
  | "http_request_transform"
  | "http_response_cache_settings"
  | "http_response_compression"
  | "http_response_firewall_managed"
  | "http_response_headers_transform"
  | "magic_transit"
  | "magic_transit_ids_managed"
  | "magic_transit_managed"
  | "magic_transit_ratelimit";
/** Kinds of rulesets that can be created. */
export type Kind = "custom" | "root" | "zone";
/** One rule of a ruleset. Rules run in the order of the list. */
export type RulesetRule = {
  /** What to do with requests that match the expression. */
  readonly action:
    | "block"
    | "challenge"
    | "compress_response"
    | "ddos_dynamic"
    | "execute"
    | "force_connection_close"
    | "js_challenge"
    | "log"
    | "log_custom_field"
    | "managed_challenge"
    | "redirect"
    | "rewrite"
    | "route"
    | "score"
    | "serve_error"
    | "set_cache_control"
    | "set_cache_settings"
    | "set_cache_tags"
    | "set_config"
    | "skip"
    | "transform_response_html"
    | (string & {});
  /** Parameters of the action; which ones are allowed depends on `action`. */
  readonly actionParameters?: RulesetRuleActionParameters | undefined;
  /** Free text, shown with the rule in the dashboard. An empty string is the same as none. */
  readonly description?: string | undefined;
  /** Whether the rule runs. @default true */
  readonly enabled?: boolean | undefined;
  /** Checks the credentials in a request against lists of leaked ones. */
  readonly exposedCredentialCheck?: RulesetRuleExposedCredentialCheck | undefined;
  /** Filter expression in the rules language, at most 4096 characters; `true` matches all requests. */
  readonly expression: string;
  /** ID of an existing rule, as the service returns it: this is that rule, which keeps its ID. The preview refuses an ID that no rule of the ruleset has. Never sent. */
  readonly id?: string | undefined;
  /** Whether matches are logged. Only allowed in rules with the action `skip`. */
  readonly logging?: RulesetRuleLogging | undefined;
  /** Counts requests and acts above a limit. Only allowed in the phase `http_ratelimit`. */
  readonly ratelimit?: RulesetRuleRatelimit | undefined;
  /** Stable name of the rule in its ruleset. The service keeps a rule's ID as long as its ref does not change. If omitted, it is derived from the rule. */
  readonly ref?: string | undefined;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: JsonObject | undefined;
};
/** Where in a request the user name and the password are. */
export type RulesetRuleExposedCredentialCheck = {
  /** Value expression that returns the password. */
  readonly passwordExpression: string;
  /** Value expression that returns the user name. */
  readonly usernameExpression: string;
};
/** Logging of matches of a skip rule. */
export type RulesetRuleLogging = {
  /** Whether matches are logged. */
  readonly enabled: boolean;
};
/** A rate limit. */
export type RulesetRuleRatelimit = {
  /** Fields to count by: each combination of values has its own counter. Must include `cf.colo.id`. */
  readonly characteristics: string[];
  /** Expression for the requests to count; if omitted or empty, the rule's own expression. */
  readonly countingExpression?: string | undefined;
  /** How many seconds the action lasts once the limit is exceeded; 0 throttles instead. */
  readonly mitigationTimeout?: number | undefined;
  /** Counting period in seconds. */
  readonly period: number;
  /** Number of requests in a period above which the action applies. */
  readonly requestsPerPeriod?: number | undefined;
  /** Counts only requests that reach the origin. @default false */
  readonly requestsToOrigin?: boolean | undefined;
  /** Sum of scores in a period above which the action applies. */
  readonly scorePerPeriod?: number | undefined;
  /** Response header in which the origin reports the score of a request. */
  readonly scoreResponseHeaderName?: string | undefined;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: JsonObject | undefined;
};
/** Parameters of all actions in one type; the preview checks which ones an action allows. */
export type RulesetRuleActionParameters = {
  /** `set_cache_settings`: additional origin ports whose responses may be cached. */
  readonly additionalCacheablePorts?: number[] | undefined;
  /** `compress_response`: compression algorithms in order of preference. */
  readonly algorithms?: RulesetRuleActionParametersAlgorithm[] | undefined;
  /** `serve_error`: name of the custom asset to serve. Cannot be combined with `content`. */
  readonly assetName?: string | undefined;
  /** `set_config`: rewrites links to HTTPS where the target supports it. */
  readonly automaticHttpsRewrites?: boolean | undefined;
  /** `set_config`: file types to minify. */
  readonly autominify?: RulesetRuleActionParametersAutominify | undefined;
  /** `set_config`: browser integrity check. */
  readonly bic?: boolean | undefined;
  /** `set_cache_settings`: how long browsers keep a response. */
  readonly browserTtl?: RulesetRuleActionParametersBrowserTtl | undefined;
  /** `set_cache_settings`: whether a response is eligible for the cache. */
  readonly cache?: boolean | undefined;
  /** `set_cache_settings`: which requests share a cache entry. */
  readonly cacheKey?: RulesetRuleActionParametersCacheKey | undefined;
  /** `set_cache_settings`: use of the persistent cache store. */
  readonly cacheReserve?: RulesetRuleActionParametersCacheReserve | undefined;
  /** `serve_error`: body of the response. Cannot be combined with `assetName`. */
  readonly content?: string | undefined;
  /** `set_config`: conversion of page content, for example to Markdown. */
  readonly contentConverter?: boolean | undefined;
  /** `serve_error`: media type of the response. */
  readonly contentType?: "application/json" | "text/html" | "text/plain" | "text/xml" | (string & {}) | undefined;
  /** `log_custom_field`: request cookies to log. */
  readonly cookieFields?: RulesetRuleActionParametersCookieField[] | undefined;
  /** `set_config`: disables apps; only `true` is accepted. Deprecated by the service. */
  readonly disableApps?: boolean | undefined;
  /** `set_config`: disables pay per crawl; only `true` is accepted. */
  readonly disablePayPerCrawl?: boolean | undefined;
  /** `set_config`: disables real user monitoring; only `true` is accepted. */
  readonly disableRum?: boolean | undefined;
  /** `set_config`: disables Zaraz; only `true` is accepted. */
  readonly disableZaraz?: boolean | undefined;
  /** `set_cache_settings`: how long the edge keeps a response. */
  readonly edgeTtl?: RulesetRuleActionParametersEdgeTtl | undefined;
  /** `set_config`: hides e-mail addresses from bots. */
  readonly emailObfuscation?: boolean | undefined;
  /** `set_cache_tags`: expression that returns the tags. Cannot be combined with `values`. */
  readonly expression?: string | undefined;
  /** `set_config`: font optimisation. */
  readonly fonts?: boolean | undefined;
  /** `redirect`: gets the target from a redirect list. Cannot be combined with `fromValue`. */
  readonly fromList?: RulesetRuleActionParametersFromList | undefined;
  /** `redirect`: the target. Cannot be combined with `fromList`. */
  readonly fromValue?: RulesetRuleActionParametersFromValue | undefined;
  /** `rewrite`: changes by header name. */
  readonly headers?: Record<string, RulesetRuleActionParametersHeaders> | undefined;
  /** `route`: Host header sent to the origin. */
  readonly hostHeader?: string | undefined;
  /** `set_config`: blocks images that are linked from other sites. */
  readonly hotlinkProtection?: boolean | undefined;
  /** `execute`: ID of the ruleset to run; a full resource ID is also accepted. */
  readonly id?: string | undefined;
  /** `set_cache_control`: the `immutable` directive. */
  readonly immutable?: RulesetRuleActionParametersImmutable | undefined;
  /** `score`: number added to the score; may be negative. */
  readonly increment?: number | undefined;
  /** `transform_response_html`: adds a maze of links for crawlers; has no settings. */
  readonly linkMaze?: JsonObject | undefined;
  /** `execute`: encrypted log of the matched data. */
  readonly matchedData?: RulesetRuleActionParametersMatchedData | undefined;
  /** `set_cache_control`: the `max-age` directive. */
  readonly maxAge?: RulesetRuleActionParametersMaxAge | undefined;
  /** `set_config`: image optimisation on slow connections. Deprecated by the service. */
  readonly mirage?: boolean | undefined;
  /** `set_cache_control`: the `must-revalidate` directive. */
  readonly mustRevalidate?: RulesetRuleActionParametersMustRevalidate | undefined;
  /** `set_cache_control`: the `must-understand` directive. */
  readonly mustUnderstand?: RulesetRuleActionParametersMustUnderstand | undefined;
  /** `set_cache_control`: the `no-cache` directive. */
  readonly noCache?: RulesetRuleActionParametersNoCache | undefined;
  /** `set_cache_control`: the `no-store` directive. */
  readonly noStore?: RulesetRuleActionParametersNoStore | undefined;
  /** `set_cache_control`: the `no-transform` directive. */
  readonly noTransform?: RulesetRuleActionParametersNoTransform | undefined;
  /** `set_cache_tags`: what to do with the tags. */
  readonly operation?: "add" | "remove" | "set" | (string & {}) | undefined;
  /** `set_config`: opportunistic encryption. */
  readonly opportunisticEncryption?: boolean | undefined;
  /** `route`: origin to connect to. */
  readonly origin?: RulesetRuleActionParametersOrigin | undefined;
  /** `set_cache_settings`: honours the origin's cache headers strictly. */
  readonly originCacheControl?: boolean | undefined;
  /** `set_cache_settings`: passes error pages of the origin through. */
  readonly originErrorPagePassthru?: boolean | undefined;
  /** `set_cache_settings`: how range requests are sent to the origin. */
  readonly originRangeRequests?: RulesetRuleActionParametersOriginRangeRequests | undefined;
  /** `execute`: changes to the rules of the executed ruleset. */
  readonly overrides?: RulesetRuleActionParametersOverrides | undefined;
  /** `skip`: skips the current phase; can only be combined with `products`. */
  readonly phase?: "current" | (string & {}) | undefined;
  /** `skip`: phases to skip. Cannot be combined with `rulesets`. */
  readonly phases?:
    | (
        | "ddos_l4"
        | "ddos_l7"
        | "http_config_settings"
        | "http_custom_errors"
        | "http_log_custom_fields"
        | "http_ratelimit"
        | "http_request_cache_settings"
        | "http_request_dynamic_redirect"
        | "http_request_firewall_custom"
        | "http_request_firewall_managed"
        | "http_request_late_transform"
        | "http_request_origin"
        | "http_request_redirect"
        | "http_request_sanitize"
        | "http_request_sbfm"
        | "http_request_transform"
        | "http_response_cache_settings"
        | "http_response_compression"
        | "http_response_firewall_managed"
        | "http_response_headers_transform"
        | "magic_transit"
        | "magic_transit_ids_managed"
        | "magic_transit_managed"
        | "magic_transit_ratelimit"
        | (string & {})
      )[]
    | undefined;
  /** `set_config`: image compression. */
  readonly polish?: "off" | "lossless" | "lossy" | "webp" | (string & {}) | undefined;
  /** `set_cache_control`: the `private` directive. */
  readonly private?: RulesetRuleActionParametersPrivate | undefined;
  /** `skip`: older security products to skip; names are case-sensitive. */
  readonly products?:
    | ("bic" | "hot" | "rateLimit" | "securityLevel" | "uaBlock" | "waf" | "zoneLockdown" | (string & {}))[]
    | undefined;
  /** `set_cache_control`: the `proxy-revalidate` directive. */
  readonly proxyRevalidate?: RulesetRuleActionParametersProxyRevalidate | undefined;
  /** `set_cache_control`: the `public` directive. */
  readonly public?: RulesetRuleActionParametersPublic | undefined;
  /** `log_custom_field`: response headers as the origin sent them. */
  readonly rawResponseFields?: RulesetRuleActionParametersRawResponseField[] | undefined;
  /** `set_cache_settings`: seconds to wait for the origin between two reads. */
  readonly readTimeout?: number | undefined;
  /** `set_config`: redirects AI training crawlers to canonical URLs. */
  readonly redirectsForAiTraining?: boolean | undefined;
  /** `set_config`: buffering of request bodies. */
  readonly requestBodyBuffering?: "none" | "standard" | "full" | (string & {}) | undefined;
  /** `log_custom_field`: request headers to log. */
  readonly requestFields?: RulesetRuleActionParametersRequestField[] | undefined;
  /** `set_cache_settings`: keeps strong ETags unchanged. */
  readonly respectStrongEtags?: boolean | undefined;
  /** `block`: response to send instead of the default one. */
  readonly response?: RulesetRuleActionParametersResponse | undefined;
  /** `set_config`: buffering of response bodies. */
  readonly responseBodyBuffering?: "none" | "standard" | (string & {}) | undefined;
  /** `log_custom_field`: response headers after changes at the edge. */
  readonly responseFields?: RulesetRuleActionParametersResponseField[] | undefined;
  /** `set_config`: asynchronous loading of scripts. */
  readonly rocketLoader?: boolean | undefined;
  /** `skip`: IDs of rules to skip, by ruleset ID. Cannot be combined with `ruleset`. */
  readonly rules?: Record<string, string[]> | undefined;
  /** `skip`: skips the rest of the current ruleset. Cannot be combined with `rulesets` or `rules`. */
  readonly ruleset?: "current" | (string & {}) | undefined;
  /** `skip`: IDs of rulesets to skip; full resource IDs are also accepted. Cannot be combined with `ruleset` or `phases`. */
  readonly rulesets?: string[] | undefined;
  /** `set_cache_control`: the `s-maxage` directive. */
  readonly sMaxage?: RulesetRuleActionParametersSMaxage | undefined;
  /** `set_config`: security level. */
  readonly securityLevel?:
    | "off"
    | "essentially_off"
    | "low"
    | "medium"
    | "high"
    | "under_attack"
    | (string & {})
    | undefined;
  /** `set_cache_settings`: use of stale responses. */
  readonly serveStale?: RulesetRuleActionParametersServeStale | undefined;
  /** `set_config`: hides marked content from suspicious visitors. */
  readonly serverSideExcludes?: boolean | undefined;
  /** `set_cache_settings`: compression with a shared dictionary. */
  readonly sharedDictionary?: RulesetRuleActionParametersSharedDictionary | undefined;
  /** `route`: server name sent in the TLS handshake with the origin. */
  readonly sni?: RulesetRuleActionParametersSni | undefined;
  /** `set_config`: encryption mode for connections to the origin. */
  readonly ssl?: "off" | "flexible" | "full" | "strict" | "origin_pull" | (string & {}) | undefined;
  /** `set_cache_control`: the `stale-if-error` directive. */
  readonly staleIfError?: RulesetRuleActionParametersStaleIfError | undefined;
  /** `set_cache_control`: the `stale-while-revalidate` directive. */
  readonly staleWhileRevalidate?: RulesetRuleActionParametersStaleWhileRevalidate | undefined;
  /** `serve_error`: status of the response. */
  readonly statusCode?: number | undefined;
  /** `set_cache_settings`: removes ETag headers from responses. */
  readonly stripEtags?: boolean | undefined;
  /** `set_cache_settings`: removes Last-Modified headers from responses. */
  readonly stripLastModified?: boolean | undefined;
  /** `set_cache_settings`: removes Set-Cookie headers from responses. */
  readonly stripSetCookie?: boolean | undefined;
  /** `set_config`: signed exchanges. Deprecated by the service. */
  readonly sxg?: boolean | undefined;
  /** `log_custom_field`: request headers after changes at the edge. */
  readonly transformedRequestFields?: RulesetRuleActionParametersTransformedRequestField[] | undefined;
  /** `rewrite`: new path or query. */
  readonly uri?: RulesetRuleActionParametersUri | undefined;
  /** `set_cache_tags`: the tags. Cannot be combined with `expression`. */
  readonly values?: string[] | undefined;
  /** `set_cache_settings`: how the Vary header is handled. */
  readonly vary?: RulesetRuleActionParametersVary | undefined;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: JsonObject | undefined;
};
/** The `immutable` directive. */
export type RulesetRuleActionParametersImmutable = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `max-age` directive. */
export type RulesetRuleActionParametersMaxAge = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** The `must-revalidate` directive. */
export type RulesetRuleActionParametersMustRevalidate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `must-understand` directive. */
export type RulesetRuleActionParametersMustUnderstand = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `no-cache` directive. */
export type RulesetRuleActionParametersNoCache = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Header names to which the directive is limited. */
  readonly qualifiers?: string[] | undefined;
};
/** The `no-store` directive. */
export type RulesetRuleActionParametersNoStore = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `no-transform` directive. */
export type RulesetRuleActionParametersNoTransform = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `private` directive. */
export type RulesetRuleActionParametersPrivate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Header names to which the directive is limited. */
  readonly qualifiers?: string[] | undefined;
};
/** The `proxy-revalidate` directive. */
export type RulesetRuleActionParametersProxyRevalidate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `public` directive. */
export type RulesetRuleActionParametersPublic = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `s-maxage` directive. */
export type RulesetRuleActionParametersSMaxage = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** The `stale-if-error` directive. */
export type RulesetRuleActionParametersStaleIfError = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** The `stale-while-revalidate` directive. */
export type RulesetRuleActionParametersStaleWhileRevalidate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** A compression algorithm. */
export type RulesetRuleActionParametersAlgorithm = {
  /** Name of the algorithm. */
  readonly name?: "none" | "auto" | "default" | "gzip" | "brotli" | "zstd" | (string & {}) | undefined;
};
/** File types to minify. */
export type RulesetRuleActionParametersAutominify = {
  /** Style sheets. */
  readonly css?: boolean | undefined;
  /** HTML. */
  readonly html?: boolean | undefined;
  /** Scripts. */
  readonly js?: boolean | undefined;
};
/** How long browsers keep a response. */
export type RulesetRuleActionParametersBrowserTtl = {
  /** Seconds; required with `override_origin`. */
  readonly default?: number | undefined;
  /** How the TTL is determined. */
  readonly mode: "respect_origin" | "bypass_by_default" | "override_origin" | "bypass" | (string & {});
};
/** Which requests share a cache entry. */
export type RulesetRuleActionParametersCacheKey = {
  /** Caches separately for desktop, tablet and mobile. */
  readonly cacheByDeviceType?: boolean | undefined;
  /** Does not cache a response whose content type does not match the URL's extension. */
  readonly cacheDeceptionArmor?: boolean | undefined;
  /** Parts of the request that are included in the key. */
  readonly customKey?: RulesetRuleActionParametersCacheKeyCustomKey | undefined;
  /** Ignores the order of query parameters. */
  readonly ignoreQueryStringsOrder?: boolean | undefined;
};
/** Parts of the request that are included in the cache key. */
export type RulesetRuleActionParametersCacheKeyCustomKey = {
  /** Cookies. */
  readonly cookie?: RulesetRuleActionParametersCacheKeyCustomKeyCookie | undefined;
  /** Headers. */
  readonly header?: RulesetRuleActionParametersCacheKeyCustomKeyHeader | undefined;
  /** Host. */
  readonly host?: RulesetRuleActionParametersCacheKeyCustomKeyHost | undefined;
  /** Query string. */
  readonly queryString?: RulesetRuleActionParametersCacheKeyCustomKeyQueryString | undefined;
  /** Visitor properties. */
  readonly user?: RulesetRuleActionParametersCacheKeyCustomKeyUser | undefined;
};
/** Cookies in the cache key. */
export type RulesetRuleActionParametersCacheKeyCustomKeyCookie = {
  /** Cookies whose presence is included. */
  readonly checkPresences?: string[] | undefined;
  /** Cookies whose values are included. */
  readonly includes?: string[] | undefined;
};
/** Headers in the cache key. */
export type RulesetRuleActionParametersCacheKeyCustomKeyHeader = {
  /** Headers whose presence is included. */
  readonly checkPresences?: string[] | undefined;
  /** Values to look for, by header name; those that are found are included. */
  readonly contains?: Record<string, string[]> | undefined;
  /** Excludes the Origin header. */
  readonly excludeOrigin?: boolean | undefined;
  /** Headers whose values are included. */
  readonly includes?: string[] | undefined;
};
/** Host in the cache key. */
export type RulesetRuleActionParametersCacheKeyCustomKeyHost = {
  /** Uses the resolved host instead of the Host header. */
  readonly resolved?: boolean | undefined;
};
/** Query parameters in the cache key. */
export type RulesetRuleActionParametersCacheKeyCustomKeyQueryString = {
  /** Parameters to exclude. Cannot be combined with `include`. */
  readonly exclude?: RulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude | undefined;
  /** Parameters to include. Cannot be combined with `exclude`. */
  readonly include?: RulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude | undefined;
};
/** Query parameters. */
export type RulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude = {
  /** Every parameter. */
  readonly all?: boolean | undefined;
  /** Names of parameters. */
  readonly lists?: string[] | undefined;
};
/** Query parameters. */
export type RulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude = {
  /** Every parameter. */
  readonly all?: boolean | undefined;
  /** Names of parameters. */
  readonly lists?: string[] | undefined;
};
/** Visitor properties in the cache key. */
export type RulesetRuleActionParametersCacheKeyCustomKeyUser = {
  /** Device type. */
  readonly deviceType?: boolean | undefined;
  /** Country. */
  readonly geo?: boolean | undefined;
  /** Language. */
  readonly lang?: boolean | undefined;
};
/** Use of the persistent cache store. */
export type RulesetRuleActionParametersCacheReserve = {
  /** Whether responses may be stored there. */
  readonly eligible: boolean;
  /** Minimum size in bytes. */
  readonly minimumFileSize?: number | undefined;
};
/** A cookie to log. */
export type RulesetRuleActionParametersCookieField = {
  /** Name. */
  readonly name: string;
};
/** How long the edge keeps a response. */
export type RulesetRuleActionParametersEdgeTtl = {
  /** Seconds; required with `override_origin`. */
  readonly default?: number | undefined;
  /** How the TTL is determined. */
  readonly mode: "respect_origin" | "bypass_by_default" | "override_origin" | (string & {});
  /** TTLs by status code. */
  readonly statusCodeTtls?: RulesetRuleActionParametersEdgeTtlStatusCodeTtl[] | undefined;
};
/** TTL for a status code or a range of them. */
export type RulesetRuleActionParametersEdgeTtlStatusCodeTtl = {
  /** A status code. */
  readonly statusCode?: number | undefined;
  /** A range of status codes. */
  readonly statusCodeRange?: RulesetRuleActionParametersEdgeTtlStatusCodeTtlStatusCodeRange | undefined;
  /** Seconds; 0 always revalidates, -1 does not cache. */
  readonly value: number;
};
/** A range of status codes; omit an end that is open. */
export type RulesetRuleActionParametersEdgeTtlStatusCodeTtlStatusCodeRange = {
  /** First. */
  readonly from?: number | undefined;
  /** Last. */
  readonly to?: number | undefined;
};
/** Redirect with a list. */
export type RulesetRuleActionParametersFromList = {
  /** Value expression to look up. */
  readonly key: string;
  /** Name of the list. */
  readonly name: string;
};
/** Redirect to a given target. */
export type RulesetRuleActionParametersFromValue = {
  /** Keeps the query string of the request. @default false */
  readonly preserveQueryString?: boolean | undefined;
  /** Status of the redirect. */
  readonly statusCode?: number | undefined;
  /** The target. */
  readonly targetUrl: RulesetRuleActionParametersFromValueTargetUrl;
};
/** Target of a redirect. */
export type RulesetRuleActionParametersFromValueTargetUrl = {
  /** Value expression that returns the target. */
  readonly expression?: string | undefined;
  /** Fixed target. */
  readonly value?: string | undefined;
};
/** A change of a header. */
export type RulesetRuleActionParametersHeaders = {
  /** Value expression that returns the new value. */
  readonly expression?: string | undefined;
  /** Whether to add a value, replace all values, or remove the header. */
  readonly operation: "add" | "set" | "remove" | (string & {});
  /** Fixed new value. */
  readonly value?: string | undefined;
};
/** Encrypted log of the matched data. */
export type RulesetRuleActionParametersMatchedData = {
  /** Public key that encrypts the log. */
  readonly publicKey: string;
};
/** Origin to connect to. */
export type RulesetRuleActionParametersOrigin = {
  /** Host name. */
  readonly host?: string | undefined;
  /** Port. */
  readonly port?: number | undefined;
};
/** How range requests are sent to the origin. */
export type RulesetRuleActionParametersOriginRangeRequests = {
  /** Mode. */
  readonly mode: "on" | "off" | "default" | (string & {});
};
/** Changes to the rules of the executed ruleset. An override of a rule wins over one of a tag, which wins over one of the ruleset. */
export type RulesetRuleActionParametersOverrides = {
  /** Action of all its rules. */
  readonly action?:
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined;
  /** Changes by tag; if several match a rule, the last one wins. */
  readonly categories?: RulesetRuleActionParametersOverridesCategory[] | undefined;
  /** Whether its rules run. */
  readonly enabled?: boolean | undefined;
  /** Changes by rule. */
  readonly rules?: RulesetRuleActionParametersOverridesRule[] | undefined;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivityLevel?: "default" | "medium" | "low" | "eoff" | (string & {}) | undefined;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: JsonObject | undefined;
};
/** Change for all rules with a tag. */
export type RulesetRuleActionParametersOverridesCategory = {
  /** Action. */
  readonly action?:
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined;
  /** The tag. */
  readonly category: string;
  /** Whether the rules run. */
  readonly enabled?: boolean | undefined;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivityLevel?: "default" | "medium" | "low" | "eoff" | (string & {}) | undefined;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: JsonObject | undefined;
};
/** Change for one rule. */
export type RulesetRuleActionParametersOverridesRule = {
  /** Action. */
  readonly action?:
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined;
  /** Whether the rule runs. */
  readonly enabled?: boolean | undefined;
  /** ID of the rule. */
  readonly id: string;
  /** Score at which the rule applies its action. */
  readonly scoreThreshold?: number | undefined;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivityLevel?: "default" | "medium" | "low" | "eoff" | (string & {}) | undefined;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: JsonObject | undefined;
};
/** A response header as the origin sent it. */
export type RulesetRuleActionParametersRawResponseField = {
  /** Name. */
  readonly name: string;
  /** Logs every value of a repeated header. @default false */
  readonly preserveDuplicates?: boolean | undefined;
};
/** A response header. */
export type RulesetRuleActionParametersResponseField = {
  /** Name. */
  readonly name: string;
  /** Logs every value of a repeated header. @default false */
  readonly preserveDuplicates?: boolean | undefined;
};
/** A request header. */
export type RulesetRuleActionParametersRequestField = {
  /** Name. */
  readonly name: string;
};
/** A request header after changes at the edge. */
export type RulesetRuleActionParametersTransformedRequestField = {
  /** Name. */
  readonly name: string;
};
/** Response of a block. */
export type RulesetRuleActionParametersResponse = {
  /** Body. */
  readonly content: string;
  /** Media type. */
  readonly contentType: "application/json" | "text/html" | "text/plain" | "text/xml" | (string & {});
  /** Status. */
  readonly statusCode: number;
};
/** Use of stale responses. */
export type RulesetRuleActionParametersServeStale = {
  /** Does not serve stale responses while a new one is fetched. */
  readonly disableStaleWhileUpdating?: boolean | undefined;
};
/** Compression with a shared dictionary. */
export type RulesetRuleActionParametersSharedDictionary = {
  /** Pattern of the URLs for which the dictionary is used. */
  readonly matchPattern: string;
};
/** Server name in the TLS handshake with the origin. */
export type RulesetRuleActionParametersSni = {
  /** Name. */
  readonly value: string;
};
/** New path or query. */
export type RulesetRuleActionParametersUri = {
  /** New path. */
  readonly path?: RulesetRuleActionParametersUriPath | undefined;
  /** New query. */
  readonly query?: RulesetRuleActionParametersUriQuery | undefined;
};
/** New path. */
export type RulesetRuleActionParametersUriPath = {
  /** Value expression that returns it. */
  readonly expression?: string | undefined;
  /** Fixed path. */
  readonly value?: string | undefined;
};
/** New query string. */
export type RulesetRuleActionParametersUriQuery = {
  /** Value expression that returns it. */
  readonly expression?: string | undefined;
  /** Fixed query; empty removes it. */
  readonly value?: string | undefined;
};
/** How the Vary header is handled. */
export type RulesetRuleActionParametersVary = {
  /** For all other headers. */
  readonly default: RulesetRuleActionParametersVaryDefault;
  /** Handling by header name. */
  readonly headers?: Record<string, RulesetRuleActionParametersVaryHeaders> | undefined;
};
/** Handling of all other headers. */
export type RulesetRuleActionParametersVaryDefault = {
  /** Handling. */
  readonly action: "bypass" | "passthrough" | "normalize" | (string & {});
};
/** Handling of one header. */
export type RulesetRuleActionParametersVaryHeaders = {
  /** Handling. */
  readonly action: "bypass" | "passthrough" | "normalize" | (string & {});
  /** Languages to distinguish. */
  readonly languages?: string[] | undefined;
  /** Media types to distinguish. */
  readonly mediaTypes?: string[] | undefined;
};
/** One rule of a ruleset. Rules run in the order of the list. As the service spells it. */
export type WireRulesetRule = {
  /** What to do with requests that match the expression. */
  readonly action:
    | "block"
    | "challenge"
    | "compress_response"
    | "ddos_dynamic"
    | "execute"
    | "force_connection_close"
    | "js_challenge"
    | "log"
    | "log_custom_field"
    | "managed_challenge"
    | "redirect"
    | "rewrite"
    | "route"
    | "score"
    | "serve_error"
    | "set_cache_control"
    | "set_cache_settings"
    | "set_cache_tags"
    | "set_config"
    | "skip"
    | "transform_response_html"
    | (string & {});
  /** Parameters of the action; which ones are allowed depends on `action`. */
  readonly action_parameters?: WireRulesetRuleActionParameters | undefined;
  /** Tags of a rule of a managed ruleset. Set by the service; never sent. */
  readonly categories?: string[] | undefined;
  /** Free text, shown with the rule in the dashboard. An empty string is the same as none. */
  readonly description?: string | undefined;
  /** Whether the rule runs. @default true */
  readonly enabled?: boolean | undefined;
  /** Checks the credentials in a request against lists of leaked ones. */
  readonly exposed_credential_check?: WireRulesetRuleExposedCredentialCheck | undefined;
  /** Filter expression in the rules language, at most 4096 characters; `true` matches all requests. */
  readonly expression: string;
  /** ID of an existing rule, as the service returns it: this is that rule, which keeps its ID. The preview refuses an ID that no rule of the ruleset has. Never sent. */
  readonly id?: string | undefined;
  /** When the rule was last changed. Set by the service; never sent. */
  readonly last_updated?: string | undefined;
  /** Whether matches are logged. Only allowed in rules with the action `skip`. */
  readonly logging?: RulesetRuleLogging | undefined;
  /** Counts requests and acts above a limit. Only allowed in the phase `http_ratelimit`. */
  readonly ratelimit?: WireRulesetRuleRatelimit | undefined;
  /** Stable name of the rule in its ruleset. The service keeps a rule's ID as long as its ref does not change. If omitted, it is derived from the rule. */
  readonly ref?: string | undefined;
  /** Version of the rule. Set by the service; never sent. */
  readonly version?: string | undefined;
};
/** Where in a request the user name and the password are. As the service spells it. */
export type WireRulesetRuleExposedCredentialCheck = {
  /** Value expression that returns the password. */
  readonly password_expression: string;
  /** Value expression that returns the user name. */
  readonly username_expression: string;
};
/** A rate limit. As the service spells it. */
export type WireRulesetRuleRatelimit = {
  /** Fields to count by: each combination of values has its own counter. Must include `cf.colo.id`. */
  readonly characteristics: string[];
  /** Expression for the requests to count; if omitted or empty, the rule's own expression. */
  readonly counting_expression?: string | undefined;
  /** How many seconds the action lasts once the limit is exceeded; 0 throttles instead. */
  readonly mitigation_timeout?: number | undefined;
  /** Counting period in seconds. */
  readonly period: number;
  /** Number of requests in a period above which the action applies. */
  readonly requests_per_period?: number | undefined;
  /** Counts only requests that reach the origin. @default false */
  readonly requests_to_origin?: boolean | undefined;
  /** Sum of scores in a period above which the action applies. */
  readonly score_per_period?: number | undefined;
  /** Response header in which the origin reports the score of a request. */
  readonly score_response_header_name?: string | undefined;
};
/** Parameters of all actions in one type; the preview checks which ones an action allows. As the service spells it. */
export type WireRulesetRuleActionParameters = {
  /** `set_cache_settings`: additional origin ports whose responses may be cached. */
  readonly additional_cacheable_ports?: number[] | undefined;
  /** `compress_response`: compression algorithms in order of preference. */
  readonly algorithms?: RulesetRuleActionParametersAlgorithm[] | undefined;
  /** `serve_error`: name of the custom asset to serve. Cannot be combined with `content`. */
  readonly asset_name?: string | undefined;
  /** `set_config`: rewrites links to HTTPS where the target supports it. */
  readonly automatic_https_rewrites?: boolean | undefined;
  /** `set_config`: file types to minify. */
  readonly autominify?: RulesetRuleActionParametersAutominify | undefined;
  /** `set_config`: browser integrity check. */
  readonly bic?: boolean | undefined;
  /** `set_cache_settings`: how long browsers keep a response. */
  readonly browser_ttl?: RulesetRuleActionParametersBrowserTtl | undefined;
  /** `set_cache_settings`: whether a response is eligible for the cache. */
  readonly cache?: boolean | undefined;
  /** `set_cache_settings`: which requests share a cache entry. */
  readonly cache_key?: WireRulesetRuleActionParametersCacheKey | undefined;
  /** `set_cache_settings`: use of the persistent cache store. */
  readonly cache_reserve?: WireRulesetRuleActionParametersCacheReserve | undefined;
  /** `serve_error`: body of the response. Cannot be combined with `assetName`. */
  readonly content?: string | undefined;
  /** `set_config`: conversion of page content, for example to Markdown. */
  readonly content_converter?: boolean | undefined;
  /** `serve_error`: media type of the response. */
  readonly content_type?: "application/json" | "text/html" | "text/plain" | "text/xml" | (string & {}) | undefined;
  /** `log_custom_field`: request cookies to log. */
  readonly cookie_fields?: RulesetRuleActionParametersCookieField[] | undefined;
  /** `set_config`: disables apps; only `true` is accepted. Deprecated by the service. */
  readonly disable_apps?: boolean | undefined;
  /** `set_config`: disables pay per crawl; only `true` is accepted. */
  readonly disable_pay_per_crawl?: boolean | undefined;
  /** `set_config`: disables real user monitoring; only `true` is accepted. */
  readonly disable_rum?: boolean | undefined;
  /** `set_config`: disables Zaraz; only `true` is accepted. */
  readonly disable_zaraz?: boolean | undefined;
  /** `set_cache_settings`: how long the edge keeps a response. */
  readonly edge_ttl?: WireRulesetRuleActionParametersEdgeTtl | undefined;
  /** `set_config`: hides e-mail addresses from bots. */
  readonly email_obfuscation?: boolean | undefined;
  /** `set_cache_tags`: expression that returns the tags. Cannot be combined with `values`. */
  readonly expression?: string | undefined;
  /** `set_config`: font optimisation. */
  readonly fonts?: boolean | undefined;
  /** `redirect`: gets the target from a redirect list. Cannot be combined with `fromValue`. */
  readonly from_list?: RulesetRuleActionParametersFromList | undefined;
  /** `redirect`: the target. Cannot be combined with `fromList`. */
  readonly from_value?: WireRulesetRuleActionParametersFromValue | undefined;
  /** `rewrite`: changes by header name. */
  readonly headers?: Record<string, RulesetRuleActionParametersHeaders> | undefined;
  /** `route`: Host header sent to the origin. */
  readonly host_header?: string | undefined;
  /** `set_config`: blocks images that are linked from other sites. */
  readonly hotlink_protection?: boolean | undefined;
  /** `execute`: ID of the ruleset to run; a full resource ID is also accepted. */
  readonly id?: string | undefined;
  /** `set_cache_control`: the `immutable` directive. */
  readonly immutable?: WireRulesetRuleActionParametersImmutable | undefined;
  /** `score`: number added to the score; may be negative. */
  readonly increment?: number | undefined;
  /** `transform_response_html`: adds a maze of links for crawlers; has no settings. */
  readonly link_maze?: JsonObject | undefined;
  /** `execute`: encrypted log of the matched data. */
  readonly matched_data?: WireRulesetRuleActionParametersMatchedData | undefined;
  /** `set_cache_control`: the `max-age` directive. */
  readonly "max-age"?: WireRulesetRuleActionParametersMaxAge | undefined;
  /** `set_config`: image optimisation on slow connections. Deprecated by the service. */
  readonly mirage?: boolean | undefined;
  /** `set_cache_control`: the `must-revalidate` directive. */
  readonly "must-revalidate"?: WireRulesetRuleActionParametersMustRevalidate | undefined;
  /** `set_cache_control`: the `must-understand` directive. */
  readonly "must-understand"?: WireRulesetRuleActionParametersMustUnderstand | undefined;
  /** `set_cache_control`: the `no-cache` directive. */
  readonly "no-cache"?: WireRulesetRuleActionParametersNoCache | undefined;
  /** `set_cache_control`: the `no-store` directive. */
  readonly "no-store"?: WireRulesetRuleActionParametersNoStore | undefined;
  /** `set_cache_control`: the `no-transform` directive. */
  readonly "no-transform"?: WireRulesetRuleActionParametersNoTransform | undefined;
  /** `set_cache_tags`: what to do with the tags. */
  readonly operation?: "add" | "remove" | "set" | (string & {}) | undefined;
  /** `set_config`: opportunistic encryption. */
  readonly opportunistic_encryption?: boolean | undefined;
  /** `route`: origin to connect to. */
  readonly origin?: RulesetRuleActionParametersOrigin | undefined;
  /** `set_cache_settings`: honours the origin's cache headers strictly. */
  readonly origin_cache_control?: boolean | undefined;
  /** `set_cache_settings`: passes error pages of the origin through. */
  readonly origin_error_page_passthru?: boolean | undefined;
  /** `set_cache_settings`: how range requests are sent to the origin. */
  readonly origin_range_requests?: RulesetRuleActionParametersOriginRangeRequests | undefined;
  /** `execute`: changes to the rules of the executed ruleset. */
  readonly overrides?: WireRulesetRuleActionParametersOverrides | undefined;
  /** `skip`: skips the current phase; can only be combined with `products`. */
  readonly phase?: "current" | (string & {}) | undefined;
  /** `skip`: phases to skip. Cannot be combined with `rulesets`. */
  readonly phases?:
    | (
        | "ddos_l4"
        | "ddos_l7"
        | "http_config_settings"
        | "http_custom_errors"
        | "http_log_custom_fields"
        | "http_ratelimit"
        | "http_request_cache_settings"
        | "http_request_dynamic_redirect"
        | "http_request_firewall_custom"
        | "http_request_firewall_managed"
        | "http_request_late_transform"
        | "http_request_origin"
        | "http_request_redirect"
        | "http_request_sanitize"
        | "http_request_sbfm"
        | "http_request_transform"
        | "http_response_cache_settings"
        | "http_response_compression"
        | "http_response_firewall_managed"
        | "http_response_headers_transform"
        | "magic_transit"
        | "magic_transit_ids_managed"
        | "magic_transit_managed"
        | "magic_transit_ratelimit"
        | (string & {})
      )[]
    | undefined;
  /** `set_config`: image compression. */
  readonly polish?: "off" | "lossless" | "lossy" | "webp" | (string & {}) | undefined;
  /** `set_cache_control`: the `private` directive. */
  readonly private?: WireRulesetRuleActionParametersPrivate | undefined;
  /** `skip`: older security products to skip; names are case-sensitive. */
  readonly products?:
    | ("bic" | "hot" | "rateLimit" | "securityLevel" | "uaBlock" | "waf" | "zoneLockdown" | (string & {}))[]
    | undefined;
  /** `set_cache_control`: the `proxy-revalidate` directive. */
  readonly "proxy-revalidate"?: WireRulesetRuleActionParametersProxyRevalidate | undefined;
  /** `set_cache_control`: the `public` directive. */
  readonly public?: WireRulesetRuleActionParametersPublic | undefined;
  /** `log_custom_field`: response headers as the origin sent them. */
  readonly raw_response_fields?: WireRulesetRuleActionParametersRawResponseField[] | undefined;
  /** `set_cache_settings`: seconds to wait for the origin between two reads. */
  readonly read_timeout?: number | undefined;
  /** `set_config`: redirects AI training crawlers to canonical URLs. */
  readonly redirects_for_ai_training?: boolean | undefined;
  /** `set_config`: buffering of request bodies. */
  readonly request_body_buffering?: "none" | "standard" | "full" | (string & {}) | undefined;
  /** `log_custom_field`: request headers to log. */
  readonly request_fields?: RulesetRuleActionParametersRequestField[] | undefined;
  /** `set_cache_settings`: keeps strong ETags unchanged. */
  readonly respect_strong_etags?: boolean | undefined;
  /** `block`: response to send instead of the default one. */
  readonly response?: WireRulesetRuleActionParametersResponse | undefined;
  /** `set_config`: buffering of response bodies. */
  readonly response_body_buffering?: "none" | "standard" | (string & {}) | undefined;
  /** `log_custom_field`: response headers after changes at the edge. */
  readonly response_fields?: WireRulesetRuleActionParametersResponseField[] | undefined;
  /** `set_config`: asynchronous loading of scripts. */
  readonly rocket_loader?: boolean | undefined;
  /** `skip`: IDs of rules to skip, by ruleset ID. Cannot be combined with `ruleset`. */
  readonly rules?: Record<string, string[]> | undefined;
  /** `skip`: skips the rest of the current ruleset. Cannot be combined with `rulesets` or `rules`. */
  readonly ruleset?: "current" | (string & {}) | undefined;
  /** `skip`: IDs of rulesets to skip; full resource IDs are also accepted. Cannot be combined with `ruleset` or `phases`. */
  readonly rulesets?: string[] | undefined;
  /** `set_cache_control`: the `s-maxage` directive. */
  readonly "s-maxage"?: WireRulesetRuleActionParametersSMaxage | undefined;
  /** `set_config`: security level. */
  readonly security_level?:
    | "off"
    | "essentially_off"
    | "low"
    | "medium"
    | "high"
    | "under_attack"
    | (string & {})
    | undefined;
  /** `set_cache_settings`: use of stale responses. */
  readonly serve_stale?: WireRulesetRuleActionParametersServeStale | undefined;
  /** `set_config`: hides marked content from suspicious visitors. */
  readonly server_side_excludes?: boolean | undefined;
  /** `set_cache_settings`: compression with a shared dictionary. */
  readonly shared_dictionary?: WireRulesetRuleActionParametersSharedDictionary | undefined;
  /** `route`: server name sent in the TLS handshake with the origin. */
  readonly sni?: RulesetRuleActionParametersSni | undefined;
  /** `set_config`: encryption mode for connections to the origin. */
  readonly ssl?: "off" | "flexible" | "full" | "strict" | "origin_pull" | (string & {}) | undefined;
  /** `set_cache_control`: the `stale-if-error` directive. */
  readonly "stale-if-error"?: WireRulesetRuleActionParametersStaleIfError | undefined;
  /** `set_cache_control`: the `stale-while-revalidate` directive. */
  readonly "stale-while-revalidate"?: WireRulesetRuleActionParametersStaleWhileRevalidate | undefined;
  /** `serve_error`: status of the response. */
  readonly status_code?: number | undefined;
  /** `set_cache_settings`: removes ETag headers from responses. */
  readonly strip_etags?: boolean | undefined;
  /** `set_cache_settings`: removes Last-Modified headers from responses. */
  readonly strip_last_modified?: boolean | undefined;
  /** `set_cache_settings`: removes Set-Cookie headers from responses. */
  readonly strip_set_cookie?: boolean | undefined;
  /** `set_config`: signed exchanges. Deprecated by the service. */
  readonly sxg?: boolean | undefined;
  /** `log_custom_field`: request headers after changes at the edge. */
  readonly transformed_request_fields?: RulesetRuleActionParametersTransformedRequestField[] | undefined;
  /** `rewrite`: new path or query. */
  readonly uri?: RulesetRuleActionParametersUri | undefined;
  /** `set_cache_tags`: the tags. Cannot be combined with `expression`. */
  readonly values?: string[] | undefined;
  /** `set_cache_settings`: how the Vary header is handled. */
  readonly vary?: WireRulesetRuleActionParametersVary | undefined;
};
/** The `immutable` directive. As the service spells it. */
export type WireRulesetRuleActionParametersImmutable = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `max-age` directive. As the service spells it. */
export type WireRulesetRuleActionParametersMaxAge = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** The `must-revalidate` directive. As the service spells it. */
export type WireRulesetRuleActionParametersMustRevalidate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `must-understand` directive. As the service spells it. */
export type WireRulesetRuleActionParametersMustUnderstand = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `no-cache` directive. As the service spells it. */
export type WireRulesetRuleActionParametersNoCache = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Header names to which the directive is limited. */
  readonly qualifiers?: string[] | undefined;
};
/** The `no-store` directive. As the service spells it. */
export type WireRulesetRuleActionParametersNoStore = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `no-transform` directive. As the service spells it. */
export type WireRulesetRuleActionParametersNoTransform = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `private` directive. As the service spells it. */
export type WireRulesetRuleActionParametersPrivate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Header names to which the directive is limited. */
  readonly qualifiers?: string[] | undefined;
};
/** The `proxy-revalidate` directive. As the service spells it. */
export type WireRulesetRuleActionParametersProxyRevalidate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `public` directive. As the service spells it. */
export type WireRulesetRuleActionParametersPublic = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
};
/** The `s-maxage` directive. As the service spells it. */
export type WireRulesetRuleActionParametersSMaxage = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** The `stale-if-error` directive. As the service spells it. */
export type WireRulesetRuleActionParametersStaleIfError = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** The `stale-while-revalidate` directive. As the service spells it. */
export type WireRulesetRuleActionParametersStaleWhileRevalidate = {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: boolean | undefined;
  /** Whether the directive is set or removed. */
  readonly operation: "set" | "remove" | (string & {});
  /** Seconds; required with `set`. */
  readonly value?: number | undefined;
};
/** Which requests share a cache entry. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKey = {
  /** Caches separately for desktop, tablet and mobile. */
  readonly cache_by_device_type?: boolean | undefined;
  /** Does not cache a response whose content type does not match the URL's extension. */
  readonly cache_deception_armor?: boolean | undefined;
  /** Parts of the request that are included in the key. */
  readonly custom_key?: WireRulesetRuleActionParametersCacheKeyCustomKey | undefined;
  /** Ignores the order of query parameters. */
  readonly ignore_query_strings_order?: boolean | undefined;
};
/** Parts of the request that are included in the cache key. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKey = {
  /** Cookies. */
  readonly cookie?: WireRulesetRuleActionParametersCacheKeyCustomKeyCookie | undefined;
  /** Headers. */
  readonly header?: WireRulesetRuleActionParametersCacheKeyCustomKeyHeader | undefined;
  /** Host. */
  readonly host?: RulesetRuleActionParametersCacheKeyCustomKeyHost | undefined;
  /** Query string. */
  readonly query_string?: WireRulesetRuleActionParametersCacheKeyCustomKeyQueryString | undefined;
  /** Visitor properties. */
  readonly user?: WireRulesetRuleActionParametersCacheKeyCustomKeyUser | undefined;
};
/** Cookies in the cache key. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKeyCookie = {
  /** Cookies whose presence is included. */
  readonly check_presence?: string[] | undefined;
  /** Cookies whose values are included. */
  readonly include?: string[] | undefined;
};
/** Headers in the cache key. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKeyHeader = {
  /** Headers whose presence is included. */
  readonly check_presence?: string[] | undefined;
  /** Values to look for, by header name; those that are found are included. */
  readonly contains?: Record<string, string[]> | undefined;
  /** Excludes the Origin header. */
  readonly exclude_origin?: boolean | undefined;
  /** Headers whose values are included. */
  readonly include?: string[] | undefined;
};
/** Query parameters in the cache key. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKeyQueryString = {
  /** Parameters to exclude. Cannot be combined with `include`. */
  readonly exclude?: WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude | undefined;
  /** Parameters to include. Cannot be combined with `exclude`. */
  readonly include?: WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude | undefined;
};
/** Query parameters. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude = {
  /** Every parameter. */
  readonly all?: boolean | undefined;
  /** Names of parameters. */
  readonly list?: string[] | undefined;
};
/** Query parameters. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude = {
  /** Every parameter. */
  readonly all?: boolean | undefined;
  /** Names of parameters. */
  readonly list?: string[] | undefined;
};
/** Visitor properties in the cache key. As the service spells it. */
export type WireRulesetRuleActionParametersCacheKeyCustomKeyUser = {
  /** Device type. */
  readonly device_type?: boolean | undefined;
  /** Country. */
  readonly geo?: boolean | undefined;
  /** Language. */
  readonly lang?: boolean | undefined;
};
/** Use of the persistent cache store. As the service spells it. */
export type WireRulesetRuleActionParametersCacheReserve = {
  /** Whether responses may be stored there. */
  readonly eligible: boolean;
  /** Minimum size in bytes. */
  readonly minimum_file_size?: number | undefined;
};
/** How long the edge keeps a response. As the service spells it. */
export type WireRulesetRuleActionParametersEdgeTtl = {
  /** Seconds; required with `override_origin`. */
  readonly default?: number | undefined;
  /** How the TTL is determined. */
  readonly mode: "respect_origin" | "bypass_by_default" | "override_origin" | (string & {});
  /** TTLs by status code. */
  readonly status_code_ttl?: WireRulesetRuleActionParametersEdgeTtlStatusCodeTtl[] | undefined;
};
/** TTL for a status code or a range of them. As the service spells it. */
export type WireRulesetRuleActionParametersEdgeTtlStatusCodeTtl = {
  /** A status code. */
  readonly status_code?: number | undefined;
  /** A range of status codes. */
  readonly status_code_range?: RulesetRuleActionParametersEdgeTtlStatusCodeTtlStatusCodeRange | undefined;
  /** Seconds; 0 always revalidates, -1 does not cache. */
  readonly value: number;
};
/** Redirect to a given target. As the service spells it. */
export type WireRulesetRuleActionParametersFromValue = {
  /** Keeps the query string of the request. @default false */
  readonly preserve_query_string?: boolean | undefined;
  /** Status of the redirect. */
  readonly status_code?: number | undefined;
  /** The target. */
  readonly target_url: RulesetRuleActionParametersFromValueTargetUrl;
};
/** Encrypted log of the matched data. As the service spells it. */
export type WireRulesetRuleActionParametersMatchedData = {
  /** Public key that encrypts the log. */
  readonly public_key: string;
};
/** Changes to the rules of the executed ruleset. An override of a rule wins over one of a tag, which wins over one of the ruleset. As the service spells it. */
export type WireRulesetRuleActionParametersOverrides = {
  /** Action of all its rules. */
  readonly action?:
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined;
  /** Changes by tag; if several match a rule, the last one wins. */
  readonly categories?: WireRulesetRuleActionParametersOverridesCategory[] | undefined;
  /** Whether its rules run. */
  readonly enabled?: boolean | undefined;
  /** Changes by rule. */
  readonly rules?: WireRulesetRuleActionParametersOverridesRule[] | undefined;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivity_level?: "default" | "medium" | "low" | "eoff" | (string & {}) | undefined;
};
/** Change for all rules with a tag. As the service spells it. */
export type WireRulesetRuleActionParametersOverridesCategory = {
  /** Action. */
  readonly action?:
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined;
  /** The tag. */
  readonly category: string;
  /** Whether the rules run. */
  readonly enabled?: boolean | undefined;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivity_level?: "default" | "medium" | "low" | "eoff" | (string & {}) | undefined;
};
/** Change for one rule. As the service spells it. */
export type WireRulesetRuleActionParametersOverridesRule = {
  /** Action. */
  readonly action?:
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined;
  /** Whether the rule runs. */
  readonly enabled?: boolean | undefined;
  /** ID of the rule. */
  readonly id: string;
  /** Score at which the rule applies its action. */
  readonly score_threshold?: number | undefined;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivity_level?: "default" | "medium" | "low" | "eoff" | (string & {}) | undefined;
};
/** A response header as the origin sent it. As the service spells it. */
export type WireRulesetRuleActionParametersRawResponseField = {
  /** Name. */
  readonly name: string;
  /** Logs every value of a repeated header. @default false */
  readonly preserve_duplicates?: boolean | undefined;
};
/** A response header. As the service spells it. */
export type WireRulesetRuleActionParametersResponseField = {
  /** Name. */
  readonly name: string;
  /** Logs every value of a repeated header. @default false */
  readonly preserve_duplicates?: boolean | undefined;
};
/** Response of a block. As the service spells it. */
export type WireRulesetRuleActionParametersResponse = {
  /** Body. */
  readonly content: string;
  /** Media type. */
  readonly content_type: "application/json" | "text/html" | "text/plain" | "text/xml" | (string & {});
  /** Status. */
  readonly status_code: number;
};
/** Use of stale responses. As the service spells it. */
export type WireRulesetRuleActionParametersServeStale = {
  /** Does not serve stale responses while a new one is fetched. */
  readonly disable_stale_while_updating?: boolean | undefined;
};
/** Compression with a shared dictionary. As the service spells it. */
export type WireRulesetRuleActionParametersSharedDictionary = {
  /** Pattern of the URLs for which the dictionary is used. */
  readonly match_pattern: string;
};
/** How the Vary header is handled. As the service spells it. */
export type WireRulesetRuleActionParametersVary = {
  /** For all other headers. */
  readonly default: RulesetRuleActionParametersVaryDefault;
  /** Handling by header name. */
  readonly headers?: Record<string, WireRulesetRuleActionParametersVaryHeaders> | undefined;
};
/** Handling of one header. As the service spells it. */
export type WireRulesetRuleActionParametersVaryHeaders = {
  /** Handling. */
  readonly action: "bypass" | "passthrough" | "normalize" | (string & {});
  /** Languages to distinguish. */
  readonly languages?: string[] | undefined;
  /** Media types to distinguish. */
  readonly media_types?: string[] | undefined;
};
