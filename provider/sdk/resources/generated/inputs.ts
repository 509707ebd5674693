// Generated from schema/ by `npm run generate`. Edit the schema instead.

import type { Input, Output } from "@pulumi/pulumi";
import type {
  RulesetRule as ReadRule,
  WireRulesetRule as ReadWireRule,
} from "../../../../core/model/generated/rule.js";
/** What every rule can have, whatever its action. */
export interface RuleFields {
  /** Tags of a rule of a managed ruleset. Set by the service; never sent. */
  readonly categories?: Input<Input<string>[] | undefined>;
  /** Free text, shown with the rule in the dashboard. An empty string is the same as none. */
  readonly description?: Input<string | undefined>;
  /** Whether the rule runs. @default true */
  readonly enabled?: Input<boolean | undefined>;
  /** Checks the credentials in a request against lists of leaked ones. */
  readonly exposedCredentialCheck?: Input<RulesetRuleExposedCredentialCheck | undefined>;
  /** Filter expression in the rules language, at most 4096 characters; `true` matches all requests. */
  readonly expression: Input<string>;
  /** ID of an existing rule, as the service returns it: this is that rule, which keeps its ID. The preview refuses an ID that no rule of the ruleset has. Never sent. */
  readonly id?: Input<string | undefined>;
  /** When the rule was last changed. Set by the service; never sent. */
  readonly lastUpdated?: Input<string | undefined>;
  /** Whether matches are logged. Only allowed in rules with the action `skip`. */
  readonly logging?: Input<RulesetRuleLogging | undefined>;
  /** Counts requests and acts above a limit. Only allowed in the phase `http_ratelimit`. */
  readonly ratelimit?: Input<RulesetRuleRatelimit | undefined>;
  /** Stable name of the rule in its ruleset. The service keeps a rule's ID as long as its ref does not change. If omitted, it is derived from the rule. */
  readonly ref?: Input<string | undefined>;
  /** Version of the rule. Set by the service; never sent. */
  readonly version?: Input<string | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** Parameters of `block`. */
export interface BlockParameters {
  /** `block`: response to send instead of the default one. */
  readonly response?: Input<RulesetRuleActionParametersResponse | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `block`. */
export interface BlockRule extends RuleFields {
  readonly action: "block";
  readonly actionParameters?: Input<BlockParameters | undefined>;
}
/** Parameters of `challenge`. */
export interface ChallengeParameters {
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `challenge`. */
export interface ChallengeRule extends RuleFields {
  readonly action: "challenge";
  readonly actionParameters?: Input<ChallengeParameters | undefined>;
}
/** Parameters of `js_challenge`. */
export interface JsChallengeParameters {
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `js_challenge`. */
export interface JsChallengeRule extends RuleFields {
  readonly action: "js_challenge";
  readonly actionParameters?: Input<JsChallengeParameters | undefined>;
}
/** Parameters of `managed_challenge`. */
export interface ManagedChallengeParameters {
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `managed_challenge`. */
export interface ManagedChallengeRule extends RuleFields {
  readonly action: "managed_challenge";
  readonly actionParameters?: Input<ManagedChallengeParameters | undefined>;
}
/** Parameters of `log`. */
export interface LogParameters {
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `log`. */
export interface LogRule extends RuleFields {
  readonly action: "log";
  readonly actionParameters?: Input<LogParameters | undefined>;
}
/** Parameters of `ddos_dynamic`. */
export interface DdosDynamicParameters {
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `ddos_dynamic`. */
export interface DdosDynamicRule extends RuleFields {
  readonly action: "ddos_dynamic";
  readonly actionParameters?: Input<DdosDynamicParameters | undefined>;
}
/** Parameters of `force_connection_close`. */
export interface ForceConnectionCloseParameters {
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `force_connection_close`. */
export interface ForceConnectionCloseRule extends RuleFields {
  readonly action: "force_connection_close";
  readonly actionParameters?: Input<ForceConnectionCloseParameters | undefined>;
}
/** Parameters of `execute`. */
export interface ExecuteParameters {
  /** `execute`: ID of the ruleset to run; a full resource ID is also accepted. */
  readonly id: Input<string>;
  /** `execute`: encrypted log of the matched data. */
  readonly matchedData?: Input<RulesetRuleActionParametersMatchedData | undefined>;
  /** `execute`: changes to the rules of the executed ruleset. */
  readonly overrides?: Input<RulesetRuleActionParametersOverrides | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `execute`. */
export interface ExecuteRule extends RuleFields {
  readonly action: "execute";
  readonly actionParameters: Input<ExecuteParameters>;
}
/** Parameters of `skip`. */
export interface SkipParameters {
  /** `skip`: skips the current phase; can only be combined with `products`. */
  readonly phase?: Input<"current" | (string & {}) | undefined>;
  /** `skip`: phases to skip. Cannot be combined with `rulesets`. */
  readonly phases?: Input<
    | Input<
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
      >[]
    | undefined
  >;
  /** `skip`: older security products to skip; names are case-sensitive. */
  readonly products?: Input<
    | Input<"bic" | "hot" | "rateLimit" | "securityLevel" | "uaBlock" | "waf" | "zoneLockdown" | (string & {})>[]
    | undefined
  >;
  /** `skip`: IDs of rules to skip, by ruleset ID. Cannot be combined with `ruleset`. */
  readonly rules?: Input<Record<string, Input<Input<string>[]>> | undefined>;
  /** `skip`: skips the rest of the current ruleset. Cannot be combined with `rulesets` or `rules`. */
  readonly ruleset?: Input<"current" | (string & {}) | undefined>;
  /** `skip`: IDs of rulesets to skip; full resource IDs are also accepted. Cannot be combined with `ruleset` or `phases`. */
  readonly rulesets?: Input<Input<string>[] | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `skip`. */
export interface SkipRule extends RuleFields {
  readonly action: "skip";
  readonly actionParameters: Input<SkipParameters>;
}
/** Parameters of `score`. */
export interface ScoreParameters {
  /** `score`: number added to the score; may be negative. */
  readonly increment: Input<number>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `score`. */
export interface ScoreRule extends RuleFields {
  readonly action: "score";
  readonly actionParameters: Input<ScoreParameters>;
}
/** Parameters of `redirect`. */
export interface RedirectParameters {
  /** `redirect`: gets the target from a redirect list. Cannot be combined with `fromValue`. */
  readonly fromList?: Input<RulesetRuleActionParametersFromList | undefined>;
  /** `redirect`: the target. Cannot be combined with `fromList`. */
  readonly fromValue?: Input<RulesetRuleActionParametersFromValue | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `redirect`. */
export interface RedirectRule extends RuleFields {
  readonly action: "redirect";
  readonly actionParameters: Input<RedirectParameters>;
}
/** Parameters of `rewrite`. */
export interface RewriteParameters {
  /** `rewrite`: changes by header name. */
  readonly headers?: Input<Record<string, Input<RulesetRuleActionParametersHeaders>> | undefined>;
  /** `rewrite`: new path or query. */
  readonly uri?: Input<RulesetRuleActionParametersUri | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `rewrite`. */
export interface RewriteRule extends RuleFields {
  readonly action: "rewrite";
  readonly actionParameters: Input<RewriteParameters>;
}
/** Parameters of `route`. */
export interface RouteParameters {
  /** `route`: Host header sent to the origin. */
  readonly hostHeader?: Input<string | undefined>;
  /** `route`: origin to connect to. */
  readonly origin?: Input<RulesetRuleActionParametersOrigin | undefined>;
  /** `route`: server name sent in the TLS handshake with the origin. */
  readonly sni?: Input<RulesetRuleActionParametersSni | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `route`. */
export interface RouteRule extends RuleFields {
  readonly action: "route";
  readonly actionParameters: Input<RouteParameters>;
}
/** Parameters of `serve_error`. */
export interface ServeErrorParameters {
  /** `serve_error`: name of the custom asset to serve. Cannot be combined with `content`. */
  readonly assetName?: Input<string | undefined>;
  /** `serve_error`: body of the response. Cannot be combined with `assetName`. */
  readonly content?: Input<string | undefined>;
  /** `serve_error`: media type of the response. */
  readonly contentType: Input<"application/json" | "text/html" | "text/plain" | "text/xml" | (string & {})>;
  /** `serve_error`: status of the response. */
  readonly statusCode?: Input<number | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `serve_error`. */
export interface ServeErrorRule extends RuleFields {
  readonly action: "serve_error";
  readonly actionParameters: Input<ServeErrorParameters>;
}
/** Parameters of `compress_response`. */
export interface CompressResponseParameters {
  /** `compress_response`: compression algorithms in order of preference. */
  readonly algorithms: Input<Input<RulesetRuleActionParametersAlgorithm>[]>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `compress_response`. */
export interface CompressResponseRule extends RuleFields {
  readonly action: "compress_response";
  readonly actionParameters: Input<CompressResponseParameters>;
}
/** Parameters of `log_custom_field`. */
export interface LogCustomFieldParameters {
  /** `log_custom_field`: request cookies to log. */
  readonly cookieFields?: Input<Input<RulesetRuleActionParametersCookieField>[] | undefined>;
  /** `log_custom_field`: response headers as the origin sent them. */
  readonly rawResponseFields?: Input<Input<RulesetRuleActionParametersRawResponseField>[] | undefined>;
  /** `log_custom_field`: request headers to log. */
  readonly requestFields?: Input<Input<RulesetRuleActionParametersRequestField>[] | undefined>;
  /** `log_custom_field`: response headers after changes at the edge. */
  readonly responseFields?: Input<Input<RulesetRuleActionParametersResponseField>[] | undefined>;
  /** `log_custom_field`: request headers after changes at the edge. */
  readonly transformedRequestFields?: Input<Input<RulesetRuleActionParametersTransformedRequestField>[] | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `log_custom_field`. */
export interface LogCustomFieldRule extends RuleFields {
  readonly action: "log_custom_field";
  readonly actionParameters: Input<LogCustomFieldParameters>;
}
/** Parameters of `set_config`. */
export interface SetConfigParameters {
  /** `set_config`: rewrites links to HTTPS where the target supports it. */
  readonly automaticHttpsRewrites?: Input<boolean | undefined>;
  /** `set_config`: file types to minify. */
  readonly autominify?: Input<RulesetRuleActionParametersAutominify | undefined>;
  /** `set_config`: browser integrity check. */
  readonly bic?: Input<boolean | undefined>;
  /** `set_config`: conversion of page content, for example to Markdown. */
  readonly contentConverter?: Input<boolean | undefined>;
  /** `set_config`: disables apps; only `true` is accepted. Deprecated by the service. */
  readonly disableApps?: Input<boolean | undefined>;
  /** `set_config`: disables pay per crawl; only `true` is accepted. */
  readonly disablePayPerCrawl?: Input<boolean | undefined>;
  /** `set_config`: disables real user monitoring; only `true` is accepted. */
  readonly disableRum?: Input<boolean | undefined>;
  /** `set_config`: disables Zaraz; only `true` is accepted. */
  readonly disableZaraz?: Input<boolean | undefined>;
  /** `set_config`: hides e-mail addresses from bots. */
  readonly emailObfuscation?: Input<boolean | undefined>;
  /** `set_config`: font optimisation. */
  readonly fonts?: Input<boolean | undefined>;
  /** `set_config`: blocks images that are linked from other sites. */
  readonly hotlinkProtection?: Input<boolean | undefined>;
  /** `set_config`: image optimisation on slow connections. Deprecated by the service. */
  readonly mirage?: Input<boolean | undefined>;
  /** `set_config`: opportunistic encryption. */
  readonly opportunisticEncryption?: Input<boolean | undefined>;
  /** `set_config`: image compression. */
  readonly polish?: Input<"off" | "lossless" | "lossy" | "webp" | (string & {}) | undefined>;
  /** `set_config`: redirects AI training crawlers to canonical URLs. */
  readonly redirectsForAiTraining?: Input<boolean | undefined>;
  /** `set_config`: buffering of request bodies. */
  readonly requestBodyBuffering?: Input<"none" | "standard" | "full" | (string & {}) | undefined>;
  /** `set_config`: buffering of response bodies. */
  readonly responseBodyBuffering?: Input<"none" | "standard" | (string & {}) | undefined>;
  /** `set_config`: asynchronous loading of scripts. */
  readonly rocketLoader?: Input<boolean | undefined>;
  /** `set_config`: security level. */
  readonly securityLevel?: Input<
    "off" | "essentially_off" | "low" | "medium" | "high" | "under_attack" | (string & {}) | undefined
  >;
  /** `set_config`: hides marked content from suspicious visitors. */
  readonly serverSideExcludes?: Input<boolean | undefined>;
  /** `set_config`: encryption mode for connections to the origin. */
  readonly ssl?: Input<"off" | "flexible" | "full" | "strict" | "origin_pull" | (string & {}) | undefined>;
  /** `set_config`: signed exchanges. Deprecated by the service. */
  readonly sxg?: Input<boolean | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `set_config`. */
export interface SetConfigRule extends RuleFields {
  readonly action: "set_config";
  readonly actionParameters: Input<SetConfigParameters>;
}
/** Parameters of `set_cache_settings`. */
export interface SetCacheSettingsParameters {
  /** `set_cache_settings`: additional origin ports whose responses may be cached. */
  readonly additionalCacheablePorts?: Input<Input<number>[] | undefined>;
  /** `set_cache_settings`: how long browsers keep a response. */
  readonly browserTtl?: Input<RulesetRuleActionParametersBrowserTtl | undefined>;
  /** `set_cache_settings`: whether a response is eligible for the cache. */
  readonly cache?: Input<boolean | undefined>;
  /** `set_cache_settings`: which requests share a cache entry. */
  readonly cacheKey?: Input<RulesetRuleActionParametersCacheKey | undefined>;
  /** `set_cache_settings`: use of the persistent cache store. */
  readonly cacheReserve?: Input<RulesetRuleActionParametersCacheReserve | undefined>;
  /** `set_cache_settings`: how long the edge keeps a response. */
  readonly edgeTtl?: Input<RulesetRuleActionParametersEdgeTtl | undefined>;
  /** `set_cache_settings`: honours the origin's cache headers strictly. */
  readonly originCacheControl?: Input<boolean | undefined>;
  /** `set_cache_settings`: passes error pages of the origin through. */
  readonly originErrorPagePassthru?: Input<boolean | undefined>;
  /** `set_cache_settings`: how range requests are sent to the origin. */
  readonly originRangeRequests?: Input<RulesetRuleActionParametersOriginRangeRequests | undefined>;
  /** `set_cache_settings`: seconds to wait for the origin between two reads. */
  readonly readTimeout?: Input<number | undefined>;
  /** `set_cache_settings`: keeps strong ETags unchanged. */
  readonly respectStrongEtags?: Input<boolean | undefined>;
  /** `set_cache_settings`: use of stale responses. */
  readonly serveStale?: Input<RulesetRuleActionParametersServeStale | undefined>;
  /** `set_cache_settings`: compression with a shared dictionary. */
  readonly sharedDictionary?: Input<RulesetRuleActionParametersSharedDictionary | undefined>;
  /** `set_cache_settings`: removes ETag headers from responses. */
  readonly stripEtags?: Input<boolean | undefined>;
  /** `set_cache_settings`: removes Last-Modified headers from responses. */
  readonly stripLastModified?: Input<boolean | undefined>;
  /** `set_cache_settings`: removes Set-Cookie headers from responses. */
  readonly stripSetCookie?: Input<boolean | undefined>;
  /** `set_cache_settings`: how the Vary header is handled. */
  readonly vary?: Input<RulesetRuleActionParametersVary | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `set_cache_settings`. */
export interface SetCacheSettingsRule extends RuleFields {
  readonly action: "set_cache_settings";
  readonly actionParameters: Input<SetCacheSettingsParameters>;
}
/** Parameters of `set_cache_control`. */
export interface SetCacheControlParameters {
  /** `set_cache_control`: the `immutable` directive. */
  readonly immutable?: Input<RulesetRuleActionParametersImmutable | undefined>;
  /** `set_cache_control`: the `max-age` directive. */
  readonly maxAge?: Input<RulesetRuleActionParametersMaxAge | undefined>;
  /** `set_cache_control`: the `must-revalidate` directive. */
  readonly mustRevalidate?: Input<RulesetRuleActionParametersMustRevalidate | undefined>;
  /** `set_cache_control`: the `must-understand` directive. */
  readonly mustUnderstand?: Input<RulesetRuleActionParametersMustUnderstand | undefined>;
  /** `set_cache_control`: the `no-cache` directive. */
  readonly noCache?: Input<RulesetRuleActionParametersNoCache | undefined>;
  /** `set_cache_control`: the `no-store` directive. */
  readonly noStore?: Input<RulesetRuleActionParametersNoStore | undefined>;
  /** `set_cache_control`: the `no-transform` directive. */
  readonly noTransform?: Input<RulesetRuleActionParametersNoTransform | undefined>;
  /** `set_cache_control`: the `private` directive. */
  readonly private?: Input<RulesetRuleActionParametersPrivate | undefined>;
  /** `set_cache_control`: the `proxy-revalidate` directive. */
  readonly proxyRevalidate?: Input<RulesetRuleActionParametersProxyRevalidate | undefined>;
  /** `set_cache_control`: the `public` directive. */
  readonly public?: Input<RulesetRuleActionParametersPublic | undefined>;
  /** `set_cache_control`: the `s-maxage` directive. */
  readonly sMaxage?: Input<RulesetRuleActionParametersSMaxage | undefined>;
  /** `set_cache_control`: the `stale-if-error` directive. */
  readonly staleIfError?: Input<RulesetRuleActionParametersStaleIfError | undefined>;
  /** `set_cache_control`: the `stale-while-revalidate` directive. */
  readonly staleWhileRevalidate?: Input<RulesetRuleActionParametersStaleWhileRevalidate | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `set_cache_control`. */
export interface SetCacheControlRule extends RuleFields {
  readonly action: "set_cache_control";
  readonly actionParameters: Input<SetCacheControlParameters>;
}
/** Parameters of `set_cache_tags`. */
export interface SetCacheTagsParameters {
  /** `set_cache_tags`: expression that returns the tags. Cannot be combined with `values`. */
  readonly expression?: Input<string | undefined>;
  /** `set_cache_tags`: what to do with the tags. */
  readonly operation: Input<"add" | "remove" | "set" | (string & {})>;
  /** `set_cache_tags`: the tags. Cannot be combined with `expression`. */
  readonly values?: Input<Input<string>[] | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `set_cache_tags`. */
export interface SetCacheTagsRule extends RuleFields {
  readonly action: "set_cache_tags";
  readonly actionParameters: Input<SetCacheTagsParameters>;
}
/** Parameters of `transform_response_html`. */
export interface TransformResponseHtmlParameters {
  /** `transform_response_html`: adds a maze of links for crawlers; has no settings. */
  readonly linkMaze: Input<Record<string, unknown>>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A rule with the action `transform_response_html`. */
export interface TransformResponseHtmlRule extends RuleFields {
  readonly action: "transform_response_html";
  readonly actionParameters: Input<TransformResponseHtmlParameters>;
}
/** A rule whose action is known only when the program runs, or is newer than this version: `pulumi.output("newer_action")`. */
export interface ComputedRule extends RuleFields {
  readonly action: Output<string> | Promise<string>;
  readonly actionParameters?: Input<RulesetRuleActionParameters | undefined>;
}
/** One rule of a ruleset. Rules run in the order of the list. */
export type RulesetRule =
  | BlockRule
  | ChallengeRule
  | JsChallengeRule
  | ManagedChallengeRule
  | LogRule
  | DdosDynamicRule
  | ForceConnectionCloseRule
  | ExecuteRule
  | SkipRule
  | ScoreRule
  | RedirectRule
  | RewriteRule
  | RouteRule
  | ServeErrorRule
  | CompressResponseRule
  | LogCustomFieldRule
  | SetConfigRule
  | SetCacheSettingsRule
  | SetCacheControlRule
  | SetCacheTagsRule
  | TransformResponseHtmlRule
  | ComputedRule;
/** One rule of a ruleset. Rules run in the order of the list. As the service spells it. */
export interface WireRulesetRule {
  readonly action: RulesetRule["action"];
  /** Parameters of the action; which ones are allowed depends on `action`. */
  readonly action_parameters?: Input<WireRulesetRuleActionParameters | undefined>;
  /** Tags of a rule of a managed ruleset. Set by the service; never sent. */
  readonly categories?: Input<Input<string>[] | undefined>;
  /** Free text, shown with the rule in the dashboard. An empty string is the same as none. */
  readonly description?: Input<string | undefined>;
  /** Whether the rule runs. @default true */
  readonly enabled?: Input<boolean | undefined>;
  /** Checks the credentials in a request against lists of leaked ones. */
  readonly exposed_credential_check?: Input<WireRulesetRuleExposedCredentialCheck | undefined>;
  /** Filter expression in the rules language, at most 4096 characters; `true` matches all requests. */
  readonly expression: Input<string>;
  /** ID of an existing rule, as the service returns it: this is that rule, which keeps its ID. The preview refuses an ID that no rule of the ruleset has. Never sent. */
  readonly id?: Input<string | undefined>;
  /** When the rule was last changed. Set by the service; never sent. */
  readonly last_updated?: Input<string | undefined>;
  /** Whether matches are logged. Only allowed in rules with the action `skip`. */
  readonly logging?: Input<RulesetRuleLogging | undefined>;
  /** Counts requests and acts above a limit. Only allowed in the phase `http_ratelimit`. */
  readonly ratelimit?: Input<WireRulesetRuleRatelimit | undefined>;
  /** Stable name of the rule in its ruleset. The service keeps a rule's ID as long as its ref does not change. If omitted, it is derived from the rule. */
  readonly ref?: Input<string | undefined>;
  /** Version of the rule. Set by the service; never sent. */
  readonly version?: Input<string | undefined>;
}
type Without<Other, Own> = { readonly [Name in Exclude<keyof Other, keyof Own>]?: undefined };
type OneSpelling<A, B> = (A & Without<B, A>) | (B & Without<A, B>);
/** A rule in the list of a ruleset: as this package spells it, or as the service does. One with both is refused. */
export type AnyRule = OneSpelling<RulesetRule, WireRulesetRule>;
/** The rules of a ruleset: a list, or an output of rules that were read. */
export type Rules =
  | Input<readonly Input<AnyRule>[] | undefined>
  | Output<readonly (ReadRule | ReadWireRule)[] | undefined>;
/** Where in a request the user name and the password are. */
export interface RulesetRuleExposedCredentialCheck {
  /** Value expression that returns the password. */
  readonly passwordExpression: Input<string>;
  /** Value expression that returns the user name. */
  readonly usernameExpression: Input<string>;
}
/** Logging of matches of a skip rule. */
export interface RulesetRuleLogging {
  /** Whether matches are logged. */
  readonly enabled: Input<boolean>;
}
/** A rate limit. */
export interface RulesetRuleRatelimit {
  /** Fields to count by: each combination of values has its own counter. Must include `cf.colo.id`. */
  readonly characteristics: Input<Input<string>[]>;
  /** Expression for the requests to count; if omitted or empty, the rule's own expression. */
  readonly countingExpression?: Input<string | undefined>;
  /** How many seconds the action lasts once the limit is exceeded; 0 throttles instead. */
  readonly mitigationTimeout?: Input<number | undefined>;
  /** Counting period in seconds. */
  readonly period: Input<number>;
  /** Number of requests in a period above which the action applies. */
  readonly requestsPerPeriod?: Input<number | undefined>;
  /** Counts only requests that reach the origin. @default false */
  readonly requestsToOrigin?: Input<boolean | undefined>;
  /** Sum of scores in a period above which the action applies. */
  readonly scorePerPeriod?: Input<number | undefined>;
  /** Response header in which the origin reports the score of a request. */
  readonly scoreResponseHeaderName?: Input<string | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** Parameters of all actions in one type; the preview checks which ones an action allows. */
export interface RulesetRuleActionParameters {
  /** `set_cache_settings`: additional origin ports whose responses may be cached. */
  readonly additionalCacheablePorts?: Input<Input<number>[] | undefined>;
  /** `compress_response`: compression algorithms in order of preference. */
  readonly algorithms?: Input<Input<RulesetRuleActionParametersAlgorithm>[] | undefined>;
  /** `serve_error`: name of the custom asset to serve. Cannot be combined with `content`. */
  readonly assetName?: Input<string | undefined>;
  /** `set_config`: rewrites links to HTTPS where the target supports it. */
  readonly automaticHttpsRewrites?: Input<boolean | undefined>;
  /** `set_config`: file types to minify. */
  readonly autominify?: Input<RulesetRuleActionParametersAutominify | undefined>;
  /** `set_config`: browser integrity check. */
  readonly bic?: Input<boolean | undefined>;
  /** `set_cache_settings`: how long browsers keep a response. */
  readonly browserTtl?: Input<RulesetRuleActionParametersBrowserTtl | undefined>;
  /** `set_cache_settings`: whether a response is eligible for the cache. */
  readonly cache?: Input<boolean | undefined>;
  /** `set_cache_settings`: which requests share a cache entry. */
  readonly cacheKey?: Input<RulesetRuleActionParametersCacheKey | undefined>;
  /** `set_cache_settings`: use of the persistent cache store. */
  readonly cacheReserve?: Input<RulesetRuleActionParametersCacheReserve | undefined>;
  /** `serve_error`: body of the response. Cannot be combined with `assetName`. */
  readonly content?: Input<string | undefined>;
  /** `set_config`: conversion of page content, for example to Markdown. */
  readonly contentConverter?: Input<boolean | undefined>;
  /** `serve_error`: media type of the response. */
  readonly contentType?: Input<
    "application/json" | "text/html" | "text/plain" | "text/xml" | (string & {}) | undefined
  >;
  /** `log_custom_field`: request cookies to log. */
  readonly cookieFields?: Input<Input<RulesetRuleActionParametersCookieField>[] | undefined>;
  /** `set_config`: disables apps; only `true` is accepted. Deprecated by the service. */
  readonly disableApps?: Input<boolean | undefined>;
  /** `set_config`: disables pay per crawl; only `true` is accepted. */
  readonly disablePayPerCrawl?: Input<boolean | undefined>;
  /** `set_config`: disables real user monitoring; only `true` is accepted. */
  readonly disableRum?: Input<boolean | undefined>;
  /** `set_config`: disables Zaraz; only `true` is accepted. */
  readonly disableZaraz?: Input<boolean | undefined>;
  /** `set_cache_settings`: how long the edge keeps a response. */
  readonly edgeTtl?: Input<RulesetRuleActionParametersEdgeTtl | undefined>;
  /** `set_config`: hides e-mail addresses from bots. */
  readonly emailObfuscation?: Input<boolean | undefined>;
  /** `set_cache_tags`: expression that returns the tags. Cannot be combined with `values`. */
  readonly expression?: Input<string | undefined>;
  /** `set_config`: font optimisation. */
  readonly fonts?: Input<boolean | undefined>;
  /** `redirect`: gets the target from a redirect list. Cannot be combined with `fromValue`. */
  readonly fromList?: Input<RulesetRuleActionParametersFromList | undefined>;
  /** `redirect`: the target. Cannot be combined with `fromList`. */
  readonly fromValue?: Input<RulesetRuleActionParametersFromValue | undefined>;
  /** `rewrite`: changes by header name. */
  readonly headers?: Input<Record<string, Input<RulesetRuleActionParametersHeaders>> | undefined>;
  /** `route`: Host header sent to the origin. */
  readonly hostHeader?: Input<string | undefined>;
  /** `set_config`: blocks images that are linked from other sites. */
  readonly hotlinkProtection?: Input<boolean | undefined>;
  /** `execute`: ID of the ruleset to run; a full resource ID is also accepted. */
  readonly id?: Input<string | undefined>;
  /** `set_cache_control`: the `immutable` directive. */
  readonly immutable?: Input<RulesetRuleActionParametersImmutable | undefined>;
  /** `score`: number added to the score; may be negative. */
  readonly increment?: Input<number | undefined>;
  /** `transform_response_html`: adds a maze of links for crawlers; has no settings. */
  readonly linkMaze?: Input<Record<string, unknown> | undefined>;
  /** `execute`: encrypted log of the matched data. */
  readonly matchedData?: Input<RulesetRuleActionParametersMatchedData | undefined>;
  /** `set_cache_control`: the `max-age` directive. */
  readonly maxAge?: Input<RulesetRuleActionParametersMaxAge | undefined>;
  /** `set_config`: image optimisation on slow connections. Deprecated by the service. */
  readonly mirage?: Input<boolean | undefined>;
  /** `set_cache_control`: the `must-revalidate` directive. */
  readonly mustRevalidate?: Input<RulesetRuleActionParametersMustRevalidate | undefined>;
  /** `set_cache_control`: the `must-understand` directive. */
  readonly mustUnderstand?: Input<RulesetRuleActionParametersMustUnderstand | undefined>;
  /** `set_cache_control`: the `no-cache` directive. */
  readonly noCache?: Input<RulesetRuleActionParametersNoCache | undefined>;
  /** `set_cache_control`: the `no-store` directive. */
  readonly noStore?: Input<RulesetRuleActionParametersNoStore | undefined>;
  /** `set_cache_control`: the `no-transform` directive. */
  readonly noTransform?: Input<RulesetRuleActionParametersNoTransform | undefined>;
  /** `set_cache_tags`: what to do with the tags. */
  readonly operation?: Input<"add" | "remove" | "set" | (string & {}) | undefined>;
  /** `set_config`: opportunistic encryption. */
  readonly opportunisticEncryption?: Input<boolean | undefined>;
  /** `route`: origin to connect to. */
  readonly origin?: Input<RulesetRuleActionParametersOrigin | undefined>;
  /** `set_cache_settings`: honours the origin's cache headers strictly. */
  readonly originCacheControl?: Input<boolean | undefined>;
  /** `set_cache_settings`: passes error pages of the origin through. */
  readonly originErrorPagePassthru?: Input<boolean | undefined>;
  /** `set_cache_settings`: how range requests are sent to the origin. */
  readonly originRangeRequests?: Input<RulesetRuleActionParametersOriginRangeRequests | undefined>;
  /** `execute`: changes to the rules of the executed ruleset. */
  readonly overrides?: Input<RulesetRuleActionParametersOverrides | undefined>;
  /** `skip`: skips the current phase; can only be combined with `products`. */
  readonly phase?: Input<"current" | (string & {}) | undefined>;
  /** `skip`: phases to skip. Cannot be combined with `rulesets`. */
  readonly phases?: Input<
    | Input<
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
      >[]
    | undefined
  >;
  /** `set_config`: image compression. */
  readonly polish?: Input<"off" | "lossless" | "lossy" | "webp" | (string & {}) | undefined>;
  /** `set_cache_control`: the `private` directive. */
  readonly private?: Input<RulesetRuleActionParametersPrivate | undefined>;
  /** `skip`: older security products to skip; names are case-sensitive. */
  readonly products?: Input<
    | Input<"bic" | "hot" | "rateLimit" | "securityLevel" | "uaBlock" | "waf" | "zoneLockdown" | (string & {})>[]
    | undefined
  >;
  /** `set_cache_control`: the `proxy-revalidate` directive. */
  readonly proxyRevalidate?: Input<RulesetRuleActionParametersProxyRevalidate | undefined>;
  /** `set_cache_control`: the `public` directive. */
  readonly public?: Input<RulesetRuleActionParametersPublic | undefined>;
  /** `log_custom_field`: response headers as the origin sent them. */
  readonly rawResponseFields?: Input<Input<RulesetRuleActionParametersRawResponseField>[] | undefined>;
  /** `set_cache_settings`: seconds to wait for the origin between two reads. */
  readonly readTimeout?: Input<number | undefined>;
  /** `set_config`: redirects AI training crawlers to canonical URLs. */
  readonly redirectsForAiTraining?: Input<boolean | undefined>;
  /** `set_config`: buffering of request bodies. */
  readonly requestBodyBuffering?: Input<"none" | "standard" | "full" | (string & {}) | undefined>;
  /** `log_custom_field`: request headers to log. */
  readonly requestFields?: Input<Input<RulesetRuleActionParametersRequestField>[] | undefined>;
  /** `set_cache_settings`: keeps strong ETags unchanged. */
  readonly respectStrongEtags?: Input<boolean | undefined>;
  /** `block`: response to send instead of the default one. */
  readonly response?: Input<RulesetRuleActionParametersResponse | undefined>;
  /** `set_config`: buffering of response bodies. */
  readonly responseBodyBuffering?: Input<"none" | "standard" | (string & {}) | undefined>;
  /** `log_custom_field`: response headers after changes at the edge. */
  readonly responseFields?: Input<Input<RulesetRuleActionParametersResponseField>[] | undefined>;
  /** `set_config`: asynchronous loading of scripts. */
  readonly rocketLoader?: Input<boolean | undefined>;
  /** `skip`: IDs of rules to skip, by ruleset ID. Cannot be combined with `ruleset`. */
  readonly rules?: Input<Record<string, Input<Input<string>[]>> | undefined>;
  /** `skip`: skips the rest of the current ruleset. Cannot be combined with `rulesets` or `rules`. */
  readonly ruleset?: Input<"current" | (string & {}) | undefined>;
  /** `skip`: IDs of rulesets to skip; full resource IDs are also accepted. Cannot be combined with `ruleset` or `phases`. */
  readonly rulesets?: Input<Input<string>[] | undefined>;
  /** `set_cache_control`: the `s-maxage` directive. */
  readonly sMaxage?: Input<RulesetRuleActionParametersSMaxage | undefined>;
  /** `set_config`: security level. */
  readonly securityLevel?: Input<
    "off" | "essentially_off" | "low" | "medium" | "high" | "under_attack" | (string & {}) | undefined
  >;
  /** `set_cache_settings`: use of stale responses. */
  readonly serveStale?: Input<RulesetRuleActionParametersServeStale | undefined>;
  /** `set_config`: hides marked content from suspicious visitors. */
  readonly serverSideExcludes?: Input<boolean | undefined>;
  /** `set_cache_settings`: compression with a shared dictionary. */
  readonly sharedDictionary?: Input<RulesetRuleActionParametersSharedDictionary | undefined>;
  /** `route`: server name sent in the TLS handshake with the origin. */
  readonly sni?: Input<RulesetRuleActionParametersSni | undefined>;
  /** `set_config`: encryption mode for connections to the origin. */
  readonly ssl?: Input<"off" | "flexible" | "full" | "strict" | "origin_pull" | (string & {}) | undefined>;
  /** `set_cache_control`: the `stale-if-error` directive. */
  readonly staleIfError?: Input<RulesetRuleActionParametersStaleIfError | undefined>;
  /** `set_cache_control`: the `stale-while-revalidate` directive. */
  readonly staleWhileRevalidate?: Input<RulesetRuleActionParametersStaleWhileRevalidate | undefined>;
  /** `serve_error`: status of the response. */
  readonly statusCode?: Input<number | undefined>;
  /** `set_cache_settings`: removes ETag headers from responses. */
  readonly stripEtags?: Input<boolean | undefined>;
  /** `set_cache_settings`: removes Last-Modified headers from responses. */
  readonly stripLastModified?: Input<boolean | undefined>;
  /** `set_cache_settings`: removes Set-Cookie headers from responses. */
  readonly stripSetCookie?: Input<boolean | undefined>;
  /** `set_config`: signed exchanges. Deprecated by the service. */
  readonly sxg?: Input<boolean | undefined>;
  /** `log_custom_field`: request headers after changes at the edge. */
  readonly transformedRequestFields?: Input<Input<RulesetRuleActionParametersTransformedRequestField>[] | undefined>;
  /** `rewrite`: new path or query. */
  readonly uri?: Input<RulesetRuleActionParametersUri | undefined>;
  /** `set_cache_tags`: the tags. Cannot be combined with `expression`. */
  readonly values?: Input<Input<string>[] | undefined>;
  /** `set_cache_settings`: how the Vary header is handled. */
  readonly vary?: Input<RulesetRuleActionParametersVary | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. A field with a typed name is sent as it is too, and not checked. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** The `immutable` directive. */
export interface RulesetRuleActionParametersImmutable {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `max-age` directive. */
export interface RulesetRuleActionParametersMaxAge {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** The `must-revalidate` directive. */
export interface RulesetRuleActionParametersMustRevalidate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `must-understand` directive. */
export interface RulesetRuleActionParametersMustUnderstand {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `no-cache` directive. */
export interface RulesetRuleActionParametersNoCache {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Header names to which the directive is limited. */
  readonly qualifiers?: Input<Input<string>[] | undefined>;
}
/** The `no-store` directive. */
export interface RulesetRuleActionParametersNoStore {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `no-transform` directive. */
export interface RulesetRuleActionParametersNoTransform {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `private` directive. */
export interface RulesetRuleActionParametersPrivate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Header names to which the directive is limited. */
  readonly qualifiers?: Input<Input<string>[] | undefined>;
}
/** The `proxy-revalidate` directive. */
export interface RulesetRuleActionParametersProxyRevalidate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `public` directive. */
export interface RulesetRuleActionParametersPublic {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `s-maxage` directive. */
export interface RulesetRuleActionParametersSMaxage {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** The `stale-if-error` directive. */
export interface RulesetRuleActionParametersStaleIfError {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** The `stale-while-revalidate` directive. */
export interface RulesetRuleActionParametersStaleWhileRevalidate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflareOnly?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** A compression algorithm. */
export interface RulesetRuleActionParametersAlgorithm {
  /** Name of the algorithm. */
  readonly name?: Input<"none" | "auto" | "default" | "gzip" | "brotli" | "zstd" | (string & {}) | undefined>;
}
/** File types to minify. */
export interface RulesetRuleActionParametersAutominify {
  /** Style sheets. */
  readonly css?: Input<boolean | undefined>;
  /** HTML. */
  readonly html?: Input<boolean | undefined>;
  /** Scripts. */
  readonly js?: Input<boolean | undefined>;
}
/** How long browsers keep a response. */
export interface RulesetRuleActionParametersBrowserTtl {
  /** Seconds; required with `override_origin`. */
  readonly default?: Input<number | undefined>;
  /** How the TTL is determined. */
  readonly mode: Input<"respect_origin" | "bypass_by_default" | "override_origin" | "bypass" | (string & {})>;
}
/** Which requests share a cache entry. */
export interface RulesetRuleActionParametersCacheKey {
  /** Caches separately for desktop, tablet and mobile. */
  readonly cacheByDeviceType?: Input<boolean | undefined>;
  /** Does not cache a response whose content type does not match the URL's extension. */
  readonly cacheDeceptionArmor?: Input<boolean | undefined>;
  /** Parts of the request that are included in the key. */
  readonly customKey?: Input<RulesetRuleActionParametersCacheKeyCustomKey | undefined>;
  /** Ignores the order of query parameters. */
  readonly ignoreQueryStringsOrder?: Input<boolean | undefined>;
}
/** Parts of the request that are included in the cache key. */
export interface RulesetRuleActionParametersCacheKeyCustomKey {
  /** Cookies. */
  readonly cookie?: Input<RulesetRuleActionParametersCacheKeyCustomKeyCookie | undefined>;
  /** Headers. */
  readonly header?: Input<RulesetRuleActionParametersCacheKeyCustomKeyHeader | undefined>;
  /** Host. */
  readonly host?: Input<RulesetRuleActionParametersCacheKeyCustomKeyHost | undefined>;
  /** Query string. */
  readonly queryString?: Input<RulesetRuleActionParametersCacheKeyCustomKeyQueryString | undefined>;
  /** Visitor properties. */
  readonly user?: Input<RulesetRuleActionParametersCacheKeyCustomKeyUser | undefined>;
}
/** Cookies in the cache key. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyCookie {
  /** Cookies whose presence is included. */
  readonly checkPresences?: Input<Input<string>[] | undefined>;
  /** Cookies whose values are included. */
  readonly includes?: Input<Input<string>[] | undefined>;
}
/** Headers in the cache key. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyHeader {
  /** Headers whose presence is included. */
  readonly checkPresences?: Input<Input<string>[] | undefined>;
  /** Values to look for, by header name; those that are found are included. */
  readonly contains?: Input<Record<string, Input<Input<string>[]>> | undefined>;
  /** Excludes the Origin header. */
  readonly excludeOrigin?: Input<boolean | undefined>;
  /** Headers whose values are included. */
  readonly includes?: Input<Input<string>[] | undefined>;
}
/** Host in the cache key. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyHost {
  /** Uses the resolved host instead of the Host header. */
  readonly resolved?: Input<boolean | undefined>;
}
/** Query parameters in the cache key. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyQueryString {
  /** Parameters to exclude. Cannot be combined with `include`. */
  readonly exclude?: Input<RulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude | undefined>;
  /** Parameters to include. Cannot be combined with `exclude`. */
  readonly include?: Input<RulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude | undefined>;
}
/** Query parameters. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude {
  /** Every parameter. */
  readonly all?: Input<boolean | undefined>;
  /** Names of parameters. */
  readonly lists?: Input<Input<string>[] | undefined>;
}
/** Query parameters. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude {
  /** Every parameter. */
  readonly all?: Input<boolean | undefined>;
  /** Names of parameters. */
  readonly lists?: Input<Input<string>[] | undefined>;
}
/** Visitor properties in the cache key. */
export interface RulesetRuleActionParametersCacheKeyCustomKeyUser {
  /** Device type. */
  readonly deviceType?: Input<boolean | undefined>;
  /** Country. */
  readonly geo?: Input<boolean | undefined>;
  /** Language. */
  readonly lang?: Input<boolean | undefined>;
}
/** Use of the persistent cache store. */
export interface RulesetRuleActionParametersCacheReserve {
  /** Whether responses may be stored there. */
  readonly eligible: Input<boolean>;
  /** Minimum size in bytes. */
  readonly minimumFileSize?: Input<number | undefined>;
}
/** A cookie to log. */
export interface RulesetRuleActionParametersCookieField {
  /** Name. */
  readonly name: Input<string>;
}
/** How long the edge keeps a response. */
export interface RulesetRuleActionParametersEdgeTtl {
  /** Seconds; required with `override_origin`. */
  readonly default?: Input<number | undefined>;
  /** How the TTL is determined. */
  readonly mode: Input<"respect_origin" | "bypass_by_default" | "override_origin" | (string & {})>;
  /** TTLs by status code. */
  readonly statusCodeTtls?: Input<Input<RulesetRuleActionParametersEdgeTtlStatusCodeTtl>[] | undefined>;
}
/** TTL for a status code or a range of them. */
export interface RulesetRuleActionParametersEdgeTtlStatusCodeTtl {
  /** A status code. */
  readonly statusCode?: Input<number | undefined>;
  /** A range of status codes. */
  readonly statusCodeRange?: Input<RulesetRuleActionParametersEdgeTtlStatusCodeTtlStatusCodeRange | undefined>;
  /** Seconds; 0 always revalidates, -1 does not cache. */
  readonly value: Input<number>;
}
/** A range of status codes; omit an end that is open. */
export interface RulesetRuleActionParametersEdgeTtlStatusCodeTtlStatusCodeRange {
  /** First. */
  readonly from?: Input<number | undefined>;
  /** Last. */
  readonly to?: Input<number | undefined>;
}
/** Redirect with a list. */
export interface RulesetRuleActionParametersFromList {
  /** Value expression to look up. */
  readonly key: Input<string>;
  /** Name of the list. */
  readonly name: Input<string>;
}
/** Redirect to a given target. */
export interface RulesetRuleActionParametersFromValue {
  /** Keeps the query string of the request. @default false */
  readonly preserveQueryString?: Input<boolean | undefined>;
  /** Status of the redirect. */
  readonly statusCode?: Input<number | undefined>;
  /** The target. */
  readonly targetUrl: Input<RulesetRuleActionParametersFromValueTargetUrl>;
}
/** Target of a redirect. */
export interface RulesetRuleActionParametersFromValueTargetUrl {
  /** Value expression that returns the target. */
  readonly expression?: Input<string | undefined>;
  /** Fixed target. */
  readonly value?: Input<string | undefined>;
}
/** A change of a header. */
export interface RulesetRuleActionParametersHeaders {
  /** Value expression that returns the new value. */
  readonly expression?: Input<string | undefined>;
  /** Whether to add a value, replace all values, or remove the header. */
  readonly operation: Input<"add" | "set" | "remove" | (string & {})>;
  /** Fixed new value. */
  readonly value?: Input<string | undefined>;
}
/** Encrypted log of the matched data. */
export interface RulesetRuleActionParametersMatchedData {
  /** Public key that encrypts the log. */
  readonly publicKey: Input<string>;
}
/** Origin to connect to. */
export interface RulesetRuleActionParametersOrigin {
  /** Host name. */
  readonly host?: Input<string | undefined>;
  /** Port. */
  readonly port?: Input<number | undefined>;
}
/** How range requests are sent to the origin. */
export interface RulesetRuleActionParametersOriginRangeRequests {
  /** Mode. */
  readonly mode: Input<"on" | "off" | "default" | (string & {})>;
}
/** Changes to the rules of the executed ruleset. An override of a rule wins over one of a tag, which wins over one of the ruleset. */
export interface RulesetRuleActionParametersOverrides {
  /** Action of all its rules. */
  readonly action?: Input<
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined
  >;
  /** Changes by tag; if several match a rule, the last one wins. */
  readonly categories?: Input<Input<RulesetRuleActionParametersOverridesCategory>[] | undefined>;
  /** Whether its rules run. */
  readonly enabled?: Input<boolean | undefined>;
  /** Changes by rule. */
  readonly rules?: Input<Input<RulesetRuleActionParametersOverridesRule>[] | undefined>;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivityLevel?: Input<"default" | "medium" | "low" | "eoff" | (string & {}) | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** Change for all rules with a tag. */
export interface RulesetRuleActionParametersOverridesCategory {
  /** Action. */
  readonly action?: Input<
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined
  >;
  /** The tag. */
  readonly category: Input<string>;
  /** Whether the rules run. */
  readonly enabled?: Input<boolean | undefined>;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivityLevel?: Input<"default" | "medium" | "low" | "eoff" | (string & {}) | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** Change for one rule. */
export interface RulesetRuleActionParametersOverridesRule {
  /** Action. */
  readonly action?: Input<
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined
  >;
  /** Whether the rule runs. */
  readonly enabled?: Input<boolean | undefined>;
  /** ID of the rule. */
  readonly id: Input<string>;
  /** Score at which the rule applies its action. */
  readonly scoreThreshold?: Input<number | undefined>;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivityLevel?: Input<"default" | "medium" | "low" | "eoff" | (string & {}) | undefined>;
  /** Fields of the service that have no typed name yet, in snake_case. Fields with a typed name are not allowed here. */
  readonly wire?: Input<Record<string, unknown> | undefined>;
}
/** A response header as the origin sent it. */
export interface RulesetRuleActionParametersRawResponseField {
  /** Name. */
  readonly name: Input<string>;
  /** Logs every value of a repeated header. @default false */
  readonly preserveDuplicates?: Input<boolean | undefined>;
}
/** A response header. */
export interface RulesetRuleActionParametersResponseField {
  /** Name. */
  readonly name: Input<string>;
  /** Logs every value of a repeated header. @default false */
  readonly preserveDuplicates?: Input<boolean | undefined>;
}
/** A request header. */
export interface RulesetRuleActionParametersRequestField {
  /** Name. */
  readonly name: Input<string>;
}
/** A request header after changes at the edge. */
export interface RulesetRuleActionParametersTransformedRequestField {
  /** Name. */
  readonly name: Input<string>;
}
/** Response of a block. */
export interface RulesetRuleActionParametersResponse {
  /** Body. */
  readonly content: Input<string>;
  /** Media type. */
  readonly contentType: Input<"application/json" | "text/html" | "text/plain" | "text/xml" | (string & {})>;
  /** Status. */
  readonly statusCode: Input<number>;
}
/** Use of stale responses. */
export interface RulesetRuleActionParametersServeStale {
  /** Does not serve stale responses while a new one is fetched. */
  readonly disableStaleWhileUpdating?: Input<boolean | undefined>;
}
/** Compression with a shared dictionary. */
export interface RulesetRuleActionParametersSharedDictionary {
  /** Pattern of the URLs for which the dictionary is used. */
  readonly matchPattern: Input<string>;
}
/** Server name in the TLS handshake with the origin. */
export interface RulesetRuleActionParametersSni {
  /** Name. */
  readonly value: Input<string>;
}
/** New path or query. */
export interface RulesetRuleActionParametersUri {
  /** Whether the origin gets the rewritten URI. Set by the service; never sent. */
  readonly origin?: Input<boolean | undefined>;
  /** New path. */
  readonly path?: Input<RulesetRuleActionParametersUriPath | undefined>;
  /** New query. */
  readonly query?: Input<RulesetRuleActionParametersUriQuery | undefined>;
}
/** New path. */
export interface RulesetRuleActionParametersUriPath {
  /** Value expression that returns it. */
  readonly expression?: Input<string | undefined>;
  /** Fixed path. */
  readonly value?: Input<string | undefined>;
}
/** New query string. */
export interface RulesetRuleActionParametersUriQuery {
  /** Value expression that returns it. */
  readonly expression?: Input<string | undefined>;
  /** Fixed query; empty removes it. */
  readonly value?: Input<string | undefined>;
}
/** How the Vary header is handled. */
export interface RulesetRuleActionParametersVary {
  /** For all other headers. */
  readonly default: Input<RulesetRuleActionParametersVaryDefault>;
  /** Handling by header name. */
  readonly headers?: Input<Record<string, Input<RulesetRuleActionParametersVaryHeaders>> | undefined>;
}
/** Handling of all other headers. */
export interface RulesetRuleActionParametersVaryDefault {
  /** Handling. */
  readonly action: Input<"bypass" | "passthrough" | "normalize" | (string & {})>;
}
/** Handling of one header. */
export interface RulesetRuleActionParametersVaryHeaders {
  /** Handling. */
  readonly action: Input<"bypass" | "passthrough" | "normalize" | (string & {})>;
  /** Languages to distinguish. */
  readonly languages?: Input<Input<string>[] | undefined>;
  /** Media types to distinguish. */
  readonly mediaTypes?: Input<Input<string>[] | undefined>;
}
/** Where in a request the user name and the password are. As the service spells it. */
export interface WireRulesetRuleExposedCredentialCheck {
  /** Value expression that returns the password. */
  readonly password_expression: Input<string>;
  /** Value expression that returns the user name. */
  readonly username_expression: Input<string>;
}
/** A rate limit. As the service spells it. */
export interface WireRulesetRuleRatelimit {
  /** Fields to count by: each combination of values has its own counter. Must include `cf.colo.id`. */
  readonly characteristics: Input<Input<string>[]>;
  /** Expression for the requests to count; if omitted or empty, the rule's own expression. */
  readonly counting_expression?: Input<string | undefined>;
  /** How many seconds the action lasts once the limit is exceeded; 0 throttles instead. */
  readonly mitigation_timeout?: Input<number | undefined>;
  /** Counting period in seconds. */
  readonly period: Input<number>;
  /** Number of requests in a period above which the action applies. */
  readonly requests_per_period?: Input<number | undefined>;
  /** Counts only requests that reach the origin. @default false */
  readonly requests_to_origin?: Input<boolean | undefined>;
  /** Sum of scores in a period above which the action applies. */
  readonly score_per_period?: Input<number | undefined>;
  /** Response header in which the origin reports the score of a request. */
  readonly score_response_header_name?: Input<string | undefined>;
}
/** Parameters of all actions in one type; the preview checks which ones an action allows. As the service spells it. */
export interface WireRulesetRuleActionParameters {
  /** `set_cache_settings`: additional origin ports whose responses may be cached. */
  readonly additional_cacheable_ports?: Input<Input<number>[] | undefined>;
  /** `compress_response`: compression algorithms in order of preference. */
  readonly algorithms?: Input<Input<RulesetRuleActionParametersAlgorithm>[] | undefined>;
  /** `serve_error`: name of the custom asset to serve. Cannot be combined with `content`. */
  readonly asset_name?: Input<string | undefined>;
  /** `set_config`: rewrites links to HTTPS where the target supports it. */
  readonly automatic_https_rewrites?: Input<boolean | undefined>;
  /** `set_config`: file types to minify. */
  readonly autominify?: Input<RulesetRuleActionParametersAutominify | undefined>;
  /** `set_config`: browser integrity check. */
  readonly bic?: Input<boolean | undefined>;
  /** `set_cache_settings`: how long browsers keep a response. */
  readonly browser_ttl?: Input<RulesetRuleActionParametersBrowserTtl | undefined>;
  /** `set_cache_settings`: whether a response is eligible for the cache. */
  readonly cache?: Input<boolean | undefined>;
  /** `set_cache_settings`: which requests share a cache entry. */
  readonly cache_key?: Input<WireRulesetRuleActionParametersCacheKey | undefined>;
  /** `set_cache_settings`: use of the persistent cache store. */
  readonly cache_reserve?: Input<WireRulesetRuleActionParametersCacheReserve | undefined>;
  /** `serve_error`: body of the response. Cannot be combined with `assetName`. */
  readonly content?: Input<string | undefined>;
  /** `set_config`: conversion of page content, for example to Markdown. */
  readonly content_converter?: Input<boolean | undefined>;
  /** `serve_error`: media type of the response. */
  readonly content_type?: Input<
    "application/json" | "text/html" | "text/plain" | "text/xml" | (string & {}) | undefined
  >;
  /** `log_custom_field`: request cookies to log. */
  readonly cookie_fields?: Input<Input<RulesetRuleActionParametersCookieField>[] | undefined>;
  /** `set_config`: disables apps; only `true` is accepted. Deprecated by the service. */
  readonly disable_apps?: Input<boolean | undefined>;
  /** `set_config`: disables pay per crawl; only `true` is accepted. */
  readonly disable_pay_per_crawl?: Input<boolean | undefined>;
  /** `set_config`: disables real user monitoring; only `true` is accepted. */
  readonly disable_rum?: Input<boolean | undefined>;
  /** `set_config`: disables Zaraz; only `true` is accepted. */
  readonly disable_zaraz?: Input<boolean | undefined>;
  /** `set_cache_settings`: how long the edge keeps a response. */
  readonly edge_ttl?: Input<WireRulesetRuleActionParametersEdgeTtl | undefined>;
  /** `set_config`: hides e-mail addresses from bots. */
  readonly email_obfuscation?: Input<boolean | undefined>;
  /** `set_cache_tags`: expression that returns the tags. Cannot be combined with `values`. */
  readonly expression?: Input<string | undefined>;
  /** `set_config`: font optimisation. */
  readonly fonts?: Input<boolean | undefined>;
  /** `redirect`: gets the target from a redirect list. Cannot be combined with `fromValue`. */
  readonly from_list?: Input<RulesetRuleActionParametersFromList | undefined>;
  /** `redirect`: the target. Cannot be combined with `fromList`. */
  readonly from_value?: Input<WireRulesetRuleActionParametersFromValue | undefined>;
  /** `rewrite`: changes by header name. */
  readonly headers?: Input<Record<string, Input<RulesetRuleActionParametersHeaders>> | undefined>;
  /** `route`: Host header sent to the origin. */
  readonly host_header?: Input<string | undefined>;
  /** `set_config`: blocks images that are linked from other sites. */
  readonly hotlink_protection?: Input<boolean | undefined>;
  /** `execute`: ID of the ruleset to run; a full resource ID is also accepted. */
  readonly id?: Input<string | undefined>;
  /** `set_cache_control`: the `immutable` directive. */
  readonly immutable?: Input<WireRulesetRuleActionParametersImmutable | undefined>;
  /** `score`: number added to the score; may be negative. */
  readonly increment?: Input<number | undefined>;
  /** `transform_response_html`: adds a maze of links for crawlers; has no settings. */
  readonly link_maze?: Input<Record<string, unknown> | undefined>;
  /** `execute`: encrypted log of the matched data. */
  readonly matched_data?: Input<WireRulesetRuleActionParametersMatchedData | undefined>;
  /** `set_cache_control`: the `max-age` directive. */
  readonly "max-age"?: Input<WireRulesetRuleActionParametersMaxAge | undefined>;
  /** `set_config`: image optimisation on slow connections. Deprecated by the service. */
  readonly mirage?: Input<boolean | undefined>;
  /** `set_cache_control`: the `must-revalidate` directive. */
  readonly "must-revalidate"?: Input<WireRulesetRuleActionParametersMustRevalidate | undefined>;
  /** `set_cache_control`: the `must-understand` directive. */
  readonly "must-understand"?: Input<WireRulesetRuleActionParametersMustUnderstand | undefined>;
  /** `set_cache_control`: the `no-cache` directive. */
  readonly "no-cache"?: Input<WireRulesetRuleActionParametersNoCache | undefined>;
  /** `set_cache_control`: the `no-store` directive. */
  readonly "no-store"?: Input<WireRulesetRuleActionParametersNoStore | undefined>;
  /** `set_cache_control`: the `no-transform` directive. */
  readonly "no-transform"?: Input<WireRulesetRuleActionParametersNoTransform | undefined>;
  /** `set_cache_tags`: what to do with the tags. */
  readonly operation?: Input<"add" | "remove" | "set" | (string & {}) | undefined>;
  /** `set_config`: opportunistic encryption. */
  readonly opportunistic_encryption?: Input<boolean | undefined>;
  /** `route`: origin to connect to. */
  readonly origin?: Input<RulesetRuleActionParametersOrigin | undefined>;
  /** `set_cache_settings`: honours the origin's cache headers strictly. */
  readonly origin_cache_control?: Input<boolean | undefined>;
  /** `set_cache_settings`: passes error pages of the origin through. */
  readonly origin_error_page_passthru?: Input<boolean | undefined>;
  /** `set_cache_settings`: how range requests are sent to the origin. */
  readonly origin_range_requests?: Input<RulesetRuleActionParametersOriginRangeRequests | undefined>;
  /** `execute`: changes to the rules of the executed ruleset. */
  readonly overrides?: Input<WireRulesetRuleActionParametersOverrides | undefined>;
  /** `skip`: skips the current phase; can only be combined with `products`. */
  readonly phase?: Input<"current" | (string & {}) | undefined>;
  /** `skip`: phases to skip. Cannot be combined with `rulesets`. */
  readonly phases?: Input<
    | Input<
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
      >[]
    | undefined
  >;
  /** `set_config`: image compression. */
  readonly polish?: Input<"off" | "lossless" | "lossy" | "webp" | (string & {}) | undefined>;
  /** `set_cache_control`: the `private` directive. */
  readonly private?: Input<WireRulesetRuleActionParametersPrivate | undefined>;
  /** `skip`: older security products to skip; names are case-sensitive. */
  readonly products?: Input<
    | Input<"bic" | "hot" | "rateLimit" | "securityLevel" | "uaBlock" | "waf" | "zoneLockdown" | (string & {})>[]
    | undefined
  >;
  /** `set_cache_control`: the `proxy-revalidate` directive. */
  readonly "proxy-revalidate"?: Input<WireRulesetRuleActionParametersProxyRevalidate | undefined>;
  /** `set_cache_control`: the `public` directive. */
  readonly public?: Input<WireRulesetRuleActionParametersPublic | undefined>;
  /** `log_custom_field`: response headers as the origin sent them. */
  readonly raw_response_fields?: Input<Input<WireRulesetRuleActionParametersRawResponseField>[] | undefined>;
  /** `set_cache_settings`: seconds to wait for the origin between two reads. */
  readonly read_timeout?: Input<number | undefined>;
  /** `set_config`: redirects AI training crawlers to canonical URLs. */
  readonly redirects_for_ai_training?: Input<boolean | undefined>;
  /** `set_config`: buffering of request bodies. */
  readonly request_body_buffering?: Input<"none" | "standard" | "full" | (string & {}) | undefined>;
  /** `log_custom_field`: request headers to log. */
  readonly request_fields?: Input<Input<RulesetRuleActionParametersRequestField>[] | undefined>;
  /** `set_cache_settings`: keeps strong ETags unchanged. */
  readonly respect_strong_etags?: Input<boolean | undefined>;
  /** `block`: response to send instead of the default one. */
  readonly response?: Input<WireRulesetRuleActionParametersResponse | undefined>;
  /** `set_config`: buffering of response bodies. */
  readonly response_body_buffering?: Input<"none" | "standard" | (string & {}) | undefined>;
  /** `log_custom_field`: response headers after changes at the edge. */
  readonly response_fields?: Input<Input<WireRulesetRuleActionParametersResponseField>[] | undefined>;
  /** `set_config`: asynchronous loading of scripts. */
  readonly rocket_loader?: Input<boolean | undefined>;
  /** `skip`: IDs of rules to skip, by ruleset ID. Cannot be combined with `ruleset`. */
  readonly rules?: Input<Record<string, Input<Input<string>[]>> | undefined>;
  /** `skip`: skips the rest of the current ruleset. Cannot be combined with `rulesets` or `rules`. */
  readonly ruleset?: Input<"current" | (string & {}) | undefined>;
  /** `skip`: IDs of rulesets to skip; full resource IDs are also accepted. Cannot be combined with `ruleset` or `phases`. */
  readonly rulesets?: Input<Input<string>[] | undefined>;
  /** `set_cache_control`: the `s-maxage` directive. */
  readonly "s-maxage"?: Input<WireRulesetRuleActionParametersSMaxage | undefined>;
  /** `set_config`: security level. */
  readonly security_level?: Input<
    "off" | "essentially_off" | "low" | "medium" | "high" | "under_attack" | (string & {}) | undefined
  >;
  /** `set_cache_settings`: use of stale responses. */
  readonly serve_stale?: Input<WireRulesetRuleActionParametersServeStale | undefined>;
  /** `set_config`: hides marked content from suspicious visitors. */
  readonly server_side_excludes?: Input<boolean | undefined>;
  /** `set_cache_settings`: compression with a shared dictionary. */
  readonly shared_dictionary?: Input<WireRulesetRuleActionParametersSharedDictionary | undefined>;
  /** `route`: server name sent in the TLS handshake with the origin. */
  readonly sni?: Input<RulesetRuleActionParametersSni | undefined>;
  /** `set_config`: encryption mode for connections to the origin. */
  readonly ssl?: Input<"off" | "flexible" | "full" | "strict" | "origin_pull" | (string & {}) | undefined>;
  /** `set_cache_control`: the `stale-if-error` directive. */
  readonly "stale-if-error"?: Input<WireRulesetRuleActionParametersStaleIfError | undefined>;
  /** `set_cache_control`: the `stale-while-revalidate` directive. */
  readonly "stale-while-revalidate"?: Input<WireRulesetRuleActionParametersStaleWhileRevalidate | undefined>;
  /** `serve_error`: status of the response. */
  readonly status_code?: Input<number | undefined>;
  /** `set_cache_settings`: removes ETag headers from responses. */
  readonly strip_etags?: Input<boolean | undefined>;
  /** `set_cache_settings`: removes Last-Modified headers from responses. */
  readonly strip_last_modified?: Input<boolean | undefined>;
  /** `set_cache_settings`: removes Set-Cookie headers from responses. */
  readonly strip_set_cookie?: Input<boolean | undefined>;
  /** `set_config`: signed exchanges. Deprecated by the service. */
  readonly sxg?: Input<boolean | undefined>;
  /** `log_custom_field`: request headers after changes at the edge. */
  readonly transformed_request_fields?: Input<Input<RulesetRuleActionParametersTransformedRequestField>[] | undefined>;
  /** `rewrite`: new path or query. */
  readonly uri?: Input<RulesetRuleActionParametersUri | undefined>;
  /** `set_cache_tags`: the tags. Cannot be combined with `expression`. */
  readonly values?: Input<Input<string>[] | undefined>;
  /** `set_cache_settings`: how the Vary header is handled. */
  readonly vary?: Input<WireRulesetRuleActionParametersVary | undefined>;
}
/** The `immutable` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersImmutable {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `max-age` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersMaxAge {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** The `must-revalidate` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersMustRevalidate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `must-understand` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersMustUnderstand {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `no-cache` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersNoCache {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Header names to which the directive is limited. */
  readonly qualifiers?: Input<Input<string>[] | undefined>;
}
/** The `no-store` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersNoStore {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `no-transform` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersNoTransform {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `private` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersPrivate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Header names to which the directive is limited. */
  readonly qualifiers?: Input<Input<string>[] | undefined>;
}
/** The `proxy-revalidate` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersProxyRevalidate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `public` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersPublic {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
}
/** The `s-maxage` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersSMaxage {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** The `stale-if-error` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersStaleIfError {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** The `stale-while-revalidate` directive. As the service spells it. */
export interface WireRulesetRuleActionParametersStaleWhileRevalidate {
  /** Applies to Cloudflare's cache only, not to the response that is sent to the visitor. */
  readonly cloudflare_only?: Input<boolean | undefined>;
  /** Whether the directive is set or removed. */
  readonly operation: Input<"set" | "remove" | (string & {})>;
  /** Seconds; required with `set`. */
  readonly value?: Input<number | undefined>;
}
/** Which requests share a cache entry. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKey {
  /** Caches separately for desktop, tablet and mobile. */
  readonly cache_by_device_type?: Input<boolean | undefined>;
  /** Does not cache a response whose content type does not match the URL's extension. */
  readonly cache_deception_armor?: Input<boolean | undefined>;
  /** Parts of the request that are included in the key. */
  readonly custom_key?: Input<WireRulesetRuleActionParametersCacheKeyCustomKey | undefined>;
  /** Ignores the order of query parameters. */
  readonly ignore_query_strings_order?: Input<boolean | undefined>;
}
/** Parts of the request that are included in the cache key. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKey {
  /** Cookies. */
  readonly cookie?: Input<WireRulesetRuleActionParametersCacheKeyCustomKeyCookie | undefined>;
  /** Headers. */
  readonly header?: Input<WireRulesetRuleActionParametersCacheKeyCustomKeyHeader | undefined>;
  /** Host. */
  readonly host?: Input<RulesetRuleActionParametersCacheKeyCustomKeyHost | undefined>;
  /** Query string. */
  readonly query_string?: Input<WireRulesetRuleActionParametersCacheKeyCustomKeyQueryString | undefined>;
  /** Visitor properties. */
  readonly user?: Input<WireRulesetRuleActionParametersCacheKeyCustomKeyUser | undefined>;
}
/** Cookies in the cache key. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKeyCookie {
  /** Cookies whose presence is included. */
  readonly check_presence?: Input<Input<string>[] | undefined>;
  /** Cookies whose values are included. */
  readonly include?: Input<Input<string>[] | undefined>;
}
/** Headers in the cache key. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKeyHeader {
  /** Headers whose presence is included. */
  readonly check_presence?: Input<Input<string>[] | undefined>;
  /** Values to look for, by header name; those that are found are included. */
  readonly contains?: Input<Record<string, Input<Input<string>[]>> | undefined>;
  /** Excludes the Origin header. */
  readonly exclude_origin?: Input<boolean | undefined>;
  /** Headers whose values are included. */
  readonly include?: Input<Input<string>[] | undefined>;
}
/** Query parameters in the cache key. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKeyQueryString {
  /** Parameters to exclude. Cannot be combined with `include`. */
  readonly exclude?: Input<WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude | undefined>;
  /** Parameters to include. Cannot be combined with `exclude`. */
  readonly include?: Input<WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude | undefined>;
}
/** Query parameters. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringExclude {
  /** Every parameter. */
  readonly all?: Input<boolean | undefined>;
  /** Names of parameters. */
  readonly list?: Input<Input<string>[] | undefined>;
}
/** Query parameters. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKeyQueryStringInclude {
  /** Every parameter. */
  readonly all?: Input<boolean | undefined>;
  /** Names of parameters. */
  readonly list?: Input<Input<string>[] | undefined>;
}
/** Visitor properties in the cache key. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheKeyCustomKeyUser {
  /** Device type. */
  readonly device_type?: Input<boolean | undefined>;
  /** Country. */
  readonly geo?: Input<boolean | undefined>;
  /** Language. */
  readonly lang?: Input<boolean | undefined>;
}
/** Use of the persistent cache store. As the service spells it. */
export interface WireRulesetRuleActionParametersCacheReserve {
  /** Whether responses may be stored there. */
  readonly eligible: Input<boolean>;
  /** Minimum size in bytes. */
  readonly minimum_file_size?: Input<number | undefined>;
}
/** How long the edge keeps a response. As the service spells it. */
export interface WireRulesetRuleActionParametersEdgeTtl {
  /** Seconds; required with `override_origin`. */
  readonly default?: Input<number | undefined>;
  /** How the TTL is determined. */
  readonly mode: Input<"respect_origin" | "bypass_by_default" | "override_origin" | (string & {})>;
  /** TTLs by status code. */
  readonly status_code_ttl?: Input<Input<WireRulesetRuleActionParametersEdgeTtlStatusCodeTtl>[] | undefined>;
}
/** TTL for a status code or a range of them. As the service spells it. */
export interface WireRulesetRuleActionParametersEdgeTtlStatusCodeTtl {
  /** A status code. */
  readonly status_code?: Input<number | undefined>;
  /** A range of status codes. */
  readonly status_code_range?: Input<RulesetRuleActionParametersEdgeTtlStatusCodeTtlStatusCodeRange | undefined>;
  /** Seconds; 0 always revalidates, -1 does not cache. */
  readonly value: Input<number>;
}
/** Redirect to a given target. As the service spells it. */
export interface WireRulesetRuleActionParametersFromValue {
  /** Keeps the query string of the request. @default false */
  readonly preserve_query_string?: Input<boolean | undefined>;
  /** Status of the redirect. */
  readonly status_code?: Input<number | undefined>;
  /** The target. */
  readonly target_url: Input<RulesetRuleActionParametersFromValueTargetUrl>;
}
/** Encrypted log of the matched data. As the service spells it. */
export interface WireRulesetRuleActionParametersMatchedData {
  /** Public key that encrypts the log. */
  readonly public_key: Input<string>;
}
/** Changes to the rules of the executed ruleset. An override of a rule wins over one of a tag, which wins over one of the ruleset. As the service spells it. */
export interface WireRulesetRuleActionParametersOverrides {
  /** Action of all its rules. */
  readonly action?: Input<
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined
  >;
  /** Changes by tag; if several match a rule, the last one wins. */
  readonly categories?: Input<Input<WireRulesetRuleActionParametersOverridesCategory>[] | undefined>;
  /** Whether its rules run. */
  readonly enabled?: Input<boolean | undefined>;
  /** Changes by rule. */
  readonly rules?: Input<Input<WireRulesetRuleActionParametersOverridesRule>[] | undefined>;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivity_level?: Input<"default" | "medium" | "low" | "eoff" | (string & {}) | undefined>;
}
/** Change for all rules with a tag. As the service spells it. */
export interface WireRulesetRuleActionParametersOverridesCategory {
  /** Action. */
  readonly action?: Input<
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined
  >;
  /** The tag. */
  readonly category: Input<string>;
  /** Whether the rules run. */
  readonly enabled?: Input<boolean | undefined>;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivity_level?: Input<"default" | "medium" | "low" | "eoff" | (string & {}) | undefined>;
}
/** Change for one rule. As the service spells it. */
export interface WireRulesetRuleActionParametersOverridesRule {
  /** Action. */
  readonly action?: Input<
    | "block"
    | "challenge"
    | "js_challenge"
    | "log"
    | "managed_challenge"
    | "ddos_dynamic"
    | "force_connection_close"
    | (string & {})
    | undefined
  >;
  /** Whether the rule runs. */
  readonly enabled?: Input<boolean | undefined>;
  /** ID of the rule. */
  readonly id: Input<string>;
  /** Score at which the rule applies its action. */
  readonly score_threshold?: Input<number | undefined>;
  /** Sensitivity; DDoS phases only. */
  readonly sensitivity_level?: Input<"default" | "medium" | "low" | "eoff" | (string & {}) | undefined>;
}
/** A response header as the origin sent it. As the service spells it. */
export interface WireRulesetRuleActionParametersRawResponseField {
  /** Name. */
  readonly name: Input<string>;
  /** Logs every value of a repeated header. @default false */
  readonly preserve_duplicates?: Input<boolean | undefined>;
}
/** A response header. As the service spells it. */
export interface WireRulesetRuleActionParametersResponseField {
  /** Name. */
  readonly name: Input<string>;
  /** Logs every value of a repeated header. @default false */
  readonly preserve_duplicates?: Input<boolean | undefined>;
}
/** Response of a block. As the service spells it. */
export interface WireRulesetRuleActionParametersResponse {
  /** Body. */
  readonly content: Input<string>;
  /** Media type. */
  readonly content_type: Input<"application/json" | "text/html" | "text/plain" | "text/xml" | (string & {})>;
  /** Status. */
  readonly status_code: Input<number>;
}
/** Use of stale responses. As the service spells it. */
export interface WireRulesetRuleActionParametersServeStale {
  /** Does not serve stale responses while a new one is fetched. */
  readonly disable_stale_while_updating?: Input<boolean | undefined>;
}
/** Compression with a shared dictionary. As the service spells it. */
export interface WireRulesetRuleActionParametersSharedDictionary {
  /** Pattern of the URLs for which the dictionary is used. */
  readonly match_pattern: Input<string>;
}
/** How the Vary header is handled. As the service spells it. */
export interface WireRulesetRuleActionParametersVary {
  /** For all other headers. */
  readonly default: Input<RulesetRuleActionParametersVaryDefault>;
  /** Handling by header name. */
  readonly headers?: Input<Record<string, Input<WireRulesetRuleActionParametersVaryHeaders>> | undefined>;
}
/** Handling of one header. As the service spells it. */
export interface WireRulesetRuleActionParametersVaryHeaders {
  /** Handling. */
  readonly action: Input<"bypass" | "passthrough" | "normalize" | (string & {})>;
  /** Languages to distinguish. */
  readonly languages?: Input<Input<string>[] | undefined>;
  /** Media types to distinguish. */
  readonly media_types?: Input<Input<string>[] | undefined>;
}
