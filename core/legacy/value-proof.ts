import { fromBytes } from "../language/bytes.js";
import { parseExpression, type Argument } from "../language/index.js";
import {
  isList,
  isObject,
  mapFrom,
  objectsIn,
  ownValue,
  sameJson,
  textOf,
  textsIn,
  writtenText,
  type Json,
  type JsonObject,
} from "../model/json.js";
import type { NewRule } from "./new-rules.js";
import type { PageRule, RateLimit } from "./old-rules.js";
import { targetParts, type UrlPattern } from "./pattern.js";
import { findSetting, redirectOf, REDIRECT } from "./settings.js";

// What rules set, read back without the code that converts them.

/** What a rule sets, with the names and values of page rules. */
type Values = readonly (readonly [name: string, value: Json | undefined])[];
type Setting = PageRule["settings"][number];

/** What one new rule has to set, if it may be told apart by its condition. */
export interface Step {
  readonly phase: string;
  /** Besides the URL, when it applies. */
  readonly when: string;
  readonly values: Values;
}

/** What the settings of a page rule set, in the order in which it has to run: caching on a cookie has the last word. */
export function stepsOf({ settings }: PageRule): readonly Step[] {
  const steps = settings.flatMap((setting): Step[] => {
    const { phase, when } = findSetting(setting.id) ?? {};
    const values = valuesOf(setting);
    if (phase === undefined || phase === REDIRECT || values.length === 0) return [];
    return [{ phase, when: when?.(setting.value) ?? "", values }];
  });
  const always = Map.groupBy(
    steps.filter(({ when }) => when === ""),
    ({ phase }) => phase,
  );
  const isLast = ({ values }: Step): boolean => values.some(([, value]) => value === true);
  const own = steps.filter(({ when }) => when !== "").toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
  return [
    ...Array.from(always, ([phase, some]) => ({ phase, when: "", values: some.flatMap(({ values }) => values) })),
    ...own,
  ];
}

/** The settings that stand for several, or that share what they set. */
const EXPANDED: Readonly<Record<string, (value: Json | undefined) => Values>> = {
  disable_apps: () => [["disable_apps", "on"]],
  disable_zaraz: () => [["disable_zaraz", "on"]],
  disable_performance: () => [
    ["polish", "off"],
    ["rocket_loader", "off"],
  ],
  disable_security: () => [
    ["email_obfuscation", "off"],
    ["hotlink_protection", "off"],
  ],
  cache_level: (value) => {
    if (value === "aggressive") return [];
    return value === "simplified"
      ? [["cache_key_fields query_string exclude", "*"]]
      : [["cache", value === "cache_everything"]];
  },
  bypass_cache_on_cookie: () => [["cache", false]],
  cache_on_cookie: () => [["cache", true]],
  cache_ttl_by_status: (value) =>
    Object.entries(isObject(value) ? value : {}).map(([codes, ttl]) => [
      `cache_ttl_by_status ${codes}`,
      ttl === "no-cache" ? 0 : ttl === "no-store" ? -1 : ttl,
    ]),
  cache_key_fields: (value) =>
    nested(value).flatMap(([part, of]) =>
      nested(of)
        .filter(([, one]) => one !== null && !(isList(one) && one.length === 0))
        .map(([name, one]) => [`cache_key_fields ${part} ${name}`, one] as const),
    ),
};

function valuesOf({ id, value }: Setting): Values {
  return ownValue(EXPANDED, id)?.(value) ?? [[id, value]];
}

function nested(value: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return Object.entries(isObject(value) ? value : {});
}

/** The setting behind each parameter that has just one value. */
const SIMPLE: Readonly<Record<string, string>> = {
  automaticHttpsRewrites: "automatic_https_rewrites",
  bic: "browser_check",
  disableApps: "disable_apps",
  disableZaraz: "disable_zaraz",
  emailObfuscation: "email_obfuscation",
  hotlinkProtection: "hotlink_protection",
  opportunisticEncryption: "opportunistic_encryption",
  polish: "polish",
  rocketLoader: "rocket_loader",
  securityLevel: "security_level",
  ssl: "ssl",
  cacheByDeviceType: "cache_by_device_type",
  cacheDeceptionArmor: "cache_deception_armor",
  ignoreQueryStringsOrder: "sort_query_string_for_cache",
  originCacheControl: "explicit_cache_control",
  originErrorPagePassthru: "origin_error_page_pass_thru",
  respectStrongEtags: "respect_strong_etag",
  hostHeader: "host_header_override",
};
const KEY_PARTS: Readonly<Record<string, string>> = { queryString: "query_string" };
const KEY_NAMES: Readonly<Record<string, string>> = {
  checkPresences: "check_presence",
  includes: "include",
  excludeOrigin: "exclude",
  deviceType: "device_type",
};

/** What a rule sets. A parameter that no page rule has keeps its name, which no setting has. */
function readBack(parameters: JsonObject): Values {
  return Object.entries(parameters).flatMap(([name, value]): Values => {
    if (name === "cache") return [["cache", value]];
    if (name === "edgeTtl" && isObject(value)) return edgeTtl(value);
    if (name === "browserTtl" && isObject(value))
      return [
        [
          "browser_cache_ttl",
          value.mode === "respect_origin" ? 0 : value.mode === "override_origin" ? value.default : value.mode,
        ],
      ];
    if (name === "origin" && isObject(value) && sameJson(Object.keys(value), ["host"]))
      return [["resolve_override", value.host]];
    if (name === "cacheKey" && isObject(value)) {
      const { customKey, ...others } = value;
      return [...keyValues(customKey), ...readBack(others)];
    }
    const setting = ownValue(SIMPLE, name);
    return [[setting ?? name, value === true ? "on" : value === false ? "off" : value]];
  });
}

function edgeTtl({ mode, default: all, statusCodeTtls }: JsonObject): Values {
  const codesOf = ({ statusCode, statusCodeRange: range }: JsonObject): string =>
    isObject(range) ? `${writtenText(range.from)}-${writtenText(range.to)}` : writtenText(statusCode);
  return [
    ...(mode === "respect_origin" ? [] : [["edge_cache_ttl", mode === "override_origin" ? all : mode] as const]),
    ...objectsIn(statusCodeTtls).map((one) => [`cache_ttl_by_status ${codesOf(one)}`, one.value] as const),
  ];
}

function keyValues(customKey: Json | undefined): Values {
  return nested(customKey).flatMap(([part, of]) =>
    nested(of).map(([name, one]) => {
      const isOrigin = name === "excludeOrigin" && one === true;
      const value = isOrigin ? ["origin"] : isObject(one) ? (one.all === true ? "*" : one.lists) : one;
      return [`cache_key_fields ${KEY_PARTS[part] ?? part} ${KEY_NAMES[name] ?? name}`, value] as const;
    }),
  );
}

/** The names of what two settings of a page rule set in different ways. */
export function contradictions({ values }: Step): readonly string[] {
  const last = mapFrom(values);
  return [...new Set(values.filter(([name, value]) => !sameJson(last[name], value)).map(([name]) => name))];
}

/** The names of what a rule does not set as the page rule did. */
export function differingValues({ values }: Step, rule: NewRule): readonly string[] {
  const [before, after] = [mapFrom(values), mapFrom(readBack(rule.actionParameters ?? {}))];
  return Object.keys({ ...before, ...after }).filter((name) => !sameJson(before[name], after[name]));
}

const HTTPS = 'concat("https://", http.host, http.request.uri)';

/** Whether a rule redirects as a page rule does that forwards to a URL, by one of its patterns, or to HTTPS. */
export function isRedirectOf(rule: NewRule, { pattern, settings }: PageRule, glob: string | undefined): boolean {
  const { fromValue } = rule.actionParameters ?? {};
  const { statusCode, preserveQueryString, targetUrl } = isObject(fromValue) ? fromValue : {};
  const target = isObject(targetUrl) ? targetUrl : {};
  if (rule.action !== "redirect" || preserveQueryString !== false) return false;
  if (glob === undefined) return statusCode === 301 && target.expression === HTTPS;
  const wanted = redirectOf(settings.find(({ id }) => id === "forwarding_url")?.value);
  const parts = wanted && targetParts(wanted.url);
  if (parts === undefined || statusCode !== wanted?.status) return false;
  if (typeof target.value === "string") return target.value === parts.join("") && !parts.some(isNumber);
  return sameJson(joined(insertedBy(target.expression, pattern, glob)), joined(parts));
}

const isNumber = (part: string | number): part is number => typeof part === "number";

/** Neighbouring texts as one. */
function joined(parts: readonly (string | number)[] | undefined): readonly (string | number)[] | undefined {
  return parts?.reduce<readonly (string | number)[]>((all, part) => {
    const last = all.at(-1);
    return typeof last === "string" && typeof part === "string" ? [...all.slice(0, -1), last + part] : [...all, part];
  }, []);
}

/** Texts and numbers of asterisks that `wildcard_replace` inserts; undefined if it does not read the URL by the pattern. */
function insertedBy(
  expression: Json | undefined,
  { scheme }: UrlPattern,
  glob: string,
): readonly (string | number)[] | undefined {
  const parsed = parseExpression(textOf(expression), "value");
  const call = "fault" in parsed || parsed.expression.kind !== "value" ? undefined : parsed.expression.operand;
  if (call?.kind !== "call" || call.name !== "wildcard_replace" || call.args.length !== 3) return undefined;
  const [field, from, to] = [call.args[0], ...call.args.slice(1).map(literalText)] as const;
  const isUrl = field?.kind === "field" && field.name === "http.request.full_uri" && field.path.length === 0;
  if (!isUrl || from !== `${scheme ?? "http*"}://${glob.replaceAll("\\", "\\\\")}` || to === undefined)
    return undefined;
  const shift = scheme === undefined ? 1 : 0;
  const parts = to.split(/(\$\{\d+\})/).filter((part) => part !== "");
  return parts.map((part) => (/^\$\{\d+\}$/.test(part) ? Number(part.slice(2, -1)) - shift : part));
}

function literalText(argument: Argument): string | undefined {
  return argument.kind === "string" ? fromBytes(argument.value) : undefined;
}

/** Whether a rule counts and acts as a previous rate limit, other than by times that a note names. */
export function isLimitOf(
  { ratelimit = {}, action, actionParameters }: NewRule,
  limit: RateLimit,
  notes: readonly string[],
): boolean {
  const isTime = (name: string, before: number, after: Json | undefined): boolean =>
    before === after ||
    notes.some((text) => text.startsWith(`its ${name} of ${String(before)} s becomes ${writtenText(after)} s`));
  const stays = limit.mode === "block" || limit.mode === "log" ? limit.timeout : 0;
  const response = limit.mode === "block" ? limit.response : undefined;
  const answer = actionParameters?.response;
  return (
    action === limit.mode &&
    ratelimit.requestsPerPeriod === limit.threshold &&
    isTime("period", limit.period, ratelimit.period) &&
    (stays === ratelimit.mitigationTimeout || isTime("timeout", stays, ratelimit.mitigationTimeout)) &&
    (ratelimit.requestsToOrigin === true) === !limit.countsCached &&
    textsIn(ratelimit.characteristics).includes(limit.isByNat ? "cf.unique_visitor_id" : "ip.src") &&
    (response === undefined
      ? answer === undefined
      : isObject(answer) && answer.contentType === response.contentType && answer.content === response.content)
  );
}
