import plans from "../../../schema/plans.json";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { findingText } from "../../../provider/validation/index.js";
import { findingsOf } from "../../../tools/rules-files/check/report.js";
import { findNeeds, isEntitled, unmetNeed, newNeeds } from "../../../provider/validation/checks/entitlements.js";

const custom = "http_request_firewall_custom";
const rule = (expression: string, more: object = {}) => ({ action: "block", expression, ...more });
const limited = (more: object) => rule('http.request.uri.path eq "/"', more);
const copies = (count: number) => Array.from({ length: count }, () => rule("ssl"));
const MATCHES = 'http.host matches "a"';
const LIMITS = "http_ratelimit";
const needs = (rules: unknown[], phase = custom) => findNeeds(rules, phase).map(({ key, least }) => `${key}: ${least}`);

describe("which plan a rule needs", () => {
  test.each<[string, object[], string, string[]]>([
    ["nothing", [rule("ssl")], custom, []],
    ["the operator matches", [rule(MATCHES)], custom, ["operator matches: business"]],
    ["its other spelling", [rule('http.host~"a"')], custom, ["operator matches: business"]],
    ["matches with a raw string", [rule('http.host matches r#"a " b"#')], custom, ["operator matches: business"]],
    ["the word inside a string", [rule('http.host contains " matches ~ "')], custom, []],
    ["the word as part of a name", [rule('cf.matches.a eq "x" and http.host in $matches')], custom, []],
    ["an invalid expression, which is refused anyway", [rule('http.host matches "a')], custom, []],
    [
      "matches for each element",
      [rule('any((http.request.headers.names[*] matches "a" and not http.request.headers.names[*] eq "b"))')],
      custom,
      ["operator matches: business"],
    ],
    [
      "a function as an argument, with white space",
      [rule('len(regex_replace (http.host, "a", "b")) gt 3')],
      custom,
      ["function regex_replace: business"],
    ],
    ["a function name in a string", [rule('http.host contains "regex_replace(a)"')], custom, []],
    ["the action log", [rule("ssl", { action: "log" })], custom, ["action log: enterprise"]],
    [
      "the action log of an override",
      [rule("ssl", { actionParameters: { overrides: { action: "log" } } })],
      custom,
      [],
    ],
    [
      "a managed ruleset",
      [rule("true", { action: "execute", actionParameters: { id: managedRulesets.owaspCore } })],
      "http_request_firewall_managed",
      [`ruleset ${managedRulesets.owaspCore}: pro`],
    ],
    [
      "a function in a value",
      [
        rule("true", {
          action: "rewrite",
          actionParameters: { uri: { path: { expression: 'regex_replace(http.request.uri.path, "a", "b")' } } },
        }),
      ],
      "http_request_transform",
      ["function regex_replace: business"],
    ],
    ...(
      [
        [{ edgeTtl: { mode: "override_origin", default: 60 } }, ["edgeTtl.default business: business"]],
        [{ browserTtl: { mode: "override_origin", default: 3600 } }, []],
        [{ edgeTtl: { mode: "override_origin", default: 0 } }, []],
        [{ originCacheControl: true, cacheKey: { customKey: { queryString: { exclude: { all: true } } } } }, []],
      ] as const
    ).map(([actionParameters, needed]): [string, object[], string, string[]] => [
      `cache settings ${JSON.stringify(actionParameters)}`,
      [rule("true", { action: "set_cache_settings", actionParameters })],
      "http_request_cache_settings",
      [...needed],
    ]),
    [
      "a counting expression",
      [limited({ ratelimit: { countingExpression: 'http.host matches "a"' } })],
      LIMITS,
      ["operator matches: enterprise", "field http.host: pro", "countingExpression business: business"],
    ],
    [
      "requests to the origin alone, or all",
      [limited({ ratelimit: { requestsToOrigin: true } }), limited({ ratelimit: { requestsToOrigin: false } })],
      "http_ratelimit",
      ["requestsToOrigin business: business", "rules: pro"],
    ],
    [
      "another host for the origin",
      [rule("ssl", { action: "route", actionParameters: { hostHeader: "a.test", origin: { port: 8443 } } })],
      "http_request_origin",
      ["parameter hostHeader: enterprise"],
    ],
    [
      "fields of larger plans",
      [rule("cf.bot_management.score lt 30 and ssl"), rule("cf.bot_management.score lt 3")],
      custom,
      ["field cf.bot_management.score: enterprise"],
    ],
    [
      "a rate limit by a field other than the path",
      [rule('http.host eq "a" and http.request.uri.path eq "/"')],
      LIMITS,
      ["field http.host: pro"],
    ],
    [
      "a rate limit of the smallest plan",
      [limited({ ratelimit: { characteristics: ["cf.colo.id", "ip.src"], period: 10, mitigationTimeout: 10 } })],
      LIMITS,
      [],
    ],
    [
      "a rate limit with longer times, other characteristics and a counting expression",
      [
        limited({
          ratelimit: {
            characteristics: ["cf.colo.id", "cf.unique_visitor_id", 'http.request.headers["x"]'],
            period: 120,
            mitigationTimeout: 3600,
            countingExpression: "true",
            scorePerPeriod: 10,
          },
        }),
      ],
      LIMITS,
      [
        "period business: business",
        "mitigationTimeout pro: pro",
        "cf.unique_visitor_id business: business",
        'http.request.headers["x"] enterprise: enterprise',
        "countingExpression business: business",
        "scorePerPeriod enterprise: enterprise",
      ],
    ],
    [
      "a timeout of a challenge, but not of a block",
      [
        limited({ action: "managed_challenge", ratelimit: { period: 10, mitigationTimeout: 10 } }),
        limited({ action: "managed_challenge", ratelimit: { period: 10, mitigationTimeout: 0 } }),
        limited({ ratelimit: { period: 10, mitigationTimeout: 0 } }),
      ],
      LIMITS,
      ["mitigationTimeout enterprise: enterprise", "rules: business"],
    ],
    [
      "a rate limit that is not known yet",
      [
        limited({
          action: UNKNOWN,
          ratelimit: { characteristics: [UNKNOWN], period: UNKNOWN, mitigationTimeout: 3, countingExpression: UNKNOWN },
        }),
        limited({ ratelimit: UNKNOWN }),
      ],
      LIMITS,
      ["rules: pro"],
    ],
    ["what is not known yet", [rule(UNKNOWN, { action: UNKNOWN })], custom, []],
  ])("%s", (_, rules, phase, expected) => {
    expect(needs(rules, phase)).toEqual(expected);
  });
  test("claims nothing about a rule with unknown values, or a phase without documented limits", () => {
    expect(needs([UNKNOWN])).toEqual([]);
    expect(needs(copies(5000), "http_request_sanitize")).toEqual([]);
  });
  test("counts rules beyond the limit of the smallest plan", () => {
    expect(needs(copies(5))).toEqual([]);
    expect(needs(copies(6))).toEqual(["rules: pro"]);
    expect(needs(copies(21))).toEqual(["rules: business"]);
    expect(needs(copies(1000))).toEqual(["rules: enterprise"]);
    expect(needs(copies(1001))).toEqual(["rules: none"]);
    expect(needs(copies(1), "http_custom_errors")).toEqual(["rules: pro"]);
  });
});

test("existing rules already show that the account has the feature", () => {
  const log = rule("ssl", { action: "log" });
  const before = findNeeds([log, rule(MATCHES)], custom);
  const after = findNeeds([rule("true", { action: "log" }), rule('http.host matches "b"'), log], custom);
  expect(newNeeds(after, before)).toEqual([]);
  const more = (count: number) => findNeeds(copies(count), custom);
  expect(newNeeds(more(8), more(8))).toEqual([]);
  expect(newNeeds(more(7), more(8))).toEqual([]);
  expect(newNeeds(more(9), more(8))).toHaveLength(1);
});

test("a plan includes the features of smaller ones; unknown plans get no warning", () => {
  const [need] = findNeeds([rule(MATCHES)], custom);
  if (need === undefined) throw new Error("no need");
  const entitled = ["free", "pro", "business", "enterprise", "pro_plus", "", "toString"].map((plan) =>
    isEntitled(need, plan),
  );
  expect(entitled).toEqual([false, false, true, true, true, true, true]);
});

test("warnings contain the feature, the place, the plan, and which plan has it", () => {
  const zone = { name: "example.com", plan: "free" };
  const rules = [rule("ssl"), rule(MATCHES), rule("ssl", { action: "log" }), ...copies(4)];
  expect(findNeeds(rules, custom).map((need) => findingText(unmetNeed(need, zone)))).toEqual([
    "rules[1].expression: the Free plan of example.com does not include the operator matches, which needs a Business plan or WAF Advanced. The service rejects it unless the account has it by contract",
    "rules[2].action: the Free plan of example.com does not include the action log, which needs at least the Enterprise plan",
    "rules: there are 7 rules, but the Free plan of example.com includes 5 in http_request_firewall_custom; the Pro plan includes 20",
  ]);
  const [many] = findNeeds(copies(1001), custom);
  if (many === undefined) throw new Error("no need");
  const cached = rule("true", { action: "set_cache_settings", actionParameters: { edgeTtl: { default: 60 } } });
  const short = findNeeds([cached], "http_request_cache_settings").map((need) => findingText(unmetNeed(need, zone)));
  expect(short).toEqual([expect.stringMatching(/Business plan[.] The service is known to take it from some zones$/)]);
  expect(findingText(unmetNeed(many, { name: "", plan: "enterprise" }))).toBe(
    "rules: there are 1001 rules, but the Enterprise plan of the zone includes 1000 in http_request_firewall_custom. The service rejects more unless the account has them by contract",
  );
});

test("every fact has a public source", () => {
  const facts = [
    ...Object.values(plans.rules),
    ...plans.features,
    ...plans.lists,
    plans.lifetimes,
    plans.accountCustomRules,
  ];
  expect(facts.length).toBeGreaterThan(15);
  for (const { source } of facts)
    expect(source).toMatch(/^https:\/\/developers\.cloudflare\.com\/[a-z0-9/-]+\/(?:#[a-z0-9-]+)?$/);
});

test.each([
  ["a zone that has them", { zone: { name: "example.com", plan: "free" } }, {}, ["warning"]],
  ["a program", {}, {}, ["error"]],
  ["a custom ruleset, which has a limit of its own", {}, { kind: "custom" }, []],
] as const)("rules check says of more rules than the plan has, in %s", (_what, source, more, severities) => {
  const rules = Array.from({ length: 6 }, (_, index) =>
    rule(`http.host eq "${String(index)}"`, { ref: String(index) }),
  );
  const rulesets = [{ label: "", input: { phase: custom, rules, ...more } }];
  const found = findingsOf(
    { label: "", notes: [], secrets: [], rulesets, ...source },
    { plan: "free", now: "2026-11-28T00:00:00Z" },
  );
  expect(found.flatMap(({ found: { code, severity } }) => (code === "plan" ? [severity] : []))).toEqual(severities);
});
