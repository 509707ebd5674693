import { compareIps, parseIp, parseIpRange } from "../../../core/language/ip.js";
import { makeRequest } from "../../../core/language/index.js";
import { listsOf, type Conversion } from "../../../core/legacy/new-rules.js";
import { isObject, textOf, type Json, type JsonObject } from "../../../core/model/json.js";
import { compileProgram, simulate, type Program, type Simulation } from "../../../core/simulator/index.js";
import type { AccessRule, Lockdown, Mode, OldRule, OldRules, PageRule } from "../../../core/legacy/old-rules.js";
import { targetParts, type UrlPattern } from "../../../core/legacy/pattern.js";
import { CACHE, CONFIG, findSetting, merged, ORIGIN, REDIRECT, redirectOf } from "../../../core/legacy/settings.js";

/** A request, as far as the old features look at it. */
export interface OldRequest {
  readonly url: string;
  readonly ip: string;
  readonly country: string;
  readonly asn: number;
  readonly userAgent: string;
  readonly cookie: string;
}

/** What the old features do to a request. */
export type OldOutcome =
  | { readonly kind: "redirected"; readonly status: number; readonly location: string }
  | { readonly kind: "stopped"; readonly mode: Mode }
  /** Parameters by phase; `isTrusted`: an access rule allows the client. */
  | { readonly kind: "passed"; readonly settings: Readonly<Record<string, JsonObject>>; readonly isTrusted: boolean };

/**
 * What page rules, access rules, lockdowns and user agent rules do to a request, told from the vendor's description and without
 * the language of rules: the witness against which their conversion is tested. Rate limits, which count, are not part of it.
 *
 * Whether a client that is blocked was redirected before is not documented; here it is, as in the phases.
 */
export function oldOutcome(old: OldRules, request: OldRequest): OldOutcome {
  const page = pageRuleOf(old.pageRules, request.url);
  const location = page === undefined ? undefined : redirectBy(page, request.url);
  if (location !== undefined) return { kind: "redirected", ...location };
  const access = accessOf(old.accessRules, request);
  if (access !== undefined && access !== "allow") return { kind: "stopped", mode: access };
  const isUnprotected = page?.settings.some(({ id }) => id === "disable_security") === true;
  const isTrusted = access === "allow";
  const lockdown = isTrusted || isUnprotected ? undefined : lockdownOf(old.lockdowns, request.url);
  const isAllowed = lockdown?.addresses.some((one) => isWithin(request.ip, one));
  if (isAllowed === false) return { kind: "stopped", mode: "block" };
  const agents =
    isTrusted || isAllowed === true ? [] : old.userAgents.filter(({ agent }) => agent === request.userAgent);
  const mode = strictest(agents.map((one) => one.mode));
  if (mode !== undefined) return { kind: "stopped", mode };
  return { kind: "passed", settings: page === undefined ? {} : settingsOf(page, request), isTrusted };
}

/** The page rule that applies. */
function pageRuleOf(rules: readonly PageRule[], url: string): PageRule | undefined {
  return rules.find(({ pattern }) => capturesOf(pattern, url) !== undefined);
}

/** The redirect of the page rule that applies, with what the asterisks matched. */
function redirectBy(
  { pattern, settings }: PageRule,
  url: string,
): { readonly status: number; readonly location: string } | undefined {
  if (settings.some(({ id }) => id === "always_use_https") && /^http:/i.test(url))
    return { status: 301, location: url.replace(/^http:/i, "https:") };
  const target = redirectOf(settings.find(({ id }) => id === "forwarding_url")?.value);
  if (target === undefined) return undefined;
  const captures = capturesOf(pattern, url) ?? [];
  const parts = targetParts(target.url) ?? [target.url];
  const location = parts.map((part) => (typeof part === "number" ? (captures[part - 1] ?? "") : part)).join("");
  return { status: target.status, location };
}

/** Allowing comes first; of the others, the strictest. */
function accessOf(rules: readonly AccessRule[], request: OldRequest): Mode | "allow" | undefined {
  const found = rules.filter(({ target, value }) => {
    if (target === "country") return value === request.country;
    return target === "asn" ? Number(value) === request.asn : isWithin(request.ip, value);
  });
  const modes = found.map(({ mode }) => mode);
  return modes.includes("allow") ? "allow" : strictest(modes);
}

const BY_STRICTNESS: readonly Mode[] = ["block", "challenge", "managed_challenge", "js_challenge"];

function strictest(modes: readonly (Mode | "allow")[]): Mode | undefined {
  return BY_STRICTNESS.find((mode) => modes.includes(mode));
}

/** The lockdown with the lowest number of those that match. */
function lockdownOf(lockdowns: readonly Lockdown[], url: string): Lockdown | undefined {
  const matching = lockdowns.filter(({ patterns }) => patterns.some((one) => capturesOf(one, url) !== undefined));
  return matching.toSorted((a, b) => (a.priority ?? Number.MAX_VALUE) - (b.priority ?? Number.MAX_VALUE))[0];
}

function isWithin(ip: string, range: string): boolean {
  const address = parseIp(ip);
  const parsed = parseIpRange(range);
  if (address === undefined || "fault" in parsed) return false;
  const { first, last } = parsed.range;
  const [low, high] = [compareIps(first, address), compareIps(address, last)];
  return low !== undefined && high !== undefined && low <= 0 && high <= 0;
}

/** The parameters of the settings of a page rule, by the phase that replaces them. Caching on a cookie has the last word. */
function settingsOf({ settings }: PageRule, request: OldRequest): Readonly<Record<string, JsonObject>> {
  const found: Record<string, JsonObject> = {};
  const rank = (id: string): number => ["bypass_cache_on_cookie", "cache_on_cookie"].indexOf(id);
  for (const { id, value } of settings.toSorted((a, b) => rank(a.id) - rank(b.id))) {
    const { phase, parameters } = findSetting(id) ?? {};
    if (phase === undefined || phase === REDIRECT || !isInForce(id, value, request)) continue;
    const own = parameters?.(value) ?? {};
    if (Object.keys(own).length > 0) found[phase] = merged(found[phase] ?? {}, own);
  }
  return found;
}

/** Some settings depend on more than the URL. */
function isInForce(id: string, value: Json | undefined, { url, cookie }: OldRequest): boolean {
  if (id === "cache_level" && value === "basic") return /\?./s.test(url);
  return /^(bypass_cache|cache)_on_cookie$/.test(id)
    ? new RegExp(typeof value === "string" ? value : "").test(cookie)
    : true;
}

/** What each asterisk matched in a URL; undefined if the pattern does not match it. */
export function capturesOf({ scheme, globs }: UrlPattern, url: string): readonly string[] | undefined {
  const [, own = "", rest = ""] = /^(https?):\/\/(.*)$/is.exec(url) ?? [];
  if (scheme !== undefined && scheme !== own.toLowerCase()) return undefined;
  for (const glob of globs) {
    const parts = glob.split("*").map((part) => part.replace(/[^a-z0-9]/gi, String.raw`\$&`));
    const found = new RegExp(`^${parts.join("(.*?)")}$`, "is").exec(rest);
    if (found !== null) return found.slice(1);
  }
  return undefined;
}

/**
 * What can be compared beside rules that are left alone: those that act on their own, whatever others do, act before and after;
 * page rules and lockdowns decide about the requests for which they are the strongest.
 */
export function withoutLeft(
  old: OldRules,
  { notes }: Conversion,
): { readonly converted: OldRules; readonly isDecided: (request: OldRequest) => boolean } {
  const left = new Set(notes.filter(({ kind }) => kind === "left").map(({ rule }) => rule.id));
  const isKept = ({ id }: OldRule): boolean => !left.has(id);
  const converted = {
    ...old,
    accessRules: old.accessRules.filter(isKept),
    userAgents: old.userAgents.filter(isKept),
    rateLimits: old.rateLimits.filter(isKept),
  };
  const isDecided = ({ url }: OldRequest): boolean =>
    [pageRuleOf(old.pageRules, url), lockdownOf(old.lockdowns, url)].every((one) => one === undefined || isKept(one));
  return { converted, isDecided };
}

/** New rules, ready to run requests through. */
export function programOf({ rules, lists }: Conversion): Program {
  const byPhase = Array.from(Map.groupBy(rules, ({ phase }) => phase));
  return compileProgram(byPhase.map(([phase, own]) => ({ kind: "zone", phase, rules: own, lists: listsOf(lists) })));
}

/** What the new rules do to a request. */
export function newOutcome(program: Program, { url, ip, country, asn, userAgent, cookie }: OldRequest): OldOutcome {
  const headers = { "user-agent": userAgent, ...(cookie === "" ? {} : { cookie }) };
  const request = makeRequest({ url, ip, country, asn, headers });
  return outcomeOf(simulate({ program, request, trace: false, clock: 0 }));
}

function outcomeOf({ outcome, rule, response, settings, skippedProducts }: Simulation): OldOutcome {
  if (outcome === "redirected")
    return { kind: "redirected", status: response?.status ?? 0, location: textOf(response?.headers.location) };
  const mode = (["block", "challenge", "js_challenge", "managed_challenge"] as const).find(
    (one) => one === rule?.action,
  );
  if (mode !== undefined) return { kind: "stopped", mode };
  const own = [CONFIG, CACHE, ORIGIN].flatMap((phase) => {
    const found: unknown = settings[phase];
    return isObject(found) && Object.keys(found).length > 0 ? [[phase, found] as const] : [];
  });
  return { kind: "passed", settings: Object.fromEntries(own), isTrusted: skippedProducts.length > 0 };
}
