import { convert } from "../../../core/legacy/convert.js";
import { parseOldRules } from "../../../core/legacy/old-rules.js";
import { inventoryOf, addMigrations, legacyLeftOut, legacyOf, readForeign } from "../../../tools/generator/index.js";
import { wrapSecret } from "../../../core/model/secret.js";
import { terraformState, type Given } from "../../support/states.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const resourcesOf = (document: object) => readForeign(JSON.parse(JSON.stringify(document))) ?? [];
const one = (type: string, name: string, values: object): Given => ({
  type: `cloudflare_${type}`,
  name,
  values: { id: name, zone_id: ZONE, ...values },
});
const stack = (...given: readonly (readonly [type: string, id: string, outputs: object])[]) => ({
  version: 3,
  deployment: {
    resources: given.map(([type, id, outputs]) => ({
      urn: `urn:pulumi:prod::infra::${type}::${id}`,
      type: `cloudflare:index/${type}`,
      id,
      inputs: {},
      outputs: { zoneId: ZONE, ...outputs },
    })),
  },
});

const ACCESS = { mode: "whitelist", notes: "a `note`" };
const AGENT = { mode: "block", paused: false, description: "bad" };
const LOCKDOWN = { urls: ["example.com/admin/*"], paused: false };
const PLACES = [{ target: "ip_range", value: "192.0.2.0/24" }];

const PAGE = { target: "example.com/a/*", priority: 2, status: "active" };
const FORWARD = { target: "example.com/old/*", priority: 1, status: "active" };
const LIMIT = { threshold: 50, period: 60, disabled: false };
const REPLY = { body: "{}", content_type: "application/json" };

/** The same rules as the three tools have them. */
const version4 = terraformState(
  one("page_rule", "page", {
    ...PAGE,
    actions: [
      {
        always_use_https: false,
        browser_cache_ttl: "14400",
        cache_key_fields: [
          {
            cookie: [{ check_presence: ["a"], include: [] }],
            header: [],
            host: [{ resolved: true }],
            query_string: [{ exclude: [], ignore: true, include: [] }],
            user: [{ device_type: true, geo: false, lang: false }],
          },
        ],
        cache_level: "cache_everything",
        cache_ttl_by_status: [
          { codes: "200-299", ttl: 300 },
          { codes: "404", ttl: -1 },
        ],
        disable_apps: true,
        edge_cache_ttl: 0,
        forwarding_url: [],
        host_header_override: "",
        minify: [],
        ssl: "strict",
      },
    ],
  }),
  one("page_rule", "forward", {
    ...FORWARD,
    actions: [{ forwarding_url: [{ url: "https://example.org/$1", status_code: 301 }] }],
  }),
  one("access_rule", "access", { ...ACCESS, configuration: [{ target: "ip", value: "192.0.2.1" }] }),
  one("user_agent_blocking_rule", "agent", { ...AGENT, configuration: [{ target: "ua", value: "BadBot" }] }),
  one("zone_lockdown", "lockdown", { ...LOCKDOWN, priority: 3, configurations: PLACES }),
  one("rate_limit", "limit", {
    ...LIMIT,
    description: "",
    bypass_url_patterns: ["example.com/status"],
    correlate: [{ by: "nat" }],
    match: [
      {
        request: [{ methods: ["POST"], schemes: ["_ALL_"], url_pattern: "example.com/login" }],
        response: [
          { headers: [{ name: "Cf-Cache-Status", op: "ne", value: "HIT" }], origin_traffic: false, statuses: [401] },
        ],
      },
    ],
    action: [{ mode: "ban", timeout: 3600, response: [REPLY] }],
  }),
);
const version5 = terraformState(
  one("page_rule", "page", {
    ...PAGE,
    actions: {
      always_use_https: null,
      browser_cache_ttl: 14_400,
      cache_key_fields: {
        cookie: { check_presence: ["a"], include: null },
        header: null,
        host: { resolved: true },
        query_string: { exclude: ["*"], include: null },
        user: { device_type: true, geo: false, lang: false },
      },
      cache_level: "cache_everything",
      cache_ttl_by_status: { "200-299": "300", "404": "-1" },
      disable_apps: true,
      edge_cache_ttl: null,
      ssl: "strict",
    },
  }),
  one("page_rule", "forward", {
    ...FORWARD,
    actions: { forwarding_url: { url: "https://example.org/$1", status_code: 301 } },
  }),
  one("access_rule", "access", { ...ACCESS, configuration: { target: "ip", value: "192.0.2.1" } }),
  one("user_agent_blocking_rule", "agent", { ...AGENT, configuration: { target: "ua", value: "BadBot" } }),
  one("zone_lockdown", "lockdown", { ...LOCKDOWN, priority: 3, configurations: PLACES }),
  one("rate_limit", "limit", {
    ...LIMIT,
    description: "",
    bypass: [{ name: "url", value: "example.com/status" }],
    correlate: { by: "nat" },
    match: {
      request: { methods: ["POST"], schemes: ["_ALL_"], url: "example.com/login" },
      response: { origin_traffic: false, status: [401] },
      headers: [{ name: "Cf-Cache-Status", op: "ne", value: "HIT" }],
    },
    action: { mode: "ban", timeout: 3600, response: REPLY },
  }),
);
const pulumi = stack(
  [
    "pageRule:PageRule",
    "page",
    {
      ...PAGE,
      actions: {
        __defaults: [],
        browserCacheTtl: "14400",
        cacheKeyFields: {
          cookie: { checkPresences: ["a"], includes: [] },
          host: { resolved: true },
          queryString: { ignore: true },
          user: { deviceType: true, geo: false, lang: false },
        },
        cacheLevel: "cache_everything",
        cacheTtlByStatuses: [
          { codes: "200-299", ttl: 300 },
          { codes: "404", ttl: -1 },
        ],
        disableApps: true,
        ssl: "strict",
      },
    },
  ],
  [
    "pageRule:PageRule",
    "forward",
    { ...FORWARD, actions: { forwardingUrl: { url: "https://example.org/$1", statusCode: 301 } } },
  ],
  ["accessRule:AccessRule", "access", { ...ACCESS, configuration: { target: "ip", value: "192.0.2.1" } }],
  [
    "userAgentBlockingRule:UserAgentBlockingRule",
    "agent",
    { ...AGENT, configuration: { target: "ua", value: "BadBot" } },
  ],
  ["zoneLockdown:ZoneLockdown", "lockdown", { ...LOCKDOWN, priority: 3, configurations: PLACES }],
  [
    "rateLimit:RateLimit",
    "limit",
    {
      ...LIMIT,
      bypassUrlPatterns: ["example.com/status"],
      correlate: { by: "nat" },
      match: {
        request: { methods: ["POST"], schemes: ["_ALL_"], urlPattern: "example.com/login" },
        response: {
          headers: [{ name: "Cf-Cache-Status", op: "ne", value: "HIT" }],
          originTraffic: false,
          statuses: [401],
        },
      },
      action: { mode: "ban", timeout: 3600, response: { body: "{}", contentType: "application/json" } },
    },
  ],
);

/** As the service returns them. */
const SERVICE = {
  pageRules: [
    {
      id: "page",
      priority: 2,
      status: "active",
      targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/a/*" } }],
      actions: [
        { id: "browser_cache_ttl", value: 14_400 },
        {
          id: "cache_key_fields",
          value: {
            cookie: { check_presence: ["a"] },
            host: { resolved: true },
            query_string: { exclude: "*" },
            user: { device_type: true, geo: false, lang: false },
          },
        },
        { id: "cache_level", value: "cache_everything" },
        { id: "cache_ttl_by_status", value: { "200-299": 300, "404": -1 } },
        { id: "disable_apps" },
        { id: "ssl", value: "strict" },
      ],
    },
    {
      id: "forward",
      priority: 1,
      status: "active",
      targets: [{ target: "url", constraint: { operator: "matches", value: "example.com/old/*" } }],
      actions: [{ id: "forwarding_url", value: { url: "https://example.org/$1", status_code: 301 } }],
    },
  ],
  accessRules: [{ id: "access", ...ACCESS, configuration: { target: "ip", value: "192.0.2.1" } }],
  userAgents: [{ id: "agent", ...AGENT, configuration: { target: "ua", value: "BadBot" } }],
  lockdowns: [{ id: "lockdown", ...LOCKDOWN, priority: 3, configurations: PLACES }],
  rateLimits: [
    {
      id: "limit",
      threshold: 50,
      period: 60,
      bypass: [{ name: "url", value: "example.com/status" }],
      correlate: { by: "nat" },
      match: {
        request: { methods: ["POST"], schemes: ["_ALL_"], url: "example.com/login" },
        response: { status: [401], headers: [{ name: "Cf-Cache-Status", op: "ne", value: "HIT" }] },
      },
      action: { mode: "ban", timeout: 3600, response: REPLY },
    },
  ],
};

describe("previous features in another tool's state", () => {
  test.each([
    ["Terraform with version 4 of the provider", version4],
    ["Terraform with version 5 of the provider", version5],
    ["@pulumi/cloudflare", pulumi],
  ])("of %s are what the service returns", (_, state) => {
    const { zones, leftOut } = legacyOf(resourcesOf(state));
    expect([zones.length, leftOut]).toEqual([1, []]);
    const old = zones.map(({ wire }) => parseOldRules(wire));
    expect(old).toEqual([parseOldRules(SERVICE)]);
    expect(old.map((rules) => convert(rules).notes.filter(({ kind }) => kind === "left"))).toEqual([[]]);
  });

  const programOf = (...given: readonly Given[]) => {
    const resources = resourcesOf(terraformState(...given));
    const { zones, leftOut } = legacyOf(resources);
    const { inventory, migrations } = addMigrations(inventoryOf(resources), zones, false);
    const notes = migrations.flatMap(({ conversion }) => conversion.notes.filter(({ kind }) => kind === "left"));
    return { inventory, zones, leftOut, left: notes.map(({ rule, text }) => `${rule.label}: ${text}`) };
  };

  test("what a state hides, and settings that are not known, are named", () => {
    const actions = (more: object) => ({ target: "example.com/*", priority: 1, status: "active", actions: [more] });
    const hides = (given: Given, ...path: readonly (string | number)[]): Given => ({
      ...given,
      sensitive: [
        [path.map((step) => ({ type: typeof step === "string" ? "get_attr" : "index", value: step }))],
        undefined,
      ],
    });
    const { left } = programOf(
      hides(one("page_rule", "a", actions({ host_header_override: "secret" })), "actions", 0, "host_header_override"),
      hides(one("page_rule", "b", { ...actions({ ssl: "off" }), target: "b.example.com/*" }), "actions"),
      hides(one("page_rule", "c", actions({ ssl: "off" })), "target"),
      one("page_rule", "d", { ...actions({ orbit: "on" }), target: "d.example.com/*" }),
      hides(
        one("access_rule", "e", { mode: "block", configuration: [{ target: "ip", value: "192.0.2.1" }] }),
        "configuration",
      ),
      hides(one("zone_lockdown", "f", { ...LOCKDOWN, configurations: PLACES }), "urls"),
    );
    expect(left).toEqual([
      'page rule "example.com/*": the state hides the value of host_header_override',
      'page rule "b.example.com/*": the state hides the value of actions',
      'page rule "d.example.com/*": this version does not know its setting orbit',
      'page rule "": the state hides its URL',
      'lockdown "": the state hides a part of it',
      'access rule " ": the state hides a part of it',
    ]);
  });

  test("of other tools' secrets no value is written", () => {
    const state = stack(["pageRule:PageRule", "a", { target: "a.example.com/*", actions: wrapSecret({ ssl: "off" }) }]);
    const { zones } = legacyOf(resourcesOf(state));
    expect(zones.flatMap(({ wire }) => parseOldRules(wire).pageRules.map(({ leftAlone }) => leftAlone))).toEqual([
      "the state hides the value of actions",
    ]);
  });

  test("rules of no zone are named", () => {
    const block = { mode: "block", configuration: [{ target: "ip", value: "192.0.2.1" }] };
    const { leftOut, zones } = programOf(
      one("access_rule", "a", { zone_id: null, account_id: "acc", ...block }),
      one("access_rule", "b", { zone_id: null, ...block }),
    );
    expect(zones).toEqual([]);
    expect(leftOut.map(({ where, reason }) => `${where}: ${reason}`)).toEqual([
      "account acc: it belongs to the account, and acts on all of its zones; write a rule of the account",
      "an unknown zone or account: the state contains neither its zone nor its account",
    ]);
  });

  const many = Array.from({ length: 300 }, (_, at) =>
    one("access_rule", `a${String(at)}`, {
      mode: "block",
      configuration: [{ target: "ip", value: `198.51.${String(at >> 8)}.${String(at & 255)}` }],
    }),
  );
  test.each([
    ["version 4", { plan: "pro", account_id: "acc" }],
    ["version 5", { plan: { legacy_id: "pro" }, account: { id: "acc" } }],
  ])("a long list of addresses becomes a list of the account that the zone names: %s", (_, more) => {
    const zone = { ...one("zone", "z", { name: "example.com", ...more }), mode: "data" };
    const known = programOf({ ...zone, values: { ...zone.values, id: ZONE } }, ...many);
    expect([known.left, known.zones[0]?.plan, known.zones[0]?.name]).toEqual([[], "pro", "example.com"]);
    expect(known.inventory.scopes.map(({ scope, lists }) => [scope.level, scope.id, lists?.length])).toEqual([
      ["zones", ZONE, undefined],
      ["accounts", "acc", 1],
    ]);
  });

  test("without its account, rules that need a list are left alone", () => {
    const { left, inventory } = programOf(...many);
    expect(left).toHaveLength(300);
    expect(left[0]).toContain("the account of the zone is not known");
    expect(inventory.scopes).toEqual([]);
  });

  test("without --from-legacy, they are counted", () => {
    expect(legacyLeftOut(resourcesOf(version4)).map(({ where, what }) => `${where}: ${what}`)).toEqual([
      `zone ${ZONE}: 2 × cloudflare_page_rule`,
      ...["access_rule", "user_agent_blocking_rule", "zone_lockdown", "rate_limit"].map(
        (type) => `zone ${ZONE}: 1 × cloudflare_${type}`,
      ),
    ]);
    const only = one("page_rule", "a", { target: "example.com/*", actions: [{ disable_security: true }] });
    expect(legacyLeftOut(resourcesOf(terraformState(only)))).toEqual([]);
  });
});
