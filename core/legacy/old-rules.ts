import { isList, isObject, objectsIn, textOf, textsIn, type Json, type JsonObject } from "../model/json.js";
import { parseIpRange } from "../language/ip.js";
import { hasUnknown, isUnknown, knownText } from "../model/unknown.js";
import { parsePattern, type UrlPattern } from "./pattern.js";
import { findSetting } from "./settings.js";

/** What every old rule has. */
export interface OldRule {
  readonly id: string;
  /** For readers: `page rule "example.com/*"`. */
  readonly label: string;
}

export interface PageRule extends OldRule {
  readonly pattern: UrlPattern;
  readonly settings: readonly { readonly id: string; readonly value: Json | undefined }[];
  /** The highest one applies. */
  readonly priority: number;
  /** Why it is not converted, although it still decides for its URLs: a setting that is not known. */
  readonly leftAlone?: string;
}

export type Mode = "block" | "challenge" | "js_challenge" | "managed_challenge";

export interface UserAgentRule extends OldRule {
  readonly agent: string;
  readonly mode: Mode;
}

export interface Lockdown extends OldRule {
  readonly patterns: readonly UrlPattern[];
  /** Those that may visit the URLs. */
  readonly addresses: readonly string[];
  /** The lowest one applies; undefined if it has none. */
  readonly priority: number | undefined;
}

export interface AccessRule extends OldRule {
  readonly target: "address" | "asn" | "country";
  /** As an expression has it: an address, a range, a number or two letters. */
  readonly value: string;
  readonly mode: Mode | "allow";
}

/** Of the previous version. */
export interface RateLimit extends OldRule {
  readonly pattern: UrlPattern;
  /** Undefined for all. */
  readonly methods: readonly string[] | undefined;
  readonly threshold: number;
  readonly period: number;
  readonly mode: Mode | "log";
  readonly timeout: number;
  readonly response: { readonly contentType: string; readonly content: string } | undefined;
  readonly statuses: readonly number[];
  readonly bypass: readonly UrlPattern[];
  readonly isByNat: boolean;
  /** Whether it counts what the cache answers. */
  readonly countsCached: boolean;
}

export interface NotConverted extends OldRule {
  readonly reason: string;
  /** Set if it is in force, and decides for URLs that are not known here. */
  readonly decides?: { readonly kind: string; readonly priority: number | undefined };
}

/** The rules of a zone in the features that rulesets replace. Those that are disabled are only listed. */
export interface OldRules {
  readonly pageRules: readonly PageRule[];
  readonly userAgents: readonly UserAgentRule[];
  readonly lockdowns: readonly Lockdown[];
  readonly accessRules: readonly AccessRule[];
  readonly rateLimits: readonly RateLimit[];
  readonly notConverted: readonly NotConverted[];
}

/** The rules as the service returns them. */
export interface WireRules {
  readonly pageRules: readonly JsonObject[];
  readonly userAgents: readonly JsonObject[];
  readonly lockdowns: readonly JsonObject[];
  readonly accessRules: readonly JsonObject[];
  readonly rateLimits: readonly JsonObject[];
}

export const PAGE_RULE = "page rule";
export const LOCKDOWN = "lockdown";

/** Every rule that is in force. */
export function rulesOf({ pageRules, userAgents, lockdowns, accessRules, rateLimits }: OldRules): readonly OldRule[] {
  return [...pageRules, ...accessRules, ...lockdowns, ...userAgents, ...rateLimits];
}

/** A refusal of one rule, caught where the rules are collected. */
class Refusal extends Error {}
const refuse = (reason: string): never => {
  throw new Refusal(reason);
};

/** Parses what the service returns. A rule that is not understood, or disabled, is among `notConverted`. */
export function parseOldRules(wire: WireRules): OldRules {
  const notConverted: NotConverted[] = [];
  const each = <T>(
    kind: string,
    items: readonly JsonObject[],
    name: (item: JsonObject) => string,
    parse: (item: JsonObject, base: OldRule) => T,
  ): T[] =>
    items.flatMap((item) => {
      const base = { id: textOf(item.id), label: `${kind} ${JSON.stringify(name(item))}` };
      if (item.paused === true || item.disabled === true || item.status === "disabled") {
        notConverted.push({ ...base, reason: "it is disabled" });
        return [];
      }
      try {
        if (hasUnknown(item) && item.actions === undefined) refuse("the state hides a part of it");
        return [parse(item, base)];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const decides = { kind, priority: priorityOf(item) };
        notConverted.push({ ...base, reason: error.message, decides });
        return [];
      }
    });
  const urlOf = (item: JsonObject): string => knownText(inside(objectsIn(item.targets)[0]?.constraint).value);
  const pageRules = each(PAGE_RULE, wire.pageRules, urlOf, parsePageRule);
  const userAgents = each(
    "user agent rule",
    wire.userAgents,
    (item) => textOf(inside(item.configuration).value),
    ({ configuration, mode }, base): UserAgentRule => {
      const { target, value } = configurationOf(configuration);
      if (target !== "ua") refuse(`its target ${textOf(target)} is not known to this version`);
      return { ...base, agent: requireText(value), mode: modeOf(mode) };
    },
  );
  const lockdowns = each(LOCKDOWN, wire.lockdowns, ({ urls }) => shortened(textsIn(urls)), parseLockdown);
  const accessRules = each(
    "access rule",
    wire.accessRules,
    ({ configuration }) => `${textOf(inside(configuration).target)} ${textOf(inside(configuration).value)}`,
    parseAccessRule,
  );
  const rateLimits = each(
    "rate limit",
    wire.rateLimits,
    (item) => textOf(item.description) || textOf(inside(inside(item.match).request).url),
    parseRateLimit,
  );
  const sorted = pageRules.toSorted((a, b) => b.priority - a.priority);
  return { pageRules: sorted, userAgents, lockdowns, accessRules, rateLimits, notConverted };
}

/** A lockdown may have hundreds of URLs. */
function shortened(urls: readonly string[]): string {
  const most = 3;
  const more = urls.length > most ? [`and ${String(urls.length - most)} more`] : [];
  return [...urls.slice(0, most), ...more].join(" ");
}

function inside(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function priorityOf({ priority }: JsonObject): number | undefined {
  return typeof priority === "number" ? priority : undefined;
}

/** Rules in force whose URLs are not known, and that are at least as strong as another one. */
export function unknownStronger(old: OldRules, kind: string, priority: number): readonly NotConverted[] {
  return unknown(old, kind, (own) => (kind === PAGE_RULE ? own >= priority : own <= priority));
}

/** Rules in force whose URLs are not known, and that are weaker than another one. */
export function unknownWeaker(old: OldRules, kind: string, priority: number): readonly NotConverted[] {
  return unknown(old, kind, (own) => (kind === PAGE_RULE ? own < priority : own > priority));
}

function unknown(
  { notConverted }: OldRules,
  kind: string,
  isWanted: (priority: number) => boolean,
): readonly NotConverted[] {
  const without = kind === PAGE_RULE ? 1 : Infinity;
  return notConverted.filter(({ decides }) => decides?.kind === kind && isWanted(decides.priority ?? without));
}

/** Nothing is guessed about a part that this version does not know. */
function refuseOthers(what: string, value: Json | undefined, known: readonly string[]): void {
  const others = Object.entries(inside(value)).filter(
    ([name, one]) => !known.includes(name) && one !== undefined && one !== null,
  );
  if (others.length > 0) refuse(`this version does not know ${others.map(([name]) => name).join(", ")} of its ${what}`);
}

function requireText(value: Json | undefined): string {
  return typeof value === "string" && value !== "" && !isUnknown(value) ? value : refuse("it has no value");
}

function configurationOf(value: Json | undefined): JsonObject {
  refuseOthers("configuration", value, ["target", "value"]);
  return inside(value);
}

function requireAddress(value: Json | undefined): string {
  const text = requireText(value);
  return "fault" in parseIpRange(text) ? refuse(`${text} is not a valid address or range`) : text;
}

function patternOf(text: string): UrlPattern {
  const parsed = parsePattern(text);
  return "fault" in parsed ? refuse(parsed.fault) : parsed;
}

const MODES: readonly Mode[] = ["block", "challenge", "js_challenge", "managed_challenge"];
function modeOf(mode: Json | undefined): Mode {
  return MODES.find((one) => one === mode) ?? refuse(`its mode ${textOf(mode)} is not known to this version`);
}

function parsePageRule(item: JsonObject, base: OldRule): PageRule {
  const { targets, actions } = item;
  const [target, ...others] = objectsIn(targets);
  const constraint = inside(target?.constraint);
  if (others.length > 0 || target?.target !== "url" || constraint.operator !== "matches")
    refuse("its target is not a URL pattern");
  if (isUnknown(constraint.value)) refuse("the state hides its URL");
  const settings = objectsIn(actions).map(({ id, value }) => ({ id: textOf(id), value }));
  const hidden = settings.filter(({ value }) => hasUnknown(value));
  const unknown = settings.filter(({ id, value }) => findSetting(id)?.parameters(value) === undefined);
  const names = unknown.map(({ id, value }) => (findSetting(id) === undefined ? id : `${id} ${JSON.stringify(value)}`));
  const left =
    hidden.length > 0
      ? `the state hides the value of ${hidden.map(({ id }) => id).join(", ")}`
      : names.length > 0
        ? `this version does not know its setting ${names.join(", ")}`
        : undefined;
  return {
    ...base,
    pattern: patternOf(requireText(constraint.value)),
    settings,
    priority: priorityOf(item) ?? 1,
    ...(left === undefined ? {} : { leftAlone: left }),
  };
}

function parseLockdown(item: JsonObject, base: OldRule): Lockdown {
  const { urls, configurations } = item;
  const addresses = objectsIn(configurations)
    .map(configurationOf)
    .map(({ target, value }) =>
      target === "ip" || target === "ip_range"
        ? requireAddress(value)
        : refuse(`its target ${textOf(target)} is not known to this version`),
    );
  if (addresses.length === 0) refuse("it allows no address");
  const patterns = textsIn(urls).map(patternOf);
  if (patterns.length === 0) refuse("it has no URL");
  return { ...base, patterns, addresses, priority: priorityOf(item) };
}

const TARGETS: Readonly<Record<string, AccessRule["target"]>> = {
  ip: "address",
  ip6: "address",
  ip_range: "address",
  asn: "asn",
  country: "country",
};

function parseAccessRule({ configuration, mode, scope }: JsonObject, base: OldRule): AccessRule {
  const type = textOf(inside(scope).type);
  if (type !== "" && type !== "zone")
    refuse(`it belongs to the ${type}, not to the zone, and acts on other zones, too`);
  const { target, value } = configurationOf(configuration);
  const known = TARGETS[textOf(target)] ?? refuse(`its target ${textOf(target)} is not known to this version`);
  const text = known === "address" ? requireAddress(value) : requireText(value);
  return {
    ...base,
    target: known,
    value: known === "asn" ? text.replace(/^AS/i, "") : known === "country" ? text.toUpperCase() : text,
    mode: mode === "whitelist" ? "allow" : modeOf(mode),
  };
}

/** https://developers.cloudflare.com/waf/reference/legacy/old-rate-limiting/troubleshooting/ names what keeps a URL from matching. */
function limitPattern(url: Json | undefined): UrlPattern {
  const text = requireText(url);
  return /:\/\/|[?#]/.test(text)
    ? refuse("its URL has a scheme or a query string, with which Cloudflare says that it does not match")
    : patternOf(text);
}

const RATE_LIMIT_MODES: Readonly<Record<string, RateLimit["mode"]>> = { simulate: "log", ban: "block" };

function parseRateLimit({ match, action, threshold, period, bypass, correlate }: JsonObject, base: OldRule): RateLimit {
  const { request, response } = inside(match);
  refuseOthers("match", match, ["headers", "request", "response"]);
  refuseOthers("requests", request, ["methods", "schemes", "url"]);
  refuseOthers("responses", response, ["headers", "origin_traffic", "status"]);
  refuseOthers("action", action, ["mode", "response", "timeout"]);
  refuseOthers("response", inside(action).response, ["body", "content_type"]);
  const { methods, schemes, url } = inside(request);
  const pattern = limitPattern(url);
  const scheme = textsIn(schemes).map((one) => one.toLowerCase());
  if (!scheme.every((one) => ["http", "https", "_all_"].includes(one))) refuse("its scheme is not known");
  const isAny = scheme.includes("_all_") || new Set(scheme).size !== 1;
  const only = isAny ? undefined : scheme[0] === "http" ? "http" : "https";
  const { mode, timeout, response: answer } = inside(action);
  const verbs = textsIn(methods);
  if (typeof threshold !== "number" || typeof period !== "number") refuse("it has no threshold");
  // The API describes them beside the response, and returned them inside.
  const headers = [match, response].flatMap((one) => objectsIn(inside(one).headers));
  const isCacheHeader = ({ name, op, value }: JsonObject): boolean =>
    textOf(name).toLowerCase() === "cf-cache-status" && op === "ne" && textOf(value).toUpperCase() === "HIT";
  if (!headers.every(isCacheHeader)) refuse("it counts by headers of the response");
  const { origin_traffic: isOriginOnly, status } = inside(response);
  const statuses = isList(status) ? status.filter((one) => typeof one === "number") : [];
  if (isList(status) && statuses.length < status.length) refuse("it counts by a status that is no number");
  if (objectsIn(bypass).some(({ name }) => name !== undefined && name !== "url"))
    refuse("it leaves out requests by something else than their URL");
  const { content_type: contentType, body: content } = inside(answer);
  return {
    ...base,
    pattern: only === undefined ? pattern : { ...pattern, scheme: only },
    methods: verbs.length === 0 || verbs.includes("_ALL_") ? undefined : verbs,
    threshold: Number(threshold),
    period: Number(period),
    mode: RATE_LIMIT_MODES[textOf(mode)] ?? modeOf(mode),
    timeout: typeof timeout === "number" ? timeout : 0,
    response: isObject(answer) ? { contentType: textOf(contentType), content: textOf(content) } : undefined,
    statuses,
    bypass: objectsIn(bypass).map(({ value }) => limitPattern(value)),
    isByNat: inside(correlate).by === "nat",
    countsCached: headers.length === 0 && isOriginOnly !== true,
  };
}
