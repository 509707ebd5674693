import * as pulumi from "@pulumi/pulumi";
import { promiseOf } from "../../../provider/resources/promise-of.js";
import { ACTION_NAMES } from "../../../provider/validation/tables.js";
import { checkRules, failureText } from "../../../provider/validation/index.js";
import {
  block,
  challenge,
  compressResponse,
  execute,
  jsChallenge,
  log,
  logCustomField,
  managedChallenge,
  managedRulesets,
  owasp,
  rateLimit,
  redirect,
  rewrite,
  route,
  score,
  serveError,
  setCache,
  setCacheControl,
  setCacheTags,
  setConfig,
  skip,
  staged,
  transformResponseHtml,
  type Rule as RulesetRule,
} from "../../../provider/index.js";

const expression = "true";
const [a, b] = ["a".repeat(32), "b".repeat(32)] as const;
const response = { statusCode: 403, contentType: "text/plain", content: "no" };
const every = { all: true } as const;
const limit = { characteristics: ["cf.colo.id", "ip.src"], period: 60 } as const;

/** By phase, the result of a factory and what a program would write without it. */
const samples: readonly (readonly [phase: string, rule: RulesetRule, written: object])[] = [
  ["http_request_firewall_custom", block({ expression, ref: "r" }), { action: "block", ref: "r" }],
  [
    "http_request_firewall_custom",
    block({ expression, ref: "r", from: "2026-12-01", until: "2026-12-31", split: true }),
    { action: "block", ref: "r", from: "2026-12-01", until: "2026-12-31", split: true },
  ],
  [
    "http_request_firewall_custom",
    staged(block({ expression, ref: "r" }), { stage: "log" }),
    { action: "block", ref: "r", stage: "log" },
  ],
  [
    "http_request_firewall_custom",
    block({ expression, response }),
    { action: "block", actionParameters: { response } },
  ],
  ["http_request_firewall_custom", challenge({ expression, enabled: false }), { action: "challenge", enabled: false }],
  ["http_request_firewall_custom", jsChallenge({ expression }), { action: "js_challenge" }],
  [
    "http_request_firewall_custom",
    managedChallenge({ expression, description: "D" }),
    { action: "managed_challenge", description: "D" },
  ],
  ["http_request_firewall_custom", log({ expression }), { action: "log" }],
  [
    "http_request_firewall_custom",
    skip({ expression, ruleset: "current", logging: false }),
    { action: "skip", actionParameters: { ruleset: "current" }, logging: { enabled: false } },
  ],
  [
    "http_request_firewall_custom",
    skip({ expression, phases: ["http_ratelimit"], products: ["waf"] }),
    { action: "skip", actionParameters: { phases: ["http_ratelimit"], products: ["waf"] } },
  ],
  [
    "http_request_firewall_custom",
    skip({ expression, phase: "current" }),
    { action: "skip", actionParameters: { phase: "current" } },
  ],
  [
    "http_request_firewall_managed",
    skip({ expression, rulesets: [a], rules: { [b]: [a] } }),
    { action: "skip", actionParameters: { rulesets: [a], rules: { [b]: [a] } } },
  ],
  [
    "http_request_firewall_managed",
    execute({ ruleset: managedRulesets.free }),
    { action: "execute", actionParameters: { id: managedRulesets.free } },
  ],
  [
    "http_request_firewall_managed",
    execute({
      ruleset: a,
      expression,
      matchedData: { publicKey: "k" },
      overrides: {
        enabled: true,
        categories: [{ category: "x", action: "log" }],
        rules: [{ id: b, scoreThreshold: 25 }],
      },
    }),
    {
      action: "execute",
      actionParameters: {
        id: a,
        matchedData: { publicKey: "k" },
        overrides: {
          enabled: true,
          categories: [{ category: "x", action: "log" }],
          rules: [{ id: b, scoreThreshold: 25 }],
        },
      },
    },
  ],
  [
    "http_ratelimit",
    rateLimit({ expression, action: "block", ...limit, requestsPerPeriod: 10, mitigationTimeout: 60, response }),
    {
      action: "block",
      actionParameters: { response },
      ratelimit: { ...limit, requestsPerPeriod: 10, mitigationTimeout: 60 },
    },
  ],
  [
    "http_ratelimit",
    rateLimit({ expression, action: "log", ...limit, scorePerPeriod: 10, scoreResponseHeaderName: "x-s" }),
    { action: "log", ratelimit: { ...limit, scorePerPeriod: 10, scoreResponseHeaderName: "x-s" } },
  ],
  [
    "http_request_dynamic_redirect",
    redirect({ expression, targetUrl: "https://a.example", statusCode: 301 }),
    {
      action: "redirect",
      actionParameters: { fromValue: { targetUrl: { value: "https://a.example" }, statusCode: 301 } },
    },
  ],
  [
    "http_request_dynamic_redirect",
    redirect({ expression, targetUrl: { expression: 'concat("https://", http.host)' }, preserveQueryString: true }),
    {
      action: "redirect",
      actionParameters: {
        fromValue: { targetUrl: { expression: 'concat("https://", http.host)' }, preserveQueryString: true },
      },
    },
  ],
  [
    "http_request_redirect",
    redirect({ expression, fromList: { name: "moved", key: "http.request.full_uri" } }),
    { action: "redirect", actionParameters: { fromList: { name: "moved", key: "http.request.full_uri" } } },
  ],
  [
    "http_request_transform",
    rewrite({ expression, path: "/new", query: "" }),
    { action: "rewrite", actionParameters: { uri: { path: { value: "/new" }, query: { value: "" } } } },
  ],
  [
    "http_request_late_transform",
    rewrite({ expression, headers: { "x-a": { operation: "set", value: "b" }, "x-c": { operation: "remove" } } }),
    {
      action: "rewrite",
      actionParameters: { headers: { "x-a": { operation: "set", value: "b" }, "x-c": { operation: "remove" } } },
    },
  ],
  [
    "http_request_origin",
    route({ expression, hostHeader: "a.example", origin: { port: 8080 }, sni: "a.example" }),
    {
      action: "route",
      actionParameters: { hostHeader: "a.example", origin: { port: 8080 }, sni: { value: "a.example" } },
    },
  ],
  [
    "http_custom_errors",
    serveError({ expression, contentType: "text/html", content: "<p>", statusCode: 503 }),
    { action: "serve_error", actionParameters: { contentType: "text/html", content: "<p>", statusCode: 503 } },
  ],
  [
    "http_response_compression",
    compressResponse({ expression, algorithms: ["zstd", "gzip"] }),
    { action: "compress_response", actionParameters: { algorithms: [{ name: "zstd" }, { name: "gzip" }] } },
  ],
  [
    "http_log_custom_fields",
    logCustomField({ expression, cookieFields: ["c"], responseFields: ["r", { name: "s", preserveDuplicates: true }] }),
    {
      action: "log_custom_field",
      actionParameters: {
        cookieFields: [{ name: "c" }],
        responseFields: [{ name: "r" }, { name: "s", preserveDuplicates: true }],
      },
    },
  ],
  [
    "http_config_settings",
    setConfig({ expression, ssl: "strict", disableZaraz: true }),
    { action: "set_config", actionParameters: { ssl: "strict", disableZaraz: true } },
  ],
  [
    "http_request_cache_settings",
    setCache({
      expression,
      cache: true,
      edgeTtl: { mode: "override_origin", default: 60, statusCodeTtls: [{ statusCodeRange: { from: 500 }, value: 0 }] },
      browserTtl: { mode: "bypass" },
      cacheKey: { customKey: { queryString: { exclude: { lists: ["utm"] } } } },
    }),
    {
      action: "set_cache_settings",
      actionParameters: {
        cache: true,
        edgeTtl: {
          mode: "override_origin",
          default: 60,
          statusCodeTtls: [{ statusCodeRange: { from: 500 }, value: 0 }],
        },
        browserTtl: { mode: "bypass" },
        cacheKey: { customKey: { queryString: { exclude: { lists: ["utm"] } } } },
      },
    },
  ],
  [
    "http_response_cache_settings",
    setCacheControl({
      expression,
      maxAge: { operation: "set", value: 60 },
      noStore: { operation: "remove" },
      private: { operation: "set", qualifiers: ["x-a"] },
    }),
    {
      action: "set_cache_control",
      actionParameters: {
        maxAge: { operation: "set", value: 60 },
        noStore: { operation: "remove" },
        private: { operation: "set", qualifiers: ["x-a"] },
      },
    },
  ],
  [
    "http_response_cache_settings",
    setCacheTags({ expression, operation: "add", values: ["t"] }),
    { action: "set_cache_tags", actionParameters: { operation: "add", values: ["t"] } },
  ],
  [
    "http_response_cache_settings",
    setCacheTags({
      expression,
      operation: "set",
      values: { expression: 'split(http.response.headers["x-tags"][0], ",", 10)' },
    }),
    {
      action: "set_cache_tags",
      actionParameters: { operation: "set", expression: 'split(http.response.headers["x-tags"][0], ",", 10)' },
    },
  ],
];

test.each(samples)(
  "in %s a factory returns what a program would write, and a preview accepts it",
  (phase, rule, written) => {
    expect(rule).toEqual({ expression, ...written });
    expect(checkRules([rule], { phase, kind: "zone" }).failures.map(failureText)).toEqual([]);
  },
);

test("every action has a factory, except those that only overrides use", () => {
  const rules = [
    ...samples.map(([, rule]) => rule),
    score({ expression, increment: -1 }),
    transformResponseHtml({ expression }),
  ];
  const actions = new Set(rules.map(({ action }) => action));
  expect(ACTION_NAMES.filter((action) => !actions.has(action))).toEqual(["ddos_dynamic", "force_connection_close"]);
  expect(rules.slice(-2)).toEqual([
    { action: "score", expression, actionParameters: { increment: -1 } },
    { action: "transform_response_html", expression, actionParameters: { linkMaze: {} } },
  ]);
});

test("the rule of the core ruleset is created by the same factory", () => {
  expect(owasp({ paranoiaLevel: 3, ref: "owasp" })).toMatchObject({
    action: "execute",
    expression: "true",
    ref: "owasp",
    actionParameters: { id: managedRulesets.owaspCore, overrides: { categories: [{ category: "paranoia-level-4" }] } },
  });
});

/** Compiled by `npm run types`, and never run: every invalid combination is a compile error. */
export const refused = (): unknown[] => [
  // @ts-expect-error an expression is required
  block({}),
  // @ts-expect-error a response must be complete
  block({ expression, response: { statusCode: 403 } }),
  // @ts-expect-error parameters of another action
  log({ expression, response }),
  // @ts-expect-error something must be skipped
  skip({ expression }),
  // @ts-expect-error either the rest of the ruleset, or other rulesets
  skip({ expression, ruleset: "current", rulesets: [a] }),
  // @ts-expect-error either other rulesets, or phases
  skip({ expression, rulesets: [a], phases: ["http_ratelimit"] }),
  // @ts-expect-error a phase can only be combined with products
  skip({ expression, phase: "current", rules: { [a]: [b] } }),
  // @ts-expect-error names are case-sensitive
  skip({ expression, products: ["ratelimit"] }),
  // @ts-expect-error a ruleset is required
  execute({ expression }),
  // @ts-expect-error an override without effect
  execute({ ruleset: a, overrides: {} }),
  // @ts-expect-error an override of a tag without effect
  execute({ ruleset: a, overrides: { categories: [{ category: "x" }] } }),
  // @ts-expect-error a threshold belongs to a rule
  execute({ ruleset: a, overrides: { categories: [{ category: "x", scoreThreshold: 25 }] } }),
  // @ts-expect-error a misspelled action
  execute({ ruleset: a, overrides: { action: "blok" } }),
  // @ts-expect-error requests or scores are required
  rateLimit({ expression, action: "block", ...limit }),
  // @ts-expect-error but not both
  rateLimit({
    expression,
    action: "block",
    ...limit,
    requestsPerPeriod: 1,
    scorePerPeriod: 1,
    scoreResponseHeaderName: "x",
  }),
  // @ts-expect-error only a block has a response
  rateLimit({ expression, action: "log", ...limit, requestsPerPeriod: 1, response }),
  // @ts-expect-error no such period
  rateLimit({ expression, action: "log", characteristics: ["cf.colo.id"], period: 61, requestsPerPeriod: 1 }),
  // @ts-expect-error a target or a list is required
  redirect({ expression }),
  // @ts-expect-error but not both
  redirect({ expression, targetUrl: "https://a.example", fromList: { name: "l", key: "http.host" } }),
  // @ts-expect-error a list contains the status
  redirect({ expression, fromList: { name: "l", key: "http.host" }, statusCode: 301 }),
  // @ts-expect-error not a redirect status
  redirect({ expression, targetUrl: "https://a.example", statusCode: 300 }),
  // @ts-expect-error nothing to rewrite
  rewrite({ expression }),
  // @ts-expect-error a removal has no value
  rewrite({ expression, headers: { a: { operation: "remove", value: "b" } } }),
  // @ts-expect-error a value is required
  rewrite({ expression, headers: { a: { operation: "set" } } }),
  // @ts-expect-error either a value or an expression
  rewrite({ expression, headers: { a: { operation: "set", value: "b", expression: "http.host" } } }),
  // @ts-expect-error an origin without a target
  route({ expression, origin: {} }),
  // @ts-expect-error either content or an asset
  serveError({ expression, contentType: "text/html", content: "a", assetName: "b" }),
  // @ts-expect-error no such media type
  serveError({ expression, contentType: "text/htm", content: "a" }),
  // @ts-expect-error an algorithm is required
  compressResponse({ expression, algorithms: [] }),
  // @ts-expect-error a field is required
  logCustomField({ expression }),
  // @ts-expect-error a setting is required
  setConfig({ expression }),
  // @ts-expect-error no such level
  setConfig({ expression, securityLevel: "hihg" }),
  // @ts-expect-error can only be disabled
  setConfig({ expression, disableZaraz: false }),
  // @ts-expect-error a time is required
  setCache({ expression, browserTtl: { mode: "override_origin" } }),
  // @ts-expect-error a time without effect
  setCache({ expression, edgeTtl: { mode: "respect_origin", default: 60 } }),
  // @ts-expect-error either include or exclude
  setCache({ expression, cacheKey: { customKey: { queryString: { include: every, exclude: every } } } }),
  // @ts-expect-error a setting of another action
  setCache({ expression, ssl: "strict" }),
  // @ts-expect-error a number of seconds is required
  setCacheControl({ expression, maxAge: { operation: "set" } }),
  // @ts-expect-error a removal has none
  setCacheControl({ expression, maxAge: { operation: "remove", value: 1 } }),
  // @ts-expect-error tags are required
  setCacheTags({ expression, operation: "add" }),
  // @ts-expect-error a number is required
  score({ expression }),
];

test("a stage can be a share, also one that is not known yet", async () => {
  const rule = block({ expression, ref: "r" });
  const percent = pulumi.output(25);
  for (const [stage, text] of [
    [{ percent: 5 }, "5%"],
    [{ percent }, "25%"],
    [pulumi.output("full" as const), "full"],
  ] as const) {
    const written = await promiseOf(pulumi.output(staged(rule, { stage }).stage));
    expect(written).toBe(text);
  }
});
