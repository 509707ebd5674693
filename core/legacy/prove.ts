import { makeRequest } from "../language/index.js";
import {
  compileProgram,
  simulate,
  type ListsInput,
  type Program,
  type RulesetInput,
  type Simulation,
} from "../simulator/index.js";
import { parseIpRange, formatIp } from "../language/ip.js";
import { isObject, sameJson, textOf } from "../model/json.js";
import { lockdownOf, oldOutcome, pageRuleOf, type OldOutcome, type OldRequest } from "./model.js";
import type { Conversion, NewList, NewRule } from "./new-rules.js";
import type { Lockdown, OldRule, OldRules } from "./old-rules.js";
import { canMeet, meeting, type UrlPattern } from "./pattern.js";
import { CACHE, CONFIG, ORIGIN } from "./settings.js";

/** A request that the new rules treat differently. */
export interface Difference {
  readonly request: OldRequest;
  readonly before: OldOutcome;
  readonly after: OldOutcome;
}

/** New rules as rulesets of a zone, for the simulator and the prover. */
export function rulesetsOf({ rules, lists }: Pick<Conversion, "rules" | "lists">): RulesetInput[] {
  const known = listsOf(lists);
  const byPhase = Map.groupBy(rules, ({ phase }) => phase);
  return [...byPhase].map(([phase, own]) => ({ kind: "zone", phase, rules: own, lists: known }));
}

/** The rules with the addresses of their lists written out. */
export function withoutLists({ rules, lists }: Conversion): NewRule[] {
  return rules.map((rule) => ({
    ...rule,
    expression: lists.reduce(
      (text, { name, addresses }) => text.replaceAll(`in $${name}`, () => `in {${addresses.join(" ")}}`),
      rule.expression,
    ),
  }));
}

export function listsOf(lists: readonly NewList[]): ListsInput {
  return Object.fromEntries(lists.map(({ name, addresses }) => [name, { kind: "ip", items: addresses }]));
}

/**
 * Sends example requests through the model of the old rules and through the new ones: the URLs of every pattern, those that two
 * patterns share, and clients that the rules name.
 */
export function findDifferences(
  old: OldRules,
  conversion: Conversion,
): { readonly tried: number; readonly found: readonly Difference[] } {
  const program = compileProgram(rulesetsOf(conversion));
  const { converted, isDecided } = withoutLeft(old, conversion);
  const requests = exampleRequests(old).filter(isDecided);
  const found = requests.flatMap((request): Difference[] => {
    const difference = differenceOf(converted, program, request);
    return difference === undefined ? [] : [difference];
  });
  return { tried: requests.length, found };
}

/**
 * What can be compared beside rules that are left alone: those that act on their own, whatever others do, act before and after;
 * page rules and lockdowns decide about the requests for which they are the strongest.
 */
export function withoutLeft(
  old: OldRules,
  { notes }: Pick<Conversion, "notes">,
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

/** How the old rules and a program treat a request, if not in the same way. */
export function differenceOf(old: OldRules, program: Program, request: OldRequest): Difference | undefined {
  const before = oldOutcome(old, request);
  const after = newOutcome(program, request);
  return sameJson(before, after) ? undefined : { request, before, after };
}

function newOutcome(program: Program, { url, ip, country, asn, userAgent, cookie }: OldRequest): OldOutcome {
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

const FILLERS = ["", "x", "Ab/c.txt", "a?q=1"];
const NOBODY: OldRequest = {
  url: "",
  ip: "203.0.113.77",
  country: "DE",
  asn: 64_496,
  userAgent: "Mozilla/5.0",
  cookie: "",
};

/** Requests that show what the rules do, without regard to what becomes of them. */
export function exampleRequests(old: OldRules): readonly OldRequest[] {
  const patterns = [...old.pageRules.map(({ pattern }) => pattern), ...old.lockdowns.flatMap((one) => one.patterns)];
  const urls = new Set(
    patterns.flatMap((pattern, index) => [
      ...urlsOf(pattern),
      ...patterns.slice(0, index).flatMap((one) => shared(one, pattern)),
    ]),
  );
  const some = [...urls].slice(0, 1);
  const cookies = old.pageRules.flatMap(({ settings }) =>
    settings.flatMap(({ id, value }) =>
      /_on_cookie$/.test(id) ? [`${textOf(value).split("|")[0]?.replaceAll(".*", "x") ?? ""}; b=1`] : [],
    ),
  );
  const access = old.accessRules.map(({ target, value }): Partial<OldRequest>[] =>
    target === "address" ? addressesOf(value) : [target === "asn" ? { asn: Number(value) } : { country: value }],
  );
  const others = [...access.flat(), ...old.userAgents.map(({ agent }) => ({ userAgent: agent }))];
  const own = ({ addresses }: Lockdown): Partial<OldRequest>[] => addresses.flatMap(addressesOf);
  const at = (url: string | undefined, clients: readonly Partial<OldRequest>[]): OldRequest[] =>
    url === undefined ? [] : clients.map((client) => ({ ...NOBODY, url, ...client }));
  return [
    ...[...urls].map((url) => ({ ...NOBODY, url })),
    ...[...urls].flatMap((url) => [...new Set(cookies)].map((cookie) => ({ ...NOBODY, url, cookie }))),
    ...old.lockdowns.flatMap((one) =>
      one.patterns
        .slice(0, 1)
        .flatMap((pattern) => at(urlsOf(pattern)[0], [...own(one), ...others.slice(0, AT_EACH_LOCKDOWN)])),
    ),
    ...[...some, "https://example.com/"].flatMap((url) => at(url, [...others, ...old.lockdowns.flatMap(own)])),
  ];
}

/** Clients that other rules name, of which each lockdown gets a request: there may be thousands of them, and hundreds of lockdowns. */
const AT_EACH_LOCKDOWN = 50;

function addressesOf(text: string): Partial<OldRequest>[] {
  const parsed = parseIpRange(text);
  if ("fault" in parsed) return [];
  const { first, last } = parsed.range;
  return [...new Set([formatIp(first), formatIp(last)])].map((ip) => ({ ip }));
}

function urlsOf({ scheme, globs }: UrlPattern): string[] {
  const schemes = scheme === undefined ? ["http", "https"] : [scheme];
  return globs.flatMap((glob) => FILLERS.flatMap((filler) => urlsWith(schemes, glob.replaceAll("*", filler))));
}

/** A host has no slash and is in lower case, and a URL begins with one. */
function urlsWith(schemes: readonly string[], rest: string): string[] {
  const [, host, uri = ""] = /^([a-z0-9.-]+)(\/.*)$/is.exec(rest) ?? [];
  return host === undefined ? [] : schemes.map((scheme) => `${scheme}://${host.toLowerCase()}${uri}`);
}

function shared(one: UrlPattern, other: UrlPattern): string[] {
  if (!canMeet(one, other)) return [];
  const texts = one.globs.flatMap((glob) => other.globs.flatMap((against) => meeting(glob, against) ?? []));
  return texts.flatMap((text) => urlsWith([one.scheme ?? other.scheme ?? "https"], text));
}

/** What becomes of a request, for readers. */
export function outcomeWords(outcome: OldOutcome): string {
  switch (outcome.kind) {
    case "redirected":
      return `is redirected (${String(outcome.status)}) to ${outcome.location}`;
    case "stopped":
      return outcome.mode === "block" ? "is blocked" : `gets a ${outcome.mode}`;
    case "passed": {
      const settings = Object.entries(outcome.settings).map(([phase, own]) => `${phase} ${JSON.stringify(own)}`);
      return `passes${outcome.isTrusted ? " without checks" : ""}${settings.length === 0 ? "" : ` with ${settings.join(", ")}`}`;
    }
  }
}
