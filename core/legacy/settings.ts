import { isList, isObject, ownValue, sameJson, textsIn, type Json, type JsonObject } from "../model/json.js";
import { quoted } from "./pattern.js";

export const CONFIG = "http_config_settings";
export const CACHE = "http_request_cache_settings";
export const ORIGIN = "http_request_origin";
export const REDIRECT = "http_request_dynamic_redirect";

/** The phases that replace settings, with what their rules do. */
export const ACTIONS: Readonly<Record<string, string>> = {
  [CONFIG]: "set_config",
  [CACHE]: "set_cache_settings",
  [ORIGIN]: "route",
};

/** What a setting of a page rule becomes. */
export interface Setting {
  /** The phase of its counterpart; `redirect` rules have a target instead of parameters. Missing if it has none. */
  readonly phase?: typeof CONFIG | typeof CACHE | typeof ORIGIN | typeof REDIRECT;
  /** The parameters of its counterpart for a value; undefined for a value that this version does not know. */
  readonly parameters: (value: Json | undefined) => JsonObject | undefined;
  /** Besides the URL, when the setting applies. */
  readonly when?: (value: Json | undefined) => string;
  /** What its counterpart lacks, or why there is none and what the vendor says to do. */
  readonly lacks?: string;
}

const counterpart = (phase: Setting["phase"], parameters: Setting["parameters"], more: Partial<Setting> = {}) => ({
  phase,
  parameters,
  ...more,
});
const none = (lacks: string): Setting => ({ parameters: () => ({}), lacks });

type Read = (value: Json | undefined) => Json | undefined;
const onOff: Read = (value) => (value === "on" ? true : value === "off" ? false : undefined);
const always: Read = (value) =>
  value === undefined || value === null || value === true || value === "on" ? true : undefined;
const text: Read = (value) => (typeof value === "string" && value !== "" ? value : undefined);
const among =
  (...values: readonly string[]): Read =>
  (value) =>
    values.find((one) => one === value);
const as =
  (name: string, read: Read) =>
  (value: Json | undefined): JsonObject | undefined => {
    const read_ = read(value);
    return read_ === undefined ? undefined : { [name]: read_ };
  };
const ifOn =
  (parameters: JsonObject) =>
  (value: Json | undefined): JsonObject | undefined =>
    always(value) === undefined ? undefined : parameters;
const config = (name: string, read: Read): Setting => counterpart(CONFIG, as(name, read));
const cache = (name: string, read: Read): Setting => counterpart(CACHE, as(name, read), { lacks: ELIGIBLE });
const cacheKey = (name: string): Setting =>
  counterpart(
    CACHE,
    (value) => {
      const on = onOff(value);
      return on === undefined ? undefined : { cacheKey: { [name]: on } };
    },
    { lacks: ELIGIBLE },
  );

/** Not documented: the dashboard always sets it, and the API lets a rule leave it out. */
const ELIGIBLE =
  "a cache rule that does not set `cache` is expected to leave it to Cloudflare what is cached, as the page rule did; the vendor does not document that";
const MANAGED = (name: string): string =>
  `no rule does it for some URLs: the vendor says to turn on the managed transform "${name}", which acts on all requests of the zone`;

/**
 * Every setting of page rules that the API describes, as https://developers.cloudflare.com/rules/reference/page-rules-migration/
 * maps them to phases, and those of products that have ended
 * (https://developers.cloudflare.com/fundamentals/api/reference/deprecations/), which states still have. One of another name is not
 * known. The names of the parameters are those of
 * https://developers.cloudflare.com/rules/configuration-rules/settings/, …/origin-rules/features/ and
 * https://developers.cloudflare.com/cache/how-to/cache-rules/settings/.
 */
const PAGE_RULE_SETTINGS: Readonly<Record<string, Setting>> = {
  forwarding_url: counterpart(REDIRECT, (value) => (redirectOf(value) === undefined ? undefined : {})),
  always_use_https: counterpart(REDIRECT, ifOn({})),

  automatic_https_rewrites: config("automaticHttpsRewrites", onOff),
  browser_check: config("bic", onOff),
  disable_apps: config("disableApps", always),
  disable_zaraz: config("disableZaraz", always),
  email_obfuscation: config("emailObfuscation", onOff),
  opportunistic_encryption: config("opportunisticEncryption", onOff),
  polish: config("polish", among("off", "lossless", "lossy")),
  rocket_loader: config("rocketLoader", onOff),
  security_level: config("securityLevel", among("off", "essentially_off", "low", "medium", "high", "under_attack")),
  ssl: config("ssl", among("off", "flexible", "full", "strict", "origin_pull")),
  disable_performance: counterpart(CONFIG, ifOn({ polish: "off", rocketLoader: false }), {
    lacks: "it turned off Mirage, too, which ended on 2025-09-15",
  }),
  disable_security: counterpart(CONFIG, ifOn({ emailObfuscation: false, hotlinkProtection: false }), {
    lacks:
      "it also turned off the previous managed rules: the vendor says to write an exception for the managed rulesets. Converted lockdowns and rate limits leave its URLs out",
  }),

  browser_cache_ttl: counterpart(
    CACHE,
    (value) =>
      value === 0
        ? { browserTtl: { mode: "respect_origin" } }
        : typeof value === "number"
          ? { browserTtl: { mode: "override_origin", default: value } }
          : undefined,
    { lacks: ELIGIBLE },
  ),
  // https://developers.cloudflare.com/rules/page-rules/reference/additional-reference/#bypass-cache-on-cookie-setting
  bypass_cache_on_cookie: counterpart(CACHE, (value) => cookieSetting(value, false), { when: cookieCondition }),
  cache_on_cookie: counterpart(CACHE, (value) => cookieSetting(value, true), { when: cookieCondition }),
  cache_by_device_type: cacheKey("cacheByDeviceType"),
  cache_deception_armor: cacheKey("cacheDeceptionArmor"),
  sort_query_string_for_cache: cacheKey("ignoreQueryStringsOrder"),
  cache_key_fields: counterpart(CACHE, customKey, { lacks: ELIGIBLE }),
  cache_level: counterpart(CACHE, cacheLevel, {
    when: (value) => (value === "basic" ? 'http.request.uri.query ne ""' : ""),
  }),
  cache_ttl_by_status: counterpart(CACHE, ttlByStatus, { lacks: ELIGIBLE }),
  edge_cache_ttl: counterpart(
    CACHE,
    (value) => (typeof value === "number" ? { edgeTtl: { mode: "override_origin", default: value } } : undefined),
    { lacks: ELIGIBLE },
  ),
  explicit_cache_control: cache("originCacheControl", onOff),
  origin_error_page_pass_thru: cache("originErrorPagePassthru", onOff),
  respect_strong_etag: cache("respectStrongEtags", onOff),

  host_header_override: counterpart(ORIGIN, as("hostHeader", text)),
  resolve_override: counterpart(ORIGIN, (value) =>
    text(value) === undefined ? undefined : { origin: { host: value ?? "" } },
  ),

  ip_geolocation: none(MANAGED("Add visitor location headers")),
  true_client_ip_header: none(MANAGED('Add "True-Client-IP" header')),
  disable_railgun: none("Railgun has ended"),
  minify: none("Auto Minify ended on 2024-08-05"),
  server_side_exclude: none("Server-side Excludes ended on 2024-06-14"),
  mirage: none("Mirage ended on 2025-09-15"),
  response_buffering: none("the vendor lists it as deprecated, without a replacement"),
  waf: none(
    "the vendor lists it as deprecated. The migration of the managed rules converts it: `npx pulumi-rulesets migration plan`",
  ),
};

/** The setting with a name; undefined if this version does not know it. */
export function findSetting(id: string): Setting | undefined {
  return ownValue(PAGE_RULE_SETTINGS, id);
}

export const SETTING_NAMES = Object.keys(PAGE_RULE_SETTINGS);

/** Where a forwarding URL leads, and the status; undefined for a value that is none. */
export function redirectOf(value: Json | undefined): { readonly url: string; readonly status: number } | undefined {
  if (!isObject(value)) return undefined;
  const { url, status_code: status, ...others } = value;
  if (typeof url !== "string" || Object.keys(others).length > 0) return undefined;
  return status === 301 || status === 302 ? { url, status } : undefined;
}

/** "Only delivers from cache when there is no query string" is `basic`: https://developers.cloudflare.com/cache/how-to/set-caching-levels/ */
function cacheLevel(value: Json | undefined): JsonObject | undefined {
  switch (value) {
    case "bypass":
    case "basic":
      return { cache: false };
    case "cache_everything":
      return { cache: true };
    case "simplified":
      return { cacheKey: { customKey: { queryString: { exclude: { all: true } } } } };
    case "aggressive":
      return {};
    default:
      return undefined;
  }
}

/** A value of 0 is `no-cache`, of -1 `no-store`: https://developers.cloudflare.com/cache/how-to/cache-rules/settings/#edge-ttl */
function ttlByStatus(value: Json | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const statusCodeTtls = Object.entries(value).map(([codes, ttl]): JsonObject | undefined => {
    const [, from, to] = /^(\d{3})(?:-(\d{3}))?$/.exec(codes) ?? [];
    const seconds = ttl === "no-cache" ? 0 : ttl === "no-store" ? -1 : ttl;
    if (from === undefined || typeof seconds !== "number") return undefined;
    const range = { from: Number(from), to: Number(to) };
    return { ...(to === undefined ? { statusCode: Number(from) } : { statusCodeRange: range }), value: seconds };
  });
  const known = statusCodeTtls.filter((one) => one !== undefined);
  return known.length === statusCodeTtls.length
    ? { edgeTtl: { mode: "respect_origin", statusCodeTtls: known } }
    : undefined;
}

/** What the API describes of a cache key, by part, with the names of this package. */
const KEY_PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cookie: { check_presence: "checkPresences", include: "includes" },
  header: { check_presence: "checkPresences", exclude: "excludeOrigin", include: "includes" },
  host: { resolved: "resolved" },
  query_string: { exclude: "exclude", include: "include" },
  user: { device_type: "deviceType", geo: "geo", lang: "lang" },
};

/** The parts of a cache key; undefined if it has one that is not known. */
function customKey(value: Json | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const parts = Object.entries(value).map(([name, part]): readonly [string, JsonObject] | undefined => {
    const names = ownValue(KEY_PARTS, name);
    if (names === undefined || !isObject(part)) return undefined;
    const known = Object.entries(part)
      .filter(([, one]) => one !== null && !(isList(one) && one.length === 0))
      .map(([key, one]) => [ownValue(names, key), keyValue(name, key, one)] as const);
    const isKnown = known.every(([key, one]) => key !== undefined && one !== undefined);
    return isKnown ? [name === "query_string" ? "queryString" : name, Object.fromEntries(known)] : undefined;
  });
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? { cacheKey: { customKey: Object.fromEntries(known) } } : undefined;
}

function keyValue(part: string, name: string, value: Json | undefined): Json | undefined {
  if (part === "host" || part === "user") return typeof value === "boolean" ? value : undefined;
  if (part === "header" && name === "exclude") return sameJson(value, ["origin"]) ? true : undefined;
  if (part === "query_string" && value === "*") return { all: true };
  if (!isList(value) || textsIn(value).length < value.length) return undefined;
  return part === "query_string" ? { lists: value } : value;
}

function cookieSetting(value: Json | undefined, isCached: boolean): JsonObject | undefined {
  return typeof value === "string" && value !== "" ? { cache: isCached } : undefined;
}

/**
 * A pattern of cookies: `|` separates alternatives, and `.*` is any text. The vendor's own conversion of a name is `contains`;
 * for a pattern, which only plans have that also have `matches`, it is `matches`.
 */
function cookieCondition(value: Json | undefined): string {
  const pattern = typeof value === "string" ? value : "";
  const alternatives = pattern.split("|").map((one) => one.replace(/\.\*$/, ""));
  if (alternatives.some((one) => !/^[\w=%~-]+$/.test(one))) return `http.cookie matches ${quoted(pattern)}`;
  const tests = alternatives.map((one) => `http.cookie contains ${quoted(one)}`);
  return tests.length === 1 ? (tests[0] ?? "") : `(${tests.join(" or ")})`;
}

/**
 * Both, the second of which wins where both have a value. A TTL for all statuses applies beside those of some, in whatever order a
 * rule has them.
 */
export function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = result[key];
    if (key === "mode" && known === "override_origin" && value === "respect_origin") continue;
    result[key] = isObject(known) && isObject(value) ? merged(known, value) : value;
  }
  return result;
}
