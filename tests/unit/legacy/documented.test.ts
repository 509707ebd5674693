import { convert } from "../../../core/legacy/convert.js";
import { parseOldRules, type WireRules } from "../../../core/legacy/old-rules.js";
import { parsePattern, type UrlPattern } from "../../../core/legacy/pattern.js";
import { unprovedRules } from "../../../core/legacy/proof.js";
import { isObject, type Json, type JsonObject } from "../../../core/model/json.js";
import { migrateZone } from "../../../tools/generator/index.js";
import { capturesOf } from "./model.js";

const NONE: WireRules = { pageRules: [], userAgents: [], lockdowns: [], accessRules: [], rateLimits: [] };
const page = (id: string, url: string, actions: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  id,
  targets: [{ target: "url", constraint: { operator: "matches", value: url } }],
  actions,
  priority: 1,
  status: "active",
  ...more,
});
const settings = (actions: Readonly<Record<string, Json>>, more: JsonObject = {}): WireRules => ({
  ...NONE,
  pageRules: [
    page(
      "a",
      "example.com/*",
      Object.entries(actions).map(([id, value]) => ({ id, value })),
      more,
    ),
  ],
});
const byIp = (id: string, mode: string, value: string, more: JsonObject = {}): JsonObject => ({
  ...{ id, mode, configuration: { target: "ip", value } },
  ...more,
});
const lockdown = (id: string, urls: readonly string[], more: JsonObject = {}): JsonObject => ({
  ...{ id, urls, configurations: [{ target: "ip", value: "192.0.2.1" }] },
  ...more,
});
const limit = (match: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{ id: "r", threshold: 5, period: 60, action: { mode: "ban", timeout: 60 }, match },
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
});

describe("lockdowns and user agent rules of Cloudflare's documentation", () => {
  // https://developers.cloudflare.com/waf/tools/zone-lockdown/ and …/user-agent-blocking/
  const locked = {
    id: "l",
    urls: ["staging.example.com/*", "example.com/wiki/*"],
    configurations: [
      { target: "ip_range", value: "192.0.2.0/24" },
      { target: "ip", value: "203.0.113.1" },
    ],
  };
  const agent = { id: "u", mode: "block", configuration: { target: "ua", value: "BadBot/1.0.2 (+http://bad.bot)" } };
  const old = parseOldRules({ ...NONE, lockdowns: [locked], userAgents: [agent] });
  test("become rules that do the same", () => {
    expect([...unprovedRules(old, convert(old))]).toEqual([]);
  });
});

describe("rules that cannot be converted", () => {
  const note = (wire: Partial<WireRules>): readonly [string, string][] =>
    convert(parseOldRules({ ...NONE, ...wire })).notes.map(({ kind, text }) => [kind, text]);

  test.each<[string, Partial<WireRules>, string]>([
    ["a setting that is not known", settings({ always_online: "on" }), "setting always_online"],
    ["a value that is not known", settings({ ssl: "best" }), 'ssl "best"'],
    ...[
      { cookie: { include: ["a"], ignore: ["b"] } },
      { header: { exclude: ["x-a"] } },
      { query_string: { include: "a*" } },
      { user: { device_type: "mobile" } },
      { device: {} },
    ].map((value): [string, Partial<WireRules>, string] => [
      `a part of a cache key that is not known, ${JSON.stringify(value)},`,
      settings({ cache_key_fields: value }),
      `cache_key_fields ${JSON.stringify(value)}`,
    ]),
    ...["disable_apps", "disable_security", "always_use_https"].map((id): [string, Partial<WireRules>, string] => [
      `${id} with a value,`,
      settings({ [id]: "off" }),
      `${id} "off"`,
    ]),
    [
      "a forwarding URL with more than a target",
      settings({ forwarding_url: { url: "https://example.org/", status_code: 301, preserve: true } }),
      "forwarding_url",
    ],
    [
      "a user agent rule by something else",
      { userAgents: [{ id: "u", mode: "block", configuration: { target: "ja3", value: "a" } }] },
      "its target ja3 is not known",
    ],
    [
      "a part of a configuration that is not known",
      { accessRules: [{ id: "a", mode: "block", configuration: { target: "ip", value: "192.0.2.1", port: 80 } }] },
      "does not know port of its configuration",
    ],
    [
      "a part of what a rate limit counts that is not known",
      { rateLimits: [limit({ request: { url: "example.com/*", body: "x" } })] },
      "does not know body of its requests",
    ],
    [
      "a rate limit by headers beside the response",
      { rateLimits: [limit({ request: { url: "*" }, headers: [{ name: "x", op: "eq", value: "y" }] })] },
      "counts by headers",
    ],
    ["a disabled rule", settings({ waf: "on" }, { status: "disabled" }), "it is disabled"],
    [
      "an access rule of the account",
      { accessRules: [byIp("a", "block", "192.0.2.1", { scope: { type: "organization" } })] },
      "belongs to the organization",
    ],
    [
      "a rate limit by headers",
      { rateLimits: [limit({ request: { url: "*" }, response: { headers: [{ name: "x", op: "eq", value: "y" }] } })] },
      "counts by headers",
    ],
  ])("%s is named and left alone", (_, wire, text) => {
    expect(note(wire)).toEqual([["left", expect.stringContaining(text)]]);
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

  test.each<[string, JsonObject, JsonObject, string]>([
    ["a scheme in its URL", { request: { url: "https://example.com/a" } }, {}, "its URL has a scheme"],
    ["a query string in its URL", { request: { url: "example.com/a?b=1" } }, {}, "a query string"],
    ["a status in words", { request: { url: "example.com/" }, response: { status: ["4xx"] } }, {}, "a status"],
    [
      "another exception",
      { request: { url: "example.com/" } },
      { bypass: [{ name: "ip", value: "192.0.2.1" }] },
      "something else than their URL",
    ],
  ])("a rate limit with %s is left alone", (_, match, more, text) => {
    expect(note({ rateLimits: [limit(match, more)] })).toEqual([["left", expect.stringContaining(text)]]);
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

  test("two lockdowns that meet without an order are both named", () => {
    const lockdowns = Object.entries({ a: "example.com/a*", b: "example.com/*b", c: "example.net/c" }).map(
      ([id, url]) => lockdown(id, [url], { priority: 1 }),
    );
    expect(note({ lockdowns })).toEqual([
      ["left", expect.stringContaining('it has the priority of lockdown "example.com/*b"')],
      ["left", expect.stringContaining('it has the priority of lockdown "example.com/a*"')],
    ]);
  });

  const ssl = (value: string) => [{ id: "ssl", value }];
  const first = page("a", "example.com/a/*", ssl("full"), { priority: 3 });
  const unknown = page("c", "example.com/*", [{ id: "orbit", value: "on" }]);
  const withPort = page("c", "example.com:8443/*", ssl("off"));
  test.each<[string, Partial<WireRules>]>([
    ["page rule", { pageRules: [first, page("b", "example.net/*", ssl("full"), { priority: 2 }), unknown] }],
    ["page rule", { pageRules: [first, page("b", "example.com/a/b/*", ssl("off"), { priority: 2 }), withPort] }],
    [
      "lockdown",
      {
        lockdowns: [
          lockdown("a", ["example.com/a"], { priority: 1 }),
          lockdown("c", ["example.com:8443/*"], { priority: 2 }),
        ],
      },
    ],
  ])("a %s that applies again when a stronger one is turned off is named there", (kind, wire) => {
    const { notes } = convert(parseOldRules({ ...NONE, ...wire }));
    expect(notes.filter(({ text }) => text.startsWith("once it is turned off")).map(({ rule }) => rule.id)).toEqual([
      "a",
    ]);
    expect(notes.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(`^once it is turned off, ${kind} ".*", which is left alone, also applies to its URLs`),
    );
  });

  test("others are compared beside a rule that is left alone", () => {
    const accessRules = [byIp("a", "block", "192.0.2.1"), byIp("b", "block", "192.0.2.2")];
    const old = parseOldRules({ ...NONE, accessRules });
    const refusalOf = () => "it is refused";
    const conversion = convert(old, { refusalOf });
    expect(conversion.rules).toEqual([]);
    expect([...unprovedRules(old, conversion)]).toEqual([]);
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
  const old = parseOldRules({ ...NONE, lockdowns: [lockdown("l", ["staging.example.com/*"])] });
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
      lockdown("l", ["www.example.com/*"], { priority: 1 }),
      { id: "m", urls: ["*.example.com/b*"], configurations: [{ target: "ip", value: "192.0.2.2" }], priority: 2 },
    ],
    userAgents: [
      { id: "u", mode: "block", configuration: { target: "ua", value: "Bad/1" } },
      { id: "v", mode: "block", configuration: { target: "ua", value: "Bad/2" } },
    ],
    rateLimits: [
      limit(
        { request: { url: "example.com/login", methods: ["POST"] } },
        { bypass: [{ name: "url", value: "example.com/l*" }] },
      ),
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

  test("names every rule whose requests a redirect may take", () => {
    const wider = conversion.rules.map((rule) =>
      rule.from.includes("b") ? { ...rule, expression: `${rule.expression} or http.host eq "www.example.com"` } : rule,
    );
    const unproved = unprovedRules(old, { ...conversion, rules: wider });
    expect(unproved.get("b")).toBe("it is not proved that its new rules apply to the same requests");
    for (const id of ["a", "d", "l", "m", "u", "v", "r"])
      expect(unproved.get(id)).toContain('of page rule "*.example.com/b/*", which are not proved, may redirect');
  });

  test.each<[string, string, JsonObject]>([
    [
      "leads elsewhere",
      "b",
      {
        actionParameters: {
          fromValue: { statusCode: 301, preserveQueryString: false, targetUrl: { value: "https://d.example.net/" } },
        },
      },
    ],
    ["does not block", "l", { action: "log" }],
    ["does not challenge", "u", { action: "log" }],
    ["counts for longer", "r", { ratelimit: { period: 120 } }],
    ["counts more", "r", { ratelimit: { requestsPerPeriod: 6 } }],
    ["counts by something else", "r", { ratelimit: { characteristics: ["cf.colo.id"] } }],
    ["counts what the origin answers", "r", { ratelimit: { requestsToOrigin: true } }],
    ["counts other answers", "r", { ratelimit: { countingExpression: "http.response.code in {404}" } }],
  ])("names a rule that %s", (_, id, { ratelimit, ...more }) => {
    const rules = conversion.rules.map((rule) =>
      rule.from.includes(id)
        ? { ...rule, ...more, ...(isObject(ratelimit) ? { ratelimit: { ...rule.ratelimit, ...ratelimit } } : {}) }
        : rule,
    );
    expect(unprovedRules(old, { ...conversion, rules }).get(id)).toBe(
      "it is not proved that its new rules do the same",
    );
  });

  test("names two settings that contradict each other", () => {
    const actions = [{ id: "polish", value: "lossy" }, { id: "disable_performance" }];
    const both = parseOldRules({ ...NONE, pageRules: [page("a", "example.com/*", actions)] });
    expect([...unprovedRules(both, convert(both)).values()]).toEqual([
      "two of its settings contradict each other, and which of them applied is not documented: polish",
    ]);
  });

  test("names redirects that run in another order, and rules that are missing", () => {
    const changed = (rules: typeof conversion.rules) => [...unprovedRules(old, { ...conversion, rules }).keys()];
    expect(changed(conversion.rules.toReversed())).toEqual(expect.arrayContaining(["b", "c"]));
    expect(changed([])).toEqual(expect.arrayContaining(["a", "b", "c", "d", "l", "m", "u", "r"]));
  });
});

test("previous rate limits keep what they count, by whom, and for how long", () => {
  const login = {
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
  const [rule] = convert(parseOldRules({ ...NONE, rateLimits: [login] }), { plan: "enterprise" }).rules;
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
  const business = convert(parseOldRules({ ...NONE, rateLimits: [login] }), { plan: "business" });
  expect(business.rules[0]?.ratelimit).toMatchObject({ period: 300, mitigationTimeout: 600 });
  expect(business.notes.map(({ text }) => text)).toContain(
    "its timeout of 900 s becomes 600 s, the nearest that the plan has",
  );
});

describe("conditions that would be too long", () => {
  const migrate = (wire: Partial<WireRules>) =>
    migrateZone({
      ...{ id: "0123456789abcdef", name: "example.com", plan: "enterprise", rulesets: [] },
      ...{ accountId: "acc", accountName: "", wire: { ...NONE, ...wire } },
    });
  const expectAlike = ({ migration }: ReturnType<typeof migrate>): void => {
    const { conversion, proof, unproved } = migration;
    expect(conversion.notes.filter(({ kind }) => kind === "left")).toEqual([]);
    expect(conversion.rules.filter(({ expression }) => expression.length > 4096)).toEqual([]);
    expect([proof, [...unproved]]).toEqual([{ isEqual: true, why: [] }, []]);
  };
  const access = (target: string, mode: string, count: number, valueOf: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${target}${String(at)}`,
      mode,
      configuration: { target, value: valueOf(at) },
    }));
  const address = (at: number): string => `10.0.${String(at >> 8)}.${String(at & 255)}`;
  const refs = ({ migration }: ReturnType<typeof migrate>): readonly string[] =>
    migration.conversion.rules.map(({ ref }) => ref);

  test("many addresses become lists", () => {
    const accessRules = [
      ...access("ip", "block", 500, address),
      ...access("ip6", "managed_challenge", 500, (at) => address(at + 500)),
    ];
    const { lists, rulesets, migration } = migrate({ accessRules });
    expect(lists.map(({ name }) => name)).toEqual(["legacy_block_01234567", "legacy_managed_challenge_01234567"]);
    expect(rulesets.map(({ newLists }) => newLists)).toEqual([lists.map(({ name }) => name)]);
    expect(migration.proof).toEqual({ isEqual: true, why: [] });
  });

  test("many networks and countries become several rules", () => {
    const letters = (at: number): string => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26));
    const accessRules = [
      ...access("asn", "block", 900, (at) => `AS${String(100_000 + at)}`),
      ...access("country", "block", 400, letters),
      ...access("country", "whitelist", 1, () => "ZZ"),
    ].map((rule, at) => ({ ...rule, id: `${rule.id}-${rule.mode}-${String(at)}` }));
    const migrated = migrate({ accessRules });
    expect(refs(migrated)).toEqual([
      "legacy-access-allow-country",
      "legacy-access-block",
      "legacy-access-block-2",
      "legacy-access-block-3",
    ]);
    expectAlike(migrated);
  });

  test("many user agents become several rules", () => {
    const userAgents = Array.from({ length: 300 }, (_, at) => ({
      ...{ id: `u${String(at)}`, mode: "block" },
      configuration: { target: "ua", value: `Mozilla/5.0 (compatible; Bad "Bot"/${String(at)})` },
    }));
    const migrated = migrate({ userAgents, lockdowns: [lockdown("l", ["example.com/*"])] });
    expect(refs(migrated).slice(0, 3)).toEqual([
      "legacy-lockdown-l",
      "legacy-user-agent-block",
      "legacy-user-agent-block-2",
    ]);
    expectAlike(migrated);
  });

  test("many URLs and addresses of a lockdown become several rules, and a list", () => {
    const lockdowns = [
      {
        ...{ id: "l", priority: 1, urls: Array.from({ length: 60 }, (_, at) => `example.com/${String(at)}*`) },
        configurations: access("ip", "", 300, address).map(({ configuration }) => configuration),
      },
      lockdown("m", ["example.net/*"], { priority: 2 }),
    ];
    const userAgents = [{ id: "u", mode: "block", configuration: { target: "ua", value: "Bad/1" } }];
    const migrated = migrate({ lockdowns });
    expect(migrated.lists.map(({ name }) => name)).toEqual(["legacy_lockdown_l_01234567"]);
    expect(refs(migrated)).toEqual(["legacy-lockdown-l", "legacy-lockdown-l-2", "legacy-lockdown-m"]);
    expectAlike(migrated);
    // Whom the lockdown allows, user agent rules do not stop: their condition names all of its URLs.
    const options = { plan: "enterprise", listSuffix: "zone" };
    const { notes } = convert(parseOldRules({ ...NONE, lockdowns, userAgents }), options);
    expect(notes.filter(({ kind }) => kind === "left").map(({ rule, text }) => [rule.id, text])).toEqual([
      ["u", expect.stringContaining("delete stronger rules and lockdowns that are no longer needed")],
    ]);
  });
});
