/*
 * The arguments of rules in the Pulumi package of the Cloudflare provider, by block: taken from `types/input.d.ts` of the package
 * `@pulumi/cloudflare` on npm, where a block has the prefix `RulesetRule`. `[]` is a list, `{}` a map, and the rule itself is `Rule`.
 */

/** What all versions have. */
const COMMON = {
  ActionParametersAlgorithm: "name string",
  ActionParametersAutominify: "css boolean, html boolean, js boolean",
  ActionParametersBrowserTtl: "default number, mode string",
  ActionParametersCacheKey:
    "cacheByDeviceType boolean, cacheDeceptionArmor boolean, customKey ActionParametersCacheKeyCustomKey, ignoreQueryStringsOrder boolean",
  ActionParametersCacheKeyCustomKey:
    "cookie ActionParametersCacheKeyCustomKeyCookie, header ActionParametersCacheKeyCustomKeyHeader, host ActionParametersCacheKeyCustomKeyHost, queryString ActionParametersCacheKeyCustomKeyQueryString, user ActionParametersCacheKeyCustomKeyUser",
  ActionParametersCacheKeyCustomKeyCookie: "checkPresences string[], includes string[]",
  ActionParametersCacheKeyCustomKeyHeader:
    "checkPresences string[], contains string[]{}, excludeOrigin boolean, includes string[]",
  ActionParametersCacheKeyCustomKeyHost: "resolved boolean",
  ActionParametersCacheKeyCustomKeyUser: "deviceType boolean, geo boolean, lang boolean",
  ActionParametersCacheReserve: "eligible boolean, minimumFileSize number",
  ActionParametersEdgeTtl: "default number, mode string, statusCodeTtls ActionParametersEdgeTtlStatusCodeTtl[]",
  ActionParametersEdgeTtlStatusCodeTtlStatusCodeRange: "from number, to number",
  ActionParametersFromList: "key string, name string",
  ActionParametersFromValue:
    "preserveQueryString boolean, statusCode number, targetUrl ActionParametersFromValueTargetUrl",
  ActionParametersFromValueTargetUrl: "expression string, value string",
  ActionParametersMatchedData: "publicKey string",
  ActionParametersOrigin: "host string, port number",
  ActionParametersResponse: "content string, contentType string, statusCode number",
  ActionParametersServeStale: "disableStaleWhileUpdating boolean",
  ActionParametersSni: "value string",
  ActionParametersUriPath: "expression string, value string",
  ActionParametersUriQuery: "expression string, value string",
  ExposedCredentialCheck: "passwordExpression string, usernameExpression string",
};

/** Versions 4.0.0, 4.16.0, 5.0.0, 5.24.1 and 5.49.1, which agree where they have the same argument. */
export const UNTIL_VERSION_5 = {
  ...COMMON,
  ActionParameters:
    "additionalCacheablePorts number[], algorithms ActionParametersAlgorithm[], automaticHttpsRewrites boolean, autominifies ActionParametersAutominify[], bic boolean, browserTtl ActionParametersBrowserTtl, cache boolean, cacheKey ActionParametersCacheKey, cacheReserve ActionParametersCacheReserve, content string, contentType string, cookieFields string[], disableApps boolean, disableRailgun boolean, disableRum boolean, disableZaraz boolean, edgeTtl ActionParametersEdgeTtl, emailObfuscation boolean, fonts boolean, fromList ActionParametersFromList, fromValue ActionParametersFromValue, headers ActionParametersHeader[], hostHeader string, hotlinkProtection boolean, id string, increment number, matchedData ActionParametersMatchedData, mirage boolean, opportunisticEncryption boolean, origin ActionParametersOrigin, originCacheControl boolean, originErrorPagePassthru boolean, overrides ActionParametersOverrides, phases string[], polish string, products string[], readTimeout number, requestFields string[], respectStrongEtags boolean, responseFields string[], responses ActionParametersResponse[], rocketLoader boolean, rules string{}, ruleset string, rulesets string[], securityLevel string, serveStale ActionParametersServeStale, serverSideExcludes boolean, sni ActionParametersSni, ssl string, statusCode number, sxg boolean, uri ActionParametersUri, version string",
  ActionParametersCacheKeyCustomKeyQueryString: "excludes string[], includes string[]",
  ActionParametersEdgeTtlStatusCodeTtl:
    "statusCode number, statusCodeRanges ActionParametersEdgeTtlStatusCodeTtlStatusCodeRange[], value number",
  ActionParametersHeader: "expression string, name string, operation string, value string",
  ActionParametersOverrides:
    "action string, categories ActionParametersOverridesCategory[], enabled boolean, rules ActionParametersOverridesRule[], sensitivityLevel string, status string",
  ActionParametersOverridesCategory: "action string, category string, enabled boolean, status string",
  ActionParametersOverridesRule:
    "action string, enabled boolean, id string, scoreThreshold number, sensitivityLevel string, status string",
  ActionParametersUri: "origin boolean, path ActionParametersUriPath, query ActionParametersUriQuery",
  Logging: "enabled boolean, status string",
  Ratelimit:
    "characteristics string[], countingExpression string, mitigationExpression string, mitigationTimeout number, period number, requestsPerPeriod number, requestsToOrigin boolean, scorePerPeriod number, scoreResponseHeaderName string",
  Rule: "action string, actionParameters ActionParameters, description string, enabled boolean, exposedCredentialCheck ExposedCredentialCheck, expression string, id string, lastUpdated string, logging Logging, ratelimit Ratelimit, ref string, version string",
};

/** Versions 6.1.2 and 6.22.1. */
export const VERSION_6 = {
  ...COMMON,
  ActionParameters:
    "additionalCacheablePorts number[], algorithms ActionParametersAlgorithm[], assetName string, automaticHttpsRewrites boolean, autominify ActionParametersAutominify, bic boolean, browserTtl ActionParametersBrowserTtl, cache boolean, cacheKey ActionParametersCacheKey, cacheReserve ActionParametersCacheReserve, content string, contentConverter boolean, contentType string, cookieFields ActionParametersCookieField[], disableApps boolean, disableRum boolean, disableZaraz boolean, edgeTtl ActionParametersEdgeTtl, emailObfuscation boolean, expression string, fonts boolean, fromList ActionParametersFromList, fromValue ActionParametersFromValue, headers ActionParametersHeaders{}, hostHeader string, hotlinkProtection boolean, id string, immutable ActionParametersImmutable, increment number, matchedData ActionParametersMatchedData, maxAge ActionParametersMaxAge, mirage boolean, mustRevalidate ActionParametersMustRevalidate, mustUnderstand ActionParametersMustUnderstand, noCache ActionParametersNoCache, noStore ActionParametersNoStore, noTransform ActionParametersNoTransform, operation string, opportunisticEncryption boolean, origin ActionParametersOrigin, originCacheControl boolean, originErrorPagePassthru boolean, originRangeRequests ActionParametersOriginRangeRequests, overrides ActionParametersOverrides, phases string[], polish string, private ActionParametersPrivate, products string[], proxyRevalidate ActionParametersProxyRevalidate, public ActionParametersPublic, rawResponseFields ActionParametersRawResponseField[], readTimeout number, redirectsForAiTraining boolean, requestBodyBuffering string, requestFields ActionParametersRequestField[], respectStrongEtags boolean, response ActionParametersResponse, responseBodyBuffering string, responseFields ActionParametersResponseField[], rocketLoader boolean, rules string[]{}, ruleset string, rulesets string[], sMaxage ActionParametersSMaxage, securityLevel string, serveStale ActionParametersServeStale, serverSideExcludes boolean, sni ActionParametersSni, ssl string, staleIfError ActionParametersStaleIfError, staleWhileRevalidate ActionParametersStaleWhileRevalidate, statusCode number, stripEtags boolean, stripLastModified boolean, stripSetCookie boolean, sxg boolean, transformedRequestFields ActionParametersTransformedRequestField[], uri ActionParametersUri, values string[], vary ActionParametersVary",
  ActionParametersCacheKeyCustomKeyQueryString:
    "exclude ActionParametersCacheKeyCustomKeyQueryStringExclude, include ActionParametersCacheKeyCustomKeyQueryStringInclude",
  ActionParametersCacheKeyCustomKeyQueryStringExclude: "all boolean, lists string[]",
  ActionParametersCacheKeyCustomKeyQueryStringInclude: "all boolean, lists string[]",
  ActionParametersCookieField: "name string",
  ActionParametersEdgeTtlStatusCodeTtl:
    "statusCode number, statusCodeRange ActionParametersEdgeTtlStatusCodeTtlStatusCodeRange, value number",
  ActionParametersHeaders: "expression string, operation string, value string",
  ActionParametersImmutable: "cloudflareOnly boolean, operation string",
  ActionParametersMaxAge: "cloudflareOnly boolean, operation string, value number",
  ActionParametersMustRevalidate: "cloudflareOnly boolean, operation string",
  ActionParametersMustUnderstand: "cloudflareOnly boolean, operation string",
  ActionParametersNoCache: "cloudflareOnly boolean, operation string, qualifiers string[]",
  ActionParametersNoStore: "cloudflareOnly boolean, operation string",
  ActionParametersNoTransform: "cloudflareOnly boolean, operation string",
  ActionParametersOriginRangeRequests: "mode string",
  ActionParametersOverrides:
    "action string, categories ActionParametersOverridesCategory[], enabled boolean, rules ActionParametersOverridesRule[], sensitivityLevel string",
  ActionParametersOverridesCategory: "action string, category string, enabled boolean, sensitivityLevel string",
  ActionParametersOverridesRule:
    "action string, enabled boolean, id string, scoreThreshold number, sensitivityLevel string",
  ActionParametersPrivate: "cloudflareOnly boolean, operation string, qualifiers string[]",
  ActionParametersProxyRevalidate: "cloudflareOnly boolean, operation string",
  ActionParametersPublic: "cloudflareOnly boolean, operation string",
  ActionParametersRawResponseField: "name string, preserveDuplicates boolean",
  ActionParametersRequestField: "name string",
  ActionParametersResponseField: "name string, preserveDuplicates boolean",
  ActionParametersSMaxage: "cloudflareOnly boolean, operation string, value number",
  ActionParametersStaleIfError: "cloudflareOnly boolean, operation string, value number",
  ActionParametersStaleWhileRevalidate: "cloudflareOnly boolean, operation string, value number",
  ActionParametersTransformedRequestField: "name string",
  ActionParametersUri: "path ActionParametersUriPath, query ActionParametersUriQuery",
  ActionParametersVary: "default ActionParametersVaryDefault, headers ActionParametersVaryHeaders{}",
  ActionParametersVaryDefault: "action string",
  ActionParametersVaryHeaders: "action string, languages string[], mediaTypes string[]",
  Logging: "enabled boolean",
  Ratelimit:
    "characteristics string[], countingExpression string, mitigationTimeout number, period number, requestsPerPeriod number, requestsToOrigin boolean, scorePerPeriod number, scoreResponseHeaderName string",
  Rule: "action string, actionParameters ActionParameters, categories string[], description string, enabled boolean, exposedCredentialCheck ExposedCredentialCheck, expression string, id string, logging Logging, ratelimit Ratelimit, ref string",
};
