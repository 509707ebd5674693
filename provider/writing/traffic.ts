import type * as pulumi from "@pulumi/pulumi";
import type { RulesetRuleActionParameters as Parameters } from "../model/generated/rule.js";
import type { RulesetRule, RulesetRuleActionParametersHeaders } from "../resources/generated/inputs.js";
import { makeRule, splitArgs, valueOrExpression, withoutUndefined, type RuleArgs } from "./rule.js";
import type { Arguments, AtLeastOne, OneOf, ValueOrExpression } from "./unions.js";

/** Arguments of {@link redirect}. */
export type RedirectArgs = RuleArgs &
  OneOf<
    | {
        /** URL to redirect to. */
        readonly targetUrl: ValueOrExpression;
        /** @default 301 */
        readonly statusCode?: pulumi.Input<301 | 302 | 303 | 307 | 308 | undefined>;
        /** @default false */
        readonly preserveQueryString?: pulumi.Input<boolean | undefined>;
      }
    | {
        /** Gets the target from a list: its name, and the expression to look up in it, such as `http.request.full_uri`. */
        readonly fromList: { readonly name: pulumi.Input<string>; readonly key: pulumi.Input<string> };
      }
  >;

/**
 * Redirects a visitor to another URL.
 * See https://developers.cloudflare.com/rules/url-forwarding/single-redirects/ and, for lists of an account,
 * https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/.
 *
 * @example
 * ```ts
 * redirect({
 *   expression: expression`http.host eq ${"old.example.com"}`,
 *   targetUrl: { expression: expression`concat("https://new.example.com", http.request.uri.path)` },
 *   statusCode: 301,
 * })
 * ```
 */
export function redirect({ targetUrl, statusCode, preserveQueryString, fromList, ...rule }: RedirectArgs): RulesetRule {
  if (targetUrl === undefined) return makeRule("redirect", rule, { fromList });
  const target = { targetUrl: valueOrExpression(targetUrl), statusCode, preserveQueryString };
  return makeRule("redirect", rule, { fromValue: withoutUndefined(target) });
}

/** A change of a header. */
export type HeaderChange = OneOf<
  | { readonly operation: "add" | "set"; readonly value: pulumi.Input<string> }
  | { readonly operation: "add" | "set"; readonly expression: pulumi.Input<string> }
  | { readonly operation: "remove" }
>;

/** Arguments of {@link rewrite}. */
export type RewriteArgs = RuleArgs &
  AtLeastOne<{
    /** The new path. */
    readonly path?: ValueOrExpression;
    /** The new query string; an empty one removes it. */
    readonly query?: ValueOrExpression;
    /** Changes by header name. */
    readonly headers?: Readonly<Record<string, HeaderChange>>;
  }>;

/**
 * Rewrites path and query string, or the headers of a request or a response, depending on the phase.
 * See https://developers.cloudflare.com/rules/transform/.
 */
export function rewrite({ path, query, headers, ...rule }: RewriteArgs): RulesetRule {
  const uri = withoutUndefined({
    path: path === undefined ? undefined : valueOrExpression(path),
    query: query === undefined ? undefined : valueOrExpression(query),
  });
  return makeRule("rewrite", rule, {
    uri: Object.keys(uri).length === 0 ? undefined : uri,
    headers: headers as Record<string, RulesetRuleActionParametersHeaders> | undefined,
  });
}

/** Arguments of {@link route}. */
export type RouteArgs = RuleArgs &
  AtLeastOne<{
    /** Host header sent to the origin. */
    readonly hostHeader?: pulumi.Input<string>;
    /** Where to connect to. */
    readonly origin?: AtLeastOne<{ readonly host?: pulumi.Input<string>; readonly port?: pulumi.Input<number> }>;
    /** Server name in the handshake with the origin. */
    readonly sni?: pulumi.Input<string>;
  }>;

/** Sends a request to another origin. See https://developers.cloudflare.com/rules/origin-rules/. */
export function route({ hostHeader, origin, sni, ...rule }: RouteArgs): RulesetRule {
  return makeRule("route", rule, { hostHeader, origin, sni: sni === undefined ? undefined : { value: sni } });
}

/** Arguments of {@link serveError}. */
export type ServeErrorArgs = RuleArgs & {
  readonly contentType: pulumi.Input<"application/json" | "text/html" | "text/plain" | "text/xml">;
  /** 400 to 999. @default that of the response */
  readonly statusCode?: pulumi.Input<number | undefined>;
} & OneOf<
    | { readonly content: pulumi.Input<string> }
    /** Name of a custom asset. */
    | { readonly assetName: pulumi.Input<string> }
  >;

/** Serves a custom page instead of an error. See https://developers.cloudflare.com/rules/custom-errors/. */
export function serveError({ contentType, statusCode, content, assetName, ...rule }: ServeErrorArgs): RulesetRule {
  return makeRule("serve_error", rule, { contentType, statusCode, content, assetName });
}

type Algorithm = "none" | "auto" | "default" | "gzip" | "brotli" | "zstd";

/**
 * Sets the compression algorithms for a response, preferred first.
 * See https://developers.cloudflare.com/rules/compression-rules/.
 */
export function compressResponse({
  algorithms,
  ...rule
}: RuleArgs & { readonly algorithms: readonly [pulumi.Input<Algorithm>, ...pulumi.Input<Algorithm>[]] }): RulesetRule {
  return makeRule("compress_response", rule, { algorithms: algorithms.map((name) => ({ name })) });
}

type FieldNames = readonly pulumi.Input<string>[];
type ResponseField =
  string | { readonly name: pulumi.Input<string>; readonly preserveDuplicates?: pulumi.Input<boolean> };

/** Arguments of {@link logCustomField}. */
export type LogCustomFieldArgs = RuleArgs &
  AtLeastOne<{
    /** Cookies of the request. */
    readonly cookieFields?: FieldNames;
    /** Headers of the request, as the visitor sent them. */
    readonly requestFields?: FieldNames;
    /** Headers of the request, after changes at the edge. */
    readonly transformedRequestFields?: FieldNames;
    /** Headers of the response, after changes at the edge. */
    readonly responseFields?: readonly ResponseField[];
    /** Headers of the response, as the origin sent them. */
    readonly rawResponseFields?: readonly ResponseField[];
  }>;

/** Adds fields to the request logs. See https://developers.cloudflare.com/logs/logpush/logpush-job/custom-fields/. */
export function logCustomField({
  cookieFields,
  requestFields,
  transformedRequestFields,
  responseFields,
  rawResponseFields,
  ...rule
}: LogCustomFieldArgs): RulesetRule {
  return makeRule("log_custom_field", rule, {
    cookieFields: namesOf(cookieFields),
    requestFields: namesOf(requestFields),
    transformedRequestFields: namesOf(transformedRequestFields),
    responseFields: fieldsOf(responseFields),
    rawResponseFields: fieldsOf(rawResponseFields),
  });
}

function namesOf(names: FieldNames | undefined): { readonly name: pulumi.Input<string> }[] | undefined {
  return names?.map((name) => ({ name }));
}

function fieldsOf(fields: readonly ResponseField[] | undefined): Exclude<ResponseField, string>[] | undefined {
  return fields?.map((field) => (typeof field === "string" ? { name: field } : field));
}

type ConfigNames =
  | "automaticHttpsRewrites"
  | "autominify"
  | "bic"
  | "contentConverter"
  | "emailObfuscation"
  | "fonts"
  | "hotlinkProtection"
  | "mirage"
  | "opportunisticEncryption"
  | "polish"
  | "redirectsForAiTraining"
  | "requestBodyBuffering"
  | "responseBodyBuffering"
  | "rocketLoader"
  | "securityLevel"
  | "serverSideExcludes"
  | "ssl"
  | "sxg";
type SwitchOffNames = "disableApps" | "disablePayPerCrawl" | "disableRum" | "disableZaraz";

/** Arguments of {@link setConfig}. */
export type SetConfigArgs = RuleArgs &
  AtLeastOne<
    Arguments<Pick<Parameters, ConfigNames>> & {
      /** These settings can only be disabled. */
      readonly [Name in SwitchOffNames]?: pulumi.Input<true>;
    }
  >;

/**
 * Changes settings of the zone for the requests that match.
 * See https://developers.cloudflare.com/rules/configuration-rules/settings/.
 */
export function setConfig(args: SetConfigArgs): RulesetRule {
  return makeRule("set_config", ...splitArgs(args));
}

/** Adds a maze of links for crawlers to HTML responses. */
export function transformResponseHtml(rule: RuleArgs): RulesetRule {
  return makeRule("transform_response_html", rule, { linkMaze: {} });
}
