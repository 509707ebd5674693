import { convert } from "../../../core/legacy/convert.js";
import { oldOutcome, type OldRequest } from "../../../core/legacy/model.js";
import { parseOldRules, type WireRules } from "../../../core/legacy/old-rules.js";
import { canMeet, capturesOf, meeting, parsePattern, type UrlPattern } from "../../../core/legacy/pattern.js";
import { exampleRequests, findDifferences } from "../../../core/legacy/prove.js";
import { SETTING_NAMES } from "../../../core/legacy/settings.js";
import { unprovedRules } from "../../../core/legacy/proof.js";
import type { Json, JsonObject } from "../../../core/model/json.js";
import { migrateZone } from "../../../tools/generator/index.js";
import { refusalOf } from "../../../tools/generator/sources/previous-waf/outcome.js";

const NONE: WireRules = { pageRules: [], userAgents: [], lockdowns: [], accessRules: [], rateLimits: [] };
const page = (id: string, url: string, actions: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  id,
  targets: [{ target: "url", constraint: { operator: "matches", value: url } }],
  actions,
  priority: 1,
  status: "active",
  ...more,
});
const request = (more: Partial<OldRequest>): OldRequest => ({
  ...{ url: "https://example.com/", ip: "203.0.113.9", country: "DE", asn: 64_496, userAgent: "Mozilla", cookie: "" },
  ...more,
});
const pattern = (text: string): UrlPattern => {
  const parsed = parsePattern(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed;
};

describe("patterns of Cloudflare's documentation", () => {
  // https://developers.cloudflare.com/rules/page-rules/reference/wildcard-matching/ and …/how-to/url-forwarding/
  test.each<[string, string, boolean]>([
    ["example.com/t*st", "https://example.com/test", true],
    ["example.com/t*st", "http://example.com/trust", true],
    ["example.com/foo/*", "https://example.com/foo", false],
    ["example.com/foo*", "https://example.com/foo", true],
    ["example.com/*", "https://www.example.com/", false],
    ["*example.com/*", "https://www.example.com/a?b", true],
    ["example.com", "https://example.com/", true],
    ["example.com", "https://example.com/some-particular-page.html", false],
    ["*example.com/products", "https://www.blog.example.com/products", true],
    ["*www.example.com/products", "http://www.example.com/blog/products", false],
    ["example.com/*/downloads/*.txt", "https://example.com/a/downloads/b.txt?c=1", true],
    ["example.com/path", "https://example.com/PATH", true],
    ["http://example.com/*", "https://example.com/", false],
    ["example.com/a?b=1", "https://example.com/a", false],
  ])("%s and %s: %s", (text, url, matches) => {
    expect(capturesOf(pattern(text), url) !== undefined).toBe(matches);
  });

  test("a forwarding URL inserts what asterisks matched", () => {
    const actions = [{ id: "forwarding_url", value: { url: "http://example.com/images/$1/$2.jpg", status_code: 302 } }];
    const old = parseOldRules({ ...NONE, pageRules: [page("a", "http://*.example.com/*", actions)] });
    expect(oldOutcome(old, request({ url: "http://cloud.example.com/flare.jpg" }))).toEqual({
      kind: "redirected",
      status: 302,
      location: "http://example.com/images/cloud/flare.jpg.jpg",
    });
  });

  // "To add a $ character in the forwarding URL, escape it by adding a backslash"
  test.each<[string, string | undefined]>([
    [String.raw`https://example.net/\$1`, "https://example.net/$1"],
    [String.raw`https://example.net/\$$1`, undefined],
    ["https://example.net/$3", undefined],
    ["https://example.net/$x", undefined],
  ])("the forwarding URL %s leads to %s", (target, location) => {
    const actions = [{ id: "forwarding_url", value: { url: target, status_code: 301 } }];
    const weaker = [{ id: "forwarding_url", value: { url: "https://weaker.example/", status_code: 301 } }];
    const pageRules = [
      page("a", "example.com/a/*", actions, { priority: 2 }),
      page("b", "example.com/*", weaker, { priority: 1 }),
    ];
    const { rules } = convert(parseOldRules({ ...NONE, pageRules }));
    expect(rules.length).toBe(location === undefined ? 1 : 2);
    if (location === undefined) expect(rules[0]?.expression).toContain('and not (lower(http.host) eq "example.com"');
    else expect(rules[0]?.actionParameters).toMatchObject({ fromValue: { targetUrl: { value: location } } });
  });

  test.each(["example.com:8443/*", "example.com/a|b", "ftp://example.com/", "example.com/**", "example.com/ä"])(
    "%s is not converted",
    (text) => {
      expect(parsePattern(text)).toHaveProperty("fault");
    },
  );

  test.each<[string, string]>([
    ["*.example.com/a*", "www.example.com/*b"],
    ["example.com/a", "example.com/b*"],
    ["*a*", "*b*"],
  ])("whether %s and %s share a URL is shown by one", (one, other) => {
    const text = meeting(one, other);
    expect(text !== undefined).toBe(canMeet(pattern(one), pattern(other)));
    if (text !== undefined)
      expect([one, other].map((each) => capturesOf(pattern(each), `https://${text}`))).not.toContain(undefined);
  });
});

describe("lockdowns and user agent rules of Cloudflare's documentation", () => {
  // https://developers.cloudflare.com/waf/tools/zone-lockdown/ and …/user-agent-blocking/
  const lockdown = {
    id: "l",
    urls: ["staging.example.com/*", "example.com/wiki/*"],
    configurations: [
      { target: "ip_range", value: "192.0.2.0/24" },
      { target: "ip", value: "203.0.113.1" },
    ],
  };
  const agent = { id: "u", mode: "block", configuration: { target: "ua", value: "BadBot/1.0.2 (+http://bad.bot)" } };
  const old = parseOldRules({ ...NONE, lockdowns: [lockdown], userAgents: [agent] });
  const BadBot = "BadBot/1.0.2 (+http://bad.bot)";

  test.each<[string, Partial<OldRequest>, string]>([
    ["another address", { url: "https://example.com/wiki/a" }, "stopped"],
    ["an allowed one", { url: "https://example.com/wiki/a", ip: "192.0.2.9" }, "passed"],
    ["another path", { url: "https://example.com/internal/wiki" }, "passed"],
    ["a blocked user agent", { userAgent: BadBot }, "stopped"],
    [
      "a blocked user agent that the lockdown allows",
      { url: "https://staging.example.com/", ip: "203.0.113.1", userAgent: BadBot },
      "passed",
    ],
  ])("%s: %j %s", (_, more, kind) => {
    expect(oldOutcome(old, request(more)).kind).toBe(kind);
  });

  test("become rules that do the same", () => {
    const { tried, found } = findDifferences(old, convert(old));
    expect([tried > 20, found]).toEqual([true, []]);
  });
});

/** A value of each setting, and what becomes of it. */
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
    { "200-599": 86_400, "404": "no-store" },
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
  response_buffering: ["on", "deprecated"],
  waf: ["off", "deprecated"],
};

describe("settings of page rules", () => {
  test("are all in the table of this test", () => {
    expect(Object.keys(SETTINGS).sort()).toEqual(SETTING_NAMES.toSorted());
  });

  test.each(Object.entries(SETTINGS))(
    "%s has a counterpart that a preview accepts, or a note",
    (id, [value, expected]) => {
      const action = (value === undefined ? { id } : { id, value }) as JsonObject;
      const old = parseOldRules({ ...NONE, pageRules: [page("a", "*.example.com/*", [action])] });
      const { rules, notes } = convert(old);
      const found = [...rules, ...notes.map(({ text }) => text)];
      if (typeof expected === "string") expect(JSON.stringify(found).replaceAll('\\"', '"')).toContain(expected);
      else expect(rules).toEqual([expect.objectContaining({ actionParameters: expected })]);
      expect(rules.map(({ phase, from: _, ...rule }) => refusalOf(rule, phase))).toEqual(rules.map(() => undefined));
      expect(findDifferences(old, { rules, lists: [], notes }).found).toEqual([]);
      expect(exampleRequests(old).length).toBeGreaterThan(0);
    },
  );
});

describe("rules that cannot be converted", () => {
  const note = (wire: Partial<WireRules>): readonly [string, string][] =>
    convert(parseOldRules({ ...NONE, ...wire })).notes.map(({ kind, text }) => [kind, text]);

  test.each<[string, Partial<WireRules>, readonly [string, string]]>([
    [
      "a setting that is not known",
      { pageRules: [page("a", "example.com/*", [{ id: "minify", value: {} }])] },
      ["left", "does not know its setting minify"],
    ],
    [
      "a value that is not known",
      { pageRules: [page("a", "example.com/*", [{ id: "ssl", value: "best" }])] },
      ["left", 'ssl "best"'],
    ],
    [
      "a disabled rule",
      { pageRules: [page("a", "example.com/*", [{ id: "waf", value: "on" }], { status: "disabled" })] },
      ["left", "it is disabled"],
    ],
    [
      "an access rule of the account",
      {
        accessRules: [
          {
            id: "a",
            mode: "block",
            configuration: { target: "ip", value: "192.0.2.1" },
            scope: { type: "organization" },
          },
        ],
      },
      ["left", "belongs to the organization"],
    ],
    [
      "a rate limit by headers",
      {
        rateLimits: [
          {
            id: "r",
            threshold: 5,
            period: 60,
            action: { mode: "ban", timeout: 60 },
            match: { request: { url: "*" }, response: { headers: [{ name: "x", op: "eq", value: "y" }] } },
          },
        ],
      },
      ["left", "counts by headers"],
    ],
  ])("%s is named and left alone", (_, wire, [kind, text]) => {
    expect(note(wire)).toEqual([[kind, expect.stringContaining(text)]]);
    expect(convert(parseOldRules({ ...NONE, ...wire })).rules).toEqual([]);
  });

  test("a weaker rule is not the same where the URLs of a stronger one are not known", () => {
    const ssl = [{ id: "ssl", value: "full" }];
    const pageRules = [page("a", "example.com:8443/*", ssl, { priority: 2 }), page("b", "example.com/*", ssl)];
    expect(note({ pageRules })).toEqual([
      ["left", "its URL has a port"],
      ["lacks", expect.stringContaining('where page rule "example.com:8443/*" also matches')],
    ]);
  });

  test.each<[string, JsonObject, string]>([
    ["a scheme in its URL", { match: { request: { url: "https://example.com/a" } } }, "its URL has a scheme"],
    ["a query string in its URL", { match: { request: { url: "example.com/a?b=1" } } }, "a query string"],
    ["a status in words", { match: { request: { url: "example.com/" }, response: { status: ["4xx"] } } }, "a status"],
    [
      "another exception",
      { match: { request: { url: "example.com/" } }, bypass: [{ name: "ip", value: "192.0.2.1" }] },
      "something else than their URL",
    ],
  ])("a rate limit with %s is left alone", (_, more, text) => {
    const limit = { id: "r", threshold: 5, period: 60, action: { mode: "ban", timeout: 60 }, ...more };
    expect(note({ rateLimits: [limit] })).toEqual([["left", expect.stringContaining(text)]]);
  });

  test("two page rules that meet without an order are both named", () => {
    const ssl = [{ id: "ssl", value: "full" }];
    const pageRules = [
      page("a", "example.com/a*", ssl),
      page("b", "example.com/*b", [{ id: "ssl", value: "off" }]),
      page("c", "example.net/x", ssl),
    ];
    expect(note({ pageRules })).toEqual([
      ["left", expect.stringContaining('it has the priority of page rule "example.com/*b"')],
      ["left", expect.stringContaining('it has the priority of page rule "example.com/a*"')],
    ]);
    // Their URLs stay theirs.
    const weaker = page("d", "example.com/*", ssl, { priority: 0 });
    const [rule] = convert(parseOldRules({ ...NONE, pageRules: [...pageRules.slice(0, 2), weaker] })).rules;
    expect(rule?.expression).toContain('not (lower(http.host) eq "example.com" and ');
  });

  test("a rule that never applied is named", () => {
    const pageRules = [
      page("a", "*example.com/*", [{ id: "ssl", value: "full" }], { priority: 2 }),
      page("b", "example.com/b*", [{ id: "ssl", value: "off" }]),
    ];
    expect(note({ pageRules })).toEqual([["obsolete", expect.stringContaining("it never applied")]]);
  });
});

test.each([
  ["edge_cache_ttl", "cache_ttl_by_status"],
  ["cache_ttl_by_status", "edge_cache_ttl"],
])("%s and %s apply together", (...ids) => {
  const values: Readonly<Record<string, Json>> = { edge_cache_ttl: 60, cache_ttl_by_status: { "404": 5 } };
  const actions = ids.map((id) => ({ id, value: values[id] }));
  const [rule] = convert(parseOldRules({ ...NONE, pageRules: [page("a", "example.com/*", actions)] })).rules;
  expect(rule?.actionParameters).toEqual({
    edgeTtl: { mode: "override_origin", default: 60, statusCodeTtls: [{ statusCode: 404, value: 5 }] },
  });
});

test("hosts match in both cases, as the pattern did", () => {
  const lockdown = { id: "l", urls: ["staging.example.com/*"], configurations: [{ target: "ip", value: "192.0.2.1" }] };
  const old = parseOldRules({ ...NONE, lockdowns: [lockdown] });
  expect(convert(old).rules[0]?.expression).toBe(
    'lower(http.host) eq "staging.example.com" and not ip.src in {192.0.2.1}',
  );
});

test("a rule that leaves out many others fits into a condition, and is proved", () => {
  const off = [{ id: "ssl", value: "off" }];
  const pageRules = Array.from({ length: 50 }, (_, at) =>
    page(`p${String(at)}`, `${at % 2 === 0 ? "www" : "*"}.example.com/a.b/${String(at)}*c`, off, {
      priority: 100 - at,
    }),
  );
  const old = parseOldRules({ ...NONE, pageRules: [...pageRules, page("z", "*example.com/*", off)] });
  const expressionFor = (plan: string) => {
    const conversion = convert(old, { plan, listSuffix: "zone" });
    return [conversion, conversion.rules.find(({ from }) => from.includes("z"))?.expression] as const;
  };
  const [conversion, expression] = expressionFor("enterprise");
  expect(expression).toContain(String.raw`matches r"(?is)^(?:https?://www\.example\.com/(?:a\.b/0.*c(?:\?|$)|`);
  expect(expression?.length).toBeLessThan(4096);
  expect([...unprovedRules(old, conversion)]).toEqual([]);
  expect(findDifferences(old, conversion).found).toEqual([]);
  // Which have no `matches`.
  expect(expressionFor("pro")[1]).toBeUndefined();
});

describe("the proof", () => {
  const ssl = [{ id: "ssl", value: "full" }];
  const forward = (url: string): readonly JsonObject[] => [{ id: "forwarding_url", value: { url, status_code: 301 } }];
  const old = parseOldRules({
    ...NONE,
    pageRules: [
      page("a", "example.com/a/*", ssl, { priority: 9 }),
      page("b", "*.example.com/b/*", forward("https://b.example.net/"), { priority: 8 }),
      page("c", "*example.com/*", forward("https://c.example.net/"), { priority: 7 }),
      page("d", "http://www.example.com/*", [...ssl, { id: "disable_security" }], { priority: 10 }),
    ],
    lockdowns: [
      { id: "l", urls: ["www.example.com/*"], configurations: [{ target: "ip", value: "192.0.2.1" }], priority: 1 },
      { id: "m", urls: ["*.example.com/b*"], configurations: [{ target: "ip", value: "192.0.2.2" }], priority: 2 },
    ],
    userAgents: [
      { id: "u", mode: "block", configuration: { target: "ua", value: "Bad/1" } },
      { id: "v", mode: "block", configuration: { target: "ua", value: "Bad/2" } },
    ],
    rateLimits: [
      {
        ...{ id: "r", threshold: 5, period: 60, action: { mode: "ban", timeout: 60 } },
        match: { request: { url: "example.com/login", methods: ["POST"] } },
        bypass: [{ name: "url", value: "example.com/l*" }],
      },
    ],
  });
  const conversion = convert(old);

  test("covers a conversion", () => {
    expect([...unprovedRules(old, conversion)]).toEqual([]);
  });

  test.each<[string, string, (text: string) => string]>([
    ["an exception is lost", "c", (text) => text.replace(/ and not .*/, "")],
    ["an exception is one of another rule", "c", (text) => text.replace('"/a/*"', '"/b/*"')],
    ["a path differs", "a", (text) => text.replace('"/a/*"', '"/a*"')],
    ["a host matches in one case", "a", (text) => text.replace("lower(http.host)", "http.host")],
    ["a scheme is lost", "d", (text) => text.replace(" and not ssl", "")],
    ["a lockdown allows another address", "l", (text) => text.replace("192.0.2.1", "192.0.2.9")],
    ["a weaker lockdown acts, too", "m", (text) => text.replace('and not lower(http.host) eq "www.example.com"', "")],
    ["a user agent is lost", "v", (text) => text.replace(' "Bad/2"', "")],
    ["a rate limit counts what it left out", "r", (text) => text.replace("/l*", "/m*")],
  ])("names a rule of which %s", (_, id, edit) => {
    const rules = conversion.rules.map((rule) =>
      rule.from.includes(id) ? { ...rule, expression: edit(rule.expression) } : rule,
    );
    expect(rules).not.toEqual(conversion.rules);
    expect([...unprovedRules(old, { ...conversion, rules }).keys()]).toContain(id);
  });

  test("names redirects that run in another order, and rules that are missing", () => {
    const changed = (rules: typeof conversion.rules) => [...unprovedRules(old, { ...conversion, rules }).keys()];
    expect(changed(conversion.rules.toReversed())).toEqual(expect.arrayContaining(["b", "c"]));
    expect(changed([])).toEqual(expect.arrayContaining(["a", "b", "c", "d", "l", "m", "u", "r"]));
  });
});

test("previous rate limits keep what they count, by whom, and for how long", () => {
  const limit = {
    id: "r",
    description: "Login",
    match: {
      request: { methods: ["POST"], schemes: ["HTTPS"], url: "*.example.com/login*" },
      response: { status: [401, 403], headers: [{ name: "Cf-Cache-Status", op: "ne", value: "HIT" }] },
    },
    threshold: 5,
    period: 300,
    action: { mode: "ban", timeout: 900, response: { content_type: "text/plain", body: "Slow down" } },
    bypass: [{ name: "url", value: "api.example.com/login" }],
    correlate: { by: "nat" },
  };
  const [rule] = convert(parseOldRules({ ...NONE, rateLimits: [limit] }), { plan: "enterprise" }).rules;
  expect(rule).toMatchObject({
    phase: "http_ratelimit",
    action: "block",
    actionParameters: { response: { statusCode: 429, contentType: "text/plain", content: "Slow down" } },
    ratelimit: {
      characteristics: ["cf.colo.id", "cf.unique_visitor_id"],
      period: 300,
      requestsPerPeriod: 5,
      mitigationTimeout: 900,
      requestsToOrigin: true,
      countingExpression: expect.stringContaining("http.response.code in {401 403}") as unknown,
    },
  });
  expect(rule?.expression).toBe(
    'http.request.full_uri wildcard "https://*.example.com/login*" and http.request.method in {"POST"} and not (lower(http.host) eq "api.example.com" and http.request.uri.path wildcard "/login")',
  );
  const business = convert(parseOldRules({ ...NONE, rateLimits: [limit] }), { plan: "business" });
  expect(business.rules[0]?.ratelimit).toMatchObject({ period: 300, mitigationTimeout: 600 });
  expect(business.notes.map(({ text }) => text)).toContain(
    "its timeout of 900 s becomes 600 s, the nearest that the plan has",
  );
});

test("many addresses become lists, and are proved to be treated as before", () => {
  const accessRules = Array.from({ length: 1000 }, (_, at) => ({
    id: `a${String(at)}`,
    mode: at % 2 === 0 ? "block" : "managed_challenge",
    configuration: { target: "ip", value: `10.0.${String(at >> 8)}.${String(at & 255)}` },
  }));
  const account = { accountId: "acc", accountName: "" };
  const zone = { id: "0123456789abcdef", name: "example.com", plan: "enterprise", rulesets: [], ...account };
  const { lists, rulesets, migration } = migrateZone({ ...zone, wire: { ...NONE, accessRules } });
  expect(lists.map(({ name }) => name)).toEqual(["legacy_block_01234567", "legacy_managed_challenge_01234567"]);
  expect(rulesets.map(({ newLists }) => newLists)).toEqual([lists.map(({ name }) => name)]);
  expect([migration.tried, migration.differences, migration.proof]).toEqual([1000, [], { isEqual: true, why: [] }]);
});
