import { convert } from "../../../core/legacy/convert.js";
import type { Conversion, NewRule } from "../../../core/legacy/new-rules.js";
import { parseOldRules, type OldRules } from "../../../core/legacy/old-rules.js";
import { unprovedRules } from "../../../core/legacy/proof.js";
import { SETTING_NAMES } from "../../../core/legacy/settings.js";
import { isList, isObject, mapValues, writtenText, type Json, type JsonObject } from "../../../core/model/json.js";
import { legacyOf, readForeign } from "../../../tools/generator/index.js";
import { refusalOf } from "../../../tools/generator/sources/previous-waf/outcome.js";
import { terraformState } from "../../support/states.js";

const NONE = { pageRules: [], userAgents: [], lockdowns: [], accessRules: [], rateLimits: [] };
const ZONE = "0123456789abcdef0123456789abcdef";

/**
 * A value of each setting that the API describes, and what becomes of it: parameters, or what is named.
 * https://developers.cloudflare.com/api/resources/page_rules/methods/create/
 */
const SETTINGS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  forwarding_url: [{ url: "https://a.example.net/", status_code: 301 }, "301"],
  always_use_https: [undefined, 'concat("https://", http.host, http.request.uri)'],
  automatic_https_rewrites: ["on", { automaticHttpsRewrites: true }],
  browser_check: ["off", { bic: false }],
  disable_apps: [undefined, { disableApps: true }],
  disable_zaraz: [undefined, { disableZaraz: true }],
  email_obfuscation: ["off", { emailObfuscation: false }],
  opportunistic_encryption: ["off", { opportunisticEncryption: false }],
  polish: ["lossy", { polish: "lossy" }],
  rocket_loader: ["on", { rocketLoader: true }],
  security_level: ["under_attack", { securityLevel: "under_attack" }],
  ssl: ["strict", { ssl: "strict" }],
  disable_performance: [undefined, { polish: "off", rocketLoader: false }],
  disable_security: [undefined, { emailObfuscation: false, hotlinkProtection: false }],
  browser_cache_ttl: [86_400, { browserTtl: { mode: "override_origin", default: 86_400 } }],
  bypass_cache_on_cookie: ["test_cookie", 'http.cookie contains "test_cookie"'],
  cache_on_cookie: ["t.*st=", 'http.cookie matches "t.*st="'],
  cache_by_device_type: ["on", { cacheKey: { cacheByDeviceType: true } }],
  cache_deception_armor: ["on", { cacheKey: { cacheDeceptionArmor: true } }],
  sort_query_string_for_cache: ["on", { cacheKey: { ignoreQueryStringsOrder: true } }],
  cache_key_fields: [
    { query_string: { include: "*" }, header: { exclude: ["origin"] }, cookie: { include: ["a"] } },
    {
      cacheKey: {
        customKey: {
          cookie: { includes: ["a"] },
          header: { excludeOrigin: true },
          queryString: { include: { all: true } },
        },
      },
    },
  ],
  cache_level: ["cache_everything", { cache: true }],
  cache_ttl_by_status: [
    { "200-599": 86_400, "404": -1 },
    {
      edgeTtl: {
        mode: "respect_origin",
        statusCodeTtls: expect.arrayContaining([
          { statusCodeRange: { from: 200, to: 599 }, value: 86_400 },
          { statusCode: 404, value: -1 },
        ]) as unknown,
      },
    },
  ],
  edge_cache_ttl: [60, { edgeTtl: { mode: "override_origin", default: 60 } }],
  explicit_cache_control: ["off", { originCacheControl: false }],
  origin_error_page_pass_thru: ["on", { originErrorPagePassthru: true }],
  respect_strong_etag: ["on", { respectStrongEtags: true }],
  host_header_override: ["example.saas-provider.com", { hostHeader: "example.saas-provider.com" }],
  resolve_override: ["example.saas-provider.com", { origin: { host: "example.saas-provider.com" } }],
  ip_geolocation: ["on", "managed transform"],
  true_client_ip_header: ["on", "managed transform"],
  mirage: ["on", "Mirage ended"],
  disable_railgun: [undefined, "Railgun has ended"],
  minify: [{ html: "on", css: "off", js: "on" }, "Auto Minify ended"],
  server_side_exclude: ["on", "Server-side Excludes ended"],
  response_buffering: ["on", "deprecated"],
  waf: ["off", "deprecated"],
};

/** Every setting that a page rule may have, as users know it. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  "forwarding URL": ["forwarding_url"],
  "always use HTTPS": ["always_use_https"],
  "cache level": ["cache_level"],
  "cache TTLs, by status": ["edge_cache_ttl", "cache_ttl_by_status"],
  "bypass cache on cookie, cache on cookie": ["bypass_cache_on_cookie", "cache_on_cookie"],
  "cache deception armor": ["cache_deception_armor"],
  "cache key": ["cache_key_fields", "cache_by_device_type"],
  "origin cache control": ["explicit_cache_control"],
  "origin error pages, strong ETags": ["origin_error_page_pass_thru", "respect_strong_etag"],
  "sort query string": ["sort_query_string_for_cache"],
  "browser TTL": ["browser_cache_ttl"],
  "host header and resolve override": ["host_header_override", "resolve_override"],
  SSL: ["ssl", "automatic_https_rewrites", "opportunistic_encryption"],
  "security level, browser check": ["security_level", "browser_check"],
  "disable apps, Zaraz, performance, security": [
    "disable_apps",
    "disable_zaraz",
    "disable_performance",
    "disable_security",
  ],
  "email obfuscation": ["email_obfuscation"],
  "IP geolocation header": ["ip_geolocation"],
  "rocket loader": ["rocket_loader"],
  polish: ["polish"],
  "products that have ended": ["mirage", "disable_railgun", "minify", "server_side_exclude"],
  "true client IP header": ["true_client_ip_header"],
  "WAF, response buffering": ["waf", "response_buffering"],
};

const pageOf = (action: JsonObject) => ({
  id: "a",
  targets: [{ target: "url", constraint: { operator: "matches", value: "*.example.com/*" } }],
  actions: [action],
  priority: 1,
  status: "active",
});
const oldOf = (id: string): OldRules => {
  const value = SETTINGS[id]?.[0];
  return parseOldRules({ ...NONE, pageRules: [pageOf((value === undefined ? { id } : { id, value }) as JsonObject)] });
};

describe("settings of page rules", () => {
  test("are all in the tables of this test", () => {
    expect(Object.keys(SETTINGS).sort()).toEqual(SETTING_NAMES.toSorted());
    expect(Object.values(LISTED).flat().sort()).toEqual(SETTING_NAMES.toSorted());
  });

  test.each(Object.entries(SETTINGS))("%s has a counterpart that a preview accepts, or a note", (id, [, expected]) => {
    const old = oldOf(id);
    const { rules, notes } = convert(old);
    const found = [...rules, ...notes.map(({ text }) => text)];
    if (typeof expected === "string") expect(JSON.stringify(found).replaceAll('\\"', '"')).toContain(expected);
    else expect(rules).toEqual([expect.objectContaining({ actionParameters: expected })]);
    expect(rules.map(({ phase, from: _, ...rule }) => refusalOf(rule, phase))).toEqual(rules.map(() => undefined));
  });

  test("a TTL by status may be a word", () => {
    const action = { id: "cache_ttl_by_status", value: { "404": "no-cache", "500-599": "no-store" } };
    const [rule] = convert(parseOldRules({ ...NONE, pageRules: [pageOf(action)] })).rules;
    expect(rule?.actionParameters).toMatchObject({
      edgeTtl: { statusCodeTtls: [{ value: 0 }, { value: -1 }] },
    });
  });

  /** A copy for each leaf in which that leaf is something else. */
  const changed = (value: Json | undefined): Json[] => {
    if (isList(value)) return value.flatMap((one, at) => changed(one).map((other) => value.with(at, other)));
    if (isObject(value))
      return Object.entries(value).flatMap(([key, one]) => changed(one).map((other) => ({ ...value, [key]: other })));
    return [typeof value === "boolean" ? !value : typeof value === "number" ? value + 1 : `${writtenText(value)}x`];
  };
  const replaced = (conversion: Conversion, at: number, rule: NewRule): Conversion => ({
    ...conversion,
    rules: conversion.rules.with(at, rule),
  });

  test.each(SETTING_NAMES)("%s is proved, and a rule that sets something else is named", (id) => {
    const old = oldOf(id);
    const conversion = convert(old);
    expect([...unprovedRules(old, conversion)]).toEqual([]);
    conversion.rules.forEach((rule, at) => {
      const others = changed(rule.actionParameters ?? {}) as JsonObject[];
      expect(others.length).toBeGreaterThan(0);
      for (const actionParameters of others)
        expect([
          actionParameters,
          unprovedRules(old, replaced(conversion, at, { ...rule, actionParameters })).size,
        ]).toEqual([actionParameters, 1]);
      const more = { ...rule, actionParameters: { ...rule.actionParameters, sxg: true } };
      expect(unprovedRules(old, replaced(conversion, at, more)).size).toBe(rule.action === "redirect" ? 0 : 1);
      expect(unprovedRules(old, replaced(conversion, at, { ...rule, action: "log" })).size).toBe(1);
    });
  });

  const block = (id: string, value: Json): Json => {
    if (id === "cache_ttl_by_status" && isObject(value))
      return Object.entries(value).map(([codes, ttl]) => ({ codes, ttl }));
    if (!isObject(value)) return value;
    return [mapValues(value, (one) => (one === "*" ? ["*"] : one === undefined ? null : block("", one)))];
  };
  const camel = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(camel);
    if (!isObject(value)) return value;
    const name = (key: string): string => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [name(key), camel(one ?? null)]));
  };
  const statesOf = (id: string): readonly object[] => {
    const value = (SETTINGS[id]?.[0] ?? true) as Json;
    const rule = (actions: Json): JsonObject => ({
      ...{ id: "a", zone_id: ZONE, target: "*.example.com/*", priority: 1, status: "active" },
      actions,
    });
    const terraform = (actions: Json) =>
      terraformState({ type: "cloudflare_page_rule", name: "a", values: rule(actions) });
    const type = "cloudflare:index/pageRule:PageRule";
    const outputs = camel(rule([{ [id]: block(id, value) }]));
    const pulumi = { urn: `urn:pulumi:prod::infra::${type}::a`, type, id: "a", inputs: {}, outputs };
    return [
      terraform([{ [id]: block(id, value) }]),
      terraform({ [id]: value }),
      { version: 3, deployment: { resources: [pulumi] } },
    ];
  };

  test.each(SETTING_NAMES)("%s is read from the states of all tools", (id) => {
    const converted = statesOf(id).map((state) =>
      legacyOf(readForeign(JSON.parse(JSON.stringify(state))) ?? []).zones.map(({ wire }) =>
        convert(parseOldRules(wire)),
      ),
    );
    const live = convert(oldOf(id));
    expect(live.notes.filter(({ kind }) => kind === "left")).toEqual([]);
    expect(converted).toEqual([[live], [live], [live]]);
  });
});

describe("clients", () => {
  const TARGETS: Readonly<Record<string, readonly [value: string, condition: string]>> = {
    ip: ["192.0.2.1", "ip.src in {192.0.2.1}"],
    ip6: ["2001:db8::1", "ip.src in {2001:db8::1}"],
    ip_range: ["192.0.2.0/24", "ip.src in {192.0.2.0/24}"],
    asn: ["AS64496", "ip.src.asnum in {64496}"],
    country: ["DE", 'ip.src.country in {"DE"}'],
  };
  const MODES = {
    block: "block",
    challenge: "challenge",
    js_challenge: "js_challenge",
    managed_challenge: "managed_challenge",
  };
  const ACCESS = { ...MODES, whitelist: "skip" };
  const both = (one: object, other: object): (readonly [string, string])[] =>
    Object.keys(one).flatMap((key) => Object.keys(other).map((against) => [key, against] as const));
  const isNamed = (old: OldRules, conversion: Conversion, edit: (rule: NewRule) => NewRule): boolean =>
    unprovedRules(old, { ...conversion, rules: conversion.rules.map(edit) }).has("r");

  test.each(both(TARGETS, ACCESS))("of an access rule by %s, with mode %s", (target, mode) => {
    const [value = "", condition = ""] = TARGETS[target] ?? [];
    const old = parseOldRules({ ...NONE, accessRules: [{ id: "r", mode, configuration: { target, value } }] });
    const conversion = convert(old);
    expect(conversion.rules.map(({ expression, action }) => [expression, action])).toEqual([
      [condition, ACCESS[mode as keyof typeof ACCESS]],
    ]);
    expect([...unprovedRules(old, conversion)]).toEqual([]);
    expect(isNamed(old, conversion, (rule) => ({ ...rule, action: "log" }))).toBe(true);
    expect(
      isNamed(old, conversion, (rule) => ({ ...rule, expression: `${rule.expression} or ip.src eq 192.0.2.7` })),
    ).toBe(true);
    expect(isNamed(old, conversion, (rule) => ({ ...rule, expression: `not ${rule.expression}` }))).toBe(true);
  });

  test.each(Object.keys(MODES))("of a user agent rule with mode %s", (mode) => {
    const agent = { id: "r", mode, configuration: { target: "ua", value: "Bad/1" } };
    const old = parseOldRules({ ...NONE, userAgents: [agent] });
    const conversion = convert(old);
    expect(conversion.rules.map(({ expression, action }) => [expression, action])).toEqual([
      ['http.user_agent eq "Bad/1"', mode],
    ]);
    expect([...unprovedRules(old, conversion)]).toEqual([]);
    expect(isNamed(old, conversion, (rule) => ({ ...rule, action: "log" }))).toBe(true);
  });

  test("that allowed rules let pass come first", () => {
    const rule = (id: string, mode: string, value: string) => ({ id, mode, configuration: { target: "ip", value } });
    const accessRules = [rule("r", "whitelist", "192.0.2.1"), rule("s", "block", "192.0.2.1")];
    const old = parseOldRules({ ...NONE, accessRules });
    const conversion = convert(old);
    expect([...unprovedRules(old, conversion)]).toEqual([]);
    const rules = conversion.rules.toReversed();
    expect([...unprovedRules(old, { ...conversion, rules }).keys()]).toEqual(["r", "s"]);
  });
});
