import { compare, type Comparison } from "../../../core/analysis/index";
import { simulate, type RuleInput, type RulesetInput } from "../../../core/simulator/index";

const FIREWALL = "http_request_firewall_custom";
const MANAGED = "http_request_firewall_managed";
const zone = (rules: readonly RuleInput[], phase = FIREWALL): RulesetInput[] => [{ kind: "zone", phase, rules }];
const block = (ref: string, expression: string, more: Partial<RuleInput> = {}): RuleInput => ({
  ref,
  action: "block",
  expression,
  ...more,
});
const act = (rule: RuleInput, action: string): RuleInput => ({ ...rule, action });
const A = block("a", 'http.request.uri.path eq "/a"');
const B = block("b", 'starts_with(http.request.uri.path, "/b")');
const office = { ref: "office", action: "skip", expression: "ip.src in {192.0.2.0/24}" };
const skip = (actionParameters: object): RuleInput => ({ ...office, actionParameters });
const bic = { products: ["bic"] };
const current = { ruleset: "current" };
const limit = (requestsPerPeriod: number): RuleInput =>
  block("limit", 'http.request.uri.path eq "/login"', {
    ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod, mitigationTimeout: 60 },
  });
const execute = (overrides?: object): RuleInput => ({
  ref: "run",
  action: "execute",
  expression: "true",
  actionParameters: { id: "managed", overrides },
});

const other = (action: string): RuleInput => ({
  ...execute({ action }),
  ref: "other",
  actionParameters: { id: "other", overrides: { action } },
});
const challenge = { ...A, ref: "challenge", action: "managed_challenge", expression: "ssl" };
const LIMIT = limit(10);
const withLimit = (more: object): RuleInput => ({ ...LIMIT, ratelimit: { ...LIMIT.ratelimit, ...more } });
const limits = (...rules: RuleInput[]) => zone(rules, "http_ratelimit");
const managed = (...rules: RuleInput[]) => zone(rules, MANAGED);
const blocking = (expression: string) => zone([block("a", expression)]);

const SEED = "hash_in_range(0, 100, cf.random_seed)";
const share = (percent: number): string => `${SEED} lt ${String(percent)}`;

type Case = [
  name: string,
  verdict: Comparison["verdict"],
  before: RulesetInput[],
  after: RulesetInput[],
  witness?: string,
];

const cases: Case[] = [
  ["nothing", "equivalent", zone([A, B]), zone([A, B])],
  ["another order of rules with the same action", "equivalent", zone([A, B]), zone([B, A])],
  ["another notation", "equivalent", blocking('http.host eq "a" and ssl'), blocking('ssl && http.host in {"a"}')],
  ["one covered rule less", "equivalent", zone([B, block("c", 'http.request.uri.path eq "/b/c"')]), zone([B])],
  ["a rule that only logs", "equivalent", zone([act(A, "log")]), zone([])],
  ["a skip rule at the end", "equivalent", zone([A]), zone([A, skip(current)])],
  [
    "one rule more",
    "stricter",
    zone([A]),
    zone([A, B]),
    'GET https://www.example.com/b from 203.0.113.9: allowed → blocked by "b"',
  ],
  [
    "one rule less",
    "looser",
    zone([A, B]),
    zone([A]),
    'GET https://www.example.com/b from 203.0.113.9: blocked by "b" → allowed',
  ],
  ["a rule disabled", "looser", zone([A]), zone([{ ...A, enabled: false }])],
  ["a challenge instead of a block", "looser", zone([A]), zone([act(A, "managed_challenge")])],
  [
    "a wider network",
    "stricter",
    blocking("ip.src in {10.0.0.0/9}"),
    blocking("ip.src in {10.0.0.0/8}"),
    'GET https://www.example.com/ from 10.128.0.0: allowed → blocked by "a"',
  ],
  ["one rule replaced by another", "both", zone([A]), zone([B])],
  ["a skip rule before others", "looser", zone([A, B]), zone([skip(current), A, B])],
  [
    "a higher rate limit",
    "both",
    limits(limit(10)),
    limits(limit(20)),
    'GET https://www.example.com/login from 203.0.113.9: limited by "limit" after 10 requests → limited by "limit" after 20 requests',
  ],
  [
    "a file name instead of a path",
    "looser",
    blocking('http.request.uri.path.basename eq "a.php"'),
    blocking("ssl and not ssl"),
  ],
  ["a TLS version, which only https has", "stricter", blocking('cf.tls_version eq "TLSv1.2"'), blocking("ssl")],
  [
    "a language, shown by its header",
    "looser",
    blocking('any(http.request.accepted_languages[*] eq "de")'),
    zone([]),
    'GET https://www.example.com/ from 203.0.113.9 (accept-language: de): blocked by "a" → allowed',
  ],
  ["a lower rate limit", "both", limits(limit(10)), limits(limit(5))],
  ["an exception for managed rules", "looser", managed(execute()), managed(skip({ rulesets: ["managed"] }), execute())],
  ["managed rules that only log", "looser", managed(execute()), managed(execute({ action: "log" }))],
  [
    "an exception for one managed rule",
    "looser",
    managed(execute()),
    managed(skip({ rules: { managed: ["x"] } }), execute()),
    "GET https://www.example.com/ from 192.0.2.5: allowed as before, now without rule x of managed",
  ],
  [
    "a skipped phase whose rules are not given",
    "looser",
    zone([A]),
    zone([skip({ phases: ["http_request_sbfm"] }), A]),
    "GET https://www.example.com/ from 192.0.2.5: allowed as before, now without phase http_request_sbfm",
  ],
  ["a skip rule that skips more", "looser", zone([skip(bic)]), zone([skip({ ...bic, phases: ["http_ratelimit"] })])],
  ["a skip rule that skips less", "stricter", zone([skip({ products: ["bic", "waf"] })]), zone([skip(bic)])],
  [
    "a skip rule for fewer requests",
    "stricter",
    zone([skip(bic)]),
    zone([{ ...office, expression: "ip.src in {192.0.2.0/25}", actionParameters: bic }]),
  ],
  [
    "a skip rule that is written differently",
    "equivalent",
    zone([skip(bic)]),
    zone([{ ...office, expression: "(ip.src in { 192.0.2.0/24 })", actionParameters: bic }]),
  ],
  [
    "a skip rule that two others replace",
    "equivalent",
    zone([skip({ products: ["bic", "waf"] })]),
    zone([skip(bic), { ...office, ref: "more", actionParameters: { products: ["waf"] } }]),
  ],
  ["managed rules that all block", "stricter", managed(execute()), managed(execute({ action: "block" }))],
  [
    "managed rules that challenge instead of what they do by default",
    "unknown",
    managed(execute()),
    managed(execute({ action: "managed_challenge" })),
  ],
  [
    "a lower threshold than the default of 40",
    "stricter",
    managed(execute()),
    managed(execute({ rules: [{ id: "score", scoreThreshold: 25 }] })),
  ],
  [
    "a higher threshold",
    "looser",
    managed(execute({ rules: [{ id: "score", score_threshold: 25 }] })),
    managed(execute({ rules: [{ id: "score", scoreThreshold: 60 }] })),
  ],
  [
    "a lower paranoia level",
    "looser",
    managed(execute()),
    managed(execute({ categories: [{ category: "paranoia-level-2", enabled: false }] })),
  ],
  [
    "a lower sensitivity",
    "looser",
    managed(execute({ sensitivityLevel: "default" })),
    managed(execute({ sensitivityLevel: "low" })),
  ],
  [
    "managed rulesets with different actions in another order",
    "unknown",
    managed(execute({ action: "block" }), other("managed_challenge")),
    managed(other("managed_challenge"), execute({ action: "block" })),
  ],
  [
    "managed rulesets that all block in another order",
    "equivalent",
    managed(execute({ action: "block" }), other("block")),
    managed(other("block"), execute({ action: "block" })),
  ],
  ["a challenge that moves before a block", "looser", zone([A, challenge]), zone([challenge, A])],
  ["a connection that is closed instead of a block", "both", zone([A]), zone([act(A, "force_connection_close")])],
  [
    "an interactive challenge instead of one that runs unseen",
    "stricter",
    zone([act(A, "js_challenge")]),
    zone([act(A, "challenge")]),
  ],
  [
    "a rate limit that challenges instead of blocking",
    "looser",
    limits(LIMIT),
    limits(act(LIMIT, "managed_challenge")),
  ],
  ["a rate limit of 10,000 instead of 10", "both", limits(LIMIT), limits(withLimit({ requestsPerPeriod: 10_000 }))],
  [
    "a shorter period of a rate limit",
    "both",
    limits(LIMIT),
    limits(withLimit({ period: 10 })),
    'GET https://www.example.com/login from 203.0.113.9: limited by "limit" → allowed (11 requests in 60 seconds)',
  ],
  [
    "a shorter timeout of a rate limit",
    "both",
    limits(withLimit({ mitigationTimeout: 600 })),
    limits(LIMIT),
    'GET https://www.example.com/login from 203.0.113.9: limited by "limit" → allowed (60 seconds after 11 requests)',
  ],
  ["a longer timeout of a rate limit", "both", limits(LIMIT), limits(withLimit({ mitigationTimeout: 600 }))],
  [
    "a rate limit as the service returns it",
    "equivalent",
    limits(LIMIT),
    limits({
      ...LIMIT,
      ratelimit: {
        ...{ requests_per_period: 10, period: 60, mitigation_timeout: 60, requests_to_origin: false },
        ...{ characteristics: ["ip.src"], counting_expression: "" },
      },
    }),
  ],
  [
    "a rate limit that counts by its own expression",
    "equivalent",
    limits(LIMIT),
    limits(withLimit({ countingExpression: LIMIT.expression })),
  ],
  [
    "another answer of a rate limit",
    "both",
    limits(LIMIT),
    limits({ ...LIMIT, actionParameters: { response: { statusCode: 429, content: "", contentType: "text/plain" } } }),
    'GET https://www.example.com/login from 203.0.113.9: limited by "limit" after 10 requests as before, but in another way',
  ],
  ["one of two equal rate limits less", "unknown", limits(LIMIT, { ...LIMIT, ref: "twin" }), limits(LIMIT)],
  [
    "a rate limit less that another one seems to cover",
    "unknown",
    limits(LIMIT, { ...withLimit({ requestsPerPeriod: 20 }), ref: "higher" }),
    limits(LIMIT),
  ],
  [
    "two rate limits in another order",
    "unknown",
    limits(LIMIT, { ...withLimit({ requestsPerPeriod: 3, mitigationTimeout: 600 }), ref: "other" }),
    limits({ ...withLimit({ requestsPerPeriod: 3, mitigationTimeout: 600 }), ref: "other" }, LIMIT),
  ],
  [
    "a rate limit less before another one, which then counts more",
    "unknown",
    limits({ ...withLimit({ requestsPerPeriod: 3, mitigationTimeout: 10 }), ref: "first" }, LIMIT),
    limits(LIMIT),
  ],
  [
    "a rate limit less before another one for other requests",
    "looser",
    limits({ ...LIMIT, ref: "first" }, { ...LIMIT, expression: A.expression }),
    limits({ ...LIMIT, expression: A.expression }),
  ],
  [
    "a lower rate limit whose timeout is shorter than the period",
    "both",
    limits(withLimit({ requestsPerPeriod: 5, mitigationTimeout: 10 })),
    limits(withLimit({ requestsPerPeriod: 3, mitigationTimeout: 10 })),
  ],
  [
    "a longer timeout that is still shorter than the period",
    "both",
    limits(withLimit({ mitigationTimeout: 10 })),
    limits(withLimit({ mitigationTimeout: 20 })),
  ],
  [
    "a value that is not public",
    "unknown",
    blocking("hash_in_range(0, 100, http.host) lt 10"),
    blocking("hash_in_range(0, 100, http.host) lt 20"),
  ],
  [
    "a larger share of requests",
    "stricter",
    blocking(`ssl and ${share(5)}`),
    blocking(`ssl and ${share(25)}`),
    'GET https://www.example.com/ from 203.0.113.9 (drawn at 5.5 %): allowed → blocked by "a"',
  ],
  ["a smaller share of requests", "looser", blocking(share(25)), blocking(share(5))],
  ["a share in other words", "equivalent", blocking(share(5)), blocking(`not ${SEED} ge 5`)],
  [
    "a share within a larger one",
    "equivalent",
    zone([block("a", share(25)), block("b", share(5))]),
    blocking(share(25)),
  ],
  [
    "two shares that exclude each other",
    "equivalent",
    blocking(`${share(5)} and ${SEED} ge 5`),
    blocking(`${SEED} eq 3 and ${SEED} eq 4`),
  ],
  // How the numbers of two ranges relate is not known.
  ["shares of two ranges", "unknown", blocking(`${share(5)} and hash_in_range(0, 10, cf.random_seed) ge 5`), zone([])],
  ["a share of everything", "stricter", blocking(share(99)), blocking("true")],
  [
    "an end in time",
    "looser",
    zone([A]),
    blocking(`${String(A.expression)} and http.request.timestamp.sec lt 1798761600`),
    'GET https://www.example.com/a from 203.0.113.9 (at 2027-01-01T00:00:00Z): blocked by "a" → allowed',
  ],
  [
    "a list",
    "looser",
    blocking("ip.src in $bad"),
    blocking("ip.src in $bad and not cf.client.bot"),
    'GET https://www.example.com/ from 203.0.113.9 (cf.client.bot: true; $bad contains 203.0.113.9): blocked by "a" → allowed',
  ],
];

test.each(cases.map(([name, verdict, before, after, witness]) => ({ name, verdict, before, after, witness })))(
  "$name: $verdict",
  ({ verdict, before, after, witness }) => {
    const found = compare({ before, after });
    expect(found.verdict).toBe(verdict);
    if (witness !== undefined) expect(found.witnesses[0]?.text).toBe(witness);
    if (verdict === "equivalent") expect(found.witnesses).toEqual([]);
  },
);

test("the outcomes of a witness are those of the simulator", () => {
  const [before, after] = [zone([A, B]), zone([A, { ...B, action: "managed_challenge" }])];
  const [witness] = compare({ before, after }).witnesses;
  if (witness === undefined) throw new Error("no witness");
  expect(witness.before).toMatchObject({ outcome: "blocked", rule: { ref: "b" } });
  expect(simulate({ rulesets: before, request: witness.request }).outcome).toBe("blocked");
  expect(simulate({ rulesets: after, request: witness.input }).outcome).toBe("challenged");
});

test("a different redirect target is neither stricter nor looser", () => {
  const to = (value: string) =>
    zone(
      [{ ...A, action: "redirect", actionParameters: { fromValue: { targetUrl: { value } } } }],
      "http_request_dynamic_redirect",
    );
  const found = compare({ before: to("https://x.example/"), after: to("https://y.example/") });
  expect(found).toMatchObject({ verdict: "both", witnesses: [{ direction: "other" }] });
});

test("a rewrite that changes what later rules see is not equivalent", () => {
  const rewrite = (value: string): RulesetInput[] =>
    zone(
      [{ ref: "r", action: "rewrite", expression: "true", actionParameters: { uri: { path: { value } } } }],
      "http_request_transform",
    );
  const rules = zone([A]);
  expect(compare({ before: [...rewrite("/a"), ...rules], after: [...rewrite("/x"), ...rules] }).verdict).not.toBe(
    "equivalent",
  );
});

test("a request that loses one protection and gains another one is both looser and stricter", () => {
  const skipping = (phase: string) => zone([skip({ phases: [phase] })]);
  const found = compare({ before: skipping(MANAGED), after: skipping("http_ratelimit") });
  expect(found).toMatchObject({ verdict: "both", looser: "shown", stricter: "shown", undecided: [] });
  expect(found.witnesses.map(({ direction, also, text }) => [direction, also, text])).toEqual([
    [
      "looser",
      "stricter",
      `GET https://www.example.com/ from 192.0.2.5: allowed as before, now without phase http_ratelimit, with phase ${MANAGED}`,
    ],
  ]);
});

test("a phase whose rules of the account are not given is not known to be empty", () => {
  const skipping = zone([skip({ phases: ["http_ratelimit"] })]);
  const none = (kind: string): RulesetInput[] => [{ kind, phase: "http_ratelimit", rules: [] }];
  const edit = (given: readonly RulesetInput[]) =>
    compare({ before: [...zone([]), ...given], after: [...skipping, ...given] });
  expect(edit(none("zone"))).toMatchObject({ verdict: "looser", looser: "shown" });
  expect(edit([...none("zone"), ...none("root")])).toMatchObject({ verdict: "equivalent", looser: "ruledOut" });
});

test("a response header is neither stricter nor looser", () => {
  const headers = (value: string) =>
    zone(
      [
        {
          ref: "h",
          action: "rewrite",
          expression: "ssl",
          actionParameters: { headers: { "x-frame-options": { operation: "set", value } } },
        },
      ],
      "http_response_headers_transform",
    );
  expect(compare({ before: headers("DENY"), after: headers("SAMEORIGIN") }).verdict).toBe("both");
});

test("two settings in a different order are not equivalent", () => {
  const set = (ref: string, value: string): RuleInput => ({
    ref,
    action: "set_config",
    expression: "true",
    actionParameters: { securityLevel: value },
  });
  const phase = "http_config_settings";
  const found = compare({
    before: zone([set("a", "low"), set("b", "high")], phase),
    after: zone([set("b", "high"), set("a", "low")], phase),
  });
  expect(found).toMatchObject({ verdict: "unknown", looser: "undecided", stricter: "ruledOut" });
  expect(found.witnesses).toMatchObject([{ direction: "other" }]);
});

test("a setting is only kept where no later rule overwrites it", () => {
  const set = (ref: string, value: string, expression: string): RuleInput => {
    return { ref, action: "set_config", expression, actionParameters: { securityLevel: value } };
  };
  const [low, high] = [
    set("low", "low", 'http.request.uri.path ne "/x"'),
    set("high", "high", "http.host lt http.user_agent"),
  ];
  const edit = (before: RuleInput[], after: RuleInput[]) =>
    compare({ before: zone(before, "http_config_settings"), after: zone(after, "http_config_settings") });
  expect(edit([low, high], [high, low])).toMatchObject({ looser: "undecided", stricter: "ruledOut" });
  expect(edit([high, low], [low, high])).toMatchObject({ looser: "ruledOut", stricter: "undecided" });
});

describe("a witness includes the names of managed rulesets and rules", () => {
  const [CLOUDFLARE, OWASP] = ["efb7b8c949ac4650a09736fc376e9aee", "4814384a9e5d4991b9815dcfc25d2f1f"];
  const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
  const run = (id: string): RuleInput => ({ ref: id, action: "execute", expression: "true", actionParameters: { id } });
  const exception = skip({ rules: { [OWASP]: [SCORING] } });

  test.each([
    [
      "that it now reaches",
      [],
      [run(CLOUDFLARE)],
      `allowed as before, now with ${CLOUDFLARE} ("Cloudflare Managed Ruleset")`,
    ],
    [
      "that it no longer reaches",
      [run(CLOUDFLARE)],
      [],
      `allowed as before, now without ${CLOUDFLARE} ("Cloudflare Managed Ruleset")`,
    ],
    [
      "with a skipped rule",
      [run(OWASP)],
      [exception, run(OWASP)],
      `without rule ${SCORING} ("949110: Inbound Anomaly Score Exceeded") of ${OWASP} ("Cloudflare OWASP Core Ruleset")`,
    ],
    ["without a known name", [], [run("managed")], "allowed as before, now with managed ruleset managed"],
  ])("%s", (_, before, after, text) => {
    const { witnesses } = compare({ before: zone(before, MANAGED), after: zone(after, MANAGED) });
    expect(witnesses[0]?.text).toContain(text);
  });
});

test("does not rule out that rules which are not given rewrite the URL to something that no client sends", () => {
  const strange = block("strange", 'http.request.uri.path contains "#"');
  const transform = zone([], "http_request_transform");
  const rewrite: RuleInput = { ref: "r", action: "rewrite", expression: "true" };
  const static1 = zone(
    [{ ...rewrite, actionParameters: { uri: { path: { value: "/a#b" } } } }],
    "http_request_transform",
  );
  const removed = (others: RulesetInput[]) =>
    compare({ before: [...others, ...zone([strange])], after: [...others, ...zone([])] }).looser;
  expect(removed(transform)).toBe("ruledOut");
  expect(removed([])).toBe("undecided");
  expect(removed(static1)).not.toBe("ruledOut");
});

describe("a witness is a request that can be sent", () => {
  const shown = (expression: string) => compare({ before: zone([]), after: zone([block("a", expression)]) });
  test.each([
    ['ip.src.continent eq "NA"', /country US/],
    ["not ip.src.is_in_european_union", /country US/],
    ['ip.src.continent eq "EU" or ip.src.country eq "DE"', /^GET https:\/\/www.example.com\/ from 203.0.113.9: /],
    ['ip.src.continent eq "EU" and not ip.src.country in {"DE" "FR"}', /\(country [A-Z]{2}\)/],
    ['not ip.src.country in {"DE" "US" "FR" "JP"}', /\(country [A-Z]{2}\)/],
    ["cf.edge.server_port eq 80", /^GET http:/],
    ['any(http.request.headers.names[*] eq "X-Debug")', /version 1.1; X-Debug/],
  ])("%s", (expression, text) => {
    const { verdict, witnesses } = shown(expression);
    expect(verdict).toBe("stricter");
    expect(witnesses[0]?.text).toMatch(text);
  });

  test("an edit that only matters to requests which do not exist makes no difference", () => {
    const edit = (before: string, after: string) => compare({ before: blocking(before), after: blocking(after) });
    expect(edit('ip.src.continent eq "EU"', 'ip.src.continent eq "EU" or ip.src.country eq "DE"').verdict).toBe(
      "equivalent",
    );
    expect(edit("ssl", "ssl and cf.edge.server_port ne 80").verdict).toBe("equivalent");
    expect(edit("ssl", 'ssl or http.request.headers["host"][1] eq "b"').verdict).toBe("unknown");
  });
});

test("rules from the API equal the same rules of a program", () => {
  const cache = (actionParameters: object, headers: string): RuleInput => ({
    ref: "cache",
    action: "set_cache_settings",
    expression: "ssl",
    actionParameters: { ...actionParameters, customKey: { headers: { contains: { [headers]: ["a"] } } } },
  });
  const phase = "http_request_cache_settings";
  const program = zone([cache({ edgeTtl: { mode: "override_origin", default: 60 } }, "fooBar")], phase);
  const { actionParameters, ...rule } = cache({ edge_ttl: { default: 60, mode: "override_origin" } }, "fooBar");
  const wire = zone([{ ...rule, action_parameters: actionParameters }], phase);
  expect(compare({ before: wire, after: program }).verdict).toBe("equivalent");
  const others = zone([cache({ edgeTtl: { mode: "override_origin", default: 60 } }, "foo_bar")], phase);
  expect(compare({ before: others, after: program }).verdict).not.toBe("equivalent");
  const limited = (ratelimit: object) => limits({ ...A, ratelimit });
  const [camel, snake] = [
    { requestsPerPeriod: 5, period: 60, mitigationTimeout: 60 },
    { requests_per_period: 5, period: 60, mitigation_timeout: 60 },
  ];
  expect(compare({ before: limited(snake), after: limited(camel) }).verdict).toBe("equivalent");
});

test("compares each zone separately", () => {
  const of = (zoneId: string, rules: RuleInput[]): RulesetInput => ({ kind: "zone", zoneId, phase: FIREWALL, rules });
  const found = compare({ before: [of("z1", [A]), of("z2", [A])], after: [of("z1", [A]), of("z2", [])] });
  expect(found).toMatchObject({ verdict: "looser", witnesses: [{ zone: "z2" }] });
});

describe("rules that are not fully known", () => {
  const secret = (opaque: string): RuleInput => ({ ref: "secret", action: "block", opaque });
  const found = (before: RuleInput[], after: RuleInput[]) => compare({ before: zone(before), after: zone(after) });

  test("do not hide what happens to other rules, whatever their value", () => {
    expect(found([secret("1"), A], [secret("1"), block("a", 'http.host eq "nowhere"')])).toMatchObject({
      verdict: "both",
      looser: "shown",
      witnesses: [
        {
          text: 'GET https://www.example.com/a from 203.0.113.9: blocked by "a" → allowed, if "secret" does not match',
        },
        {},
      ],
    });
    expect(found([A, secret("1")], [A, B, secret("1")])).toMatchObject({ verdict: "stricter", looser: "ruledOut" });
    expect(found([A, secret("1")], [secret("1"), A])).toMatchObject({ verdict: "equivalent" });
    const response = (content: string) => ({ ...A, actionParameters: { response: { statusCode: 403, content } } });
    expect(found([secret("1"), response("a")], [secret("1"), response("b")])).toMatchObject({ looser: "ruledOut" });
  });
  test("are not judged when they change, and are named", () => {
    expect(found([secret("1"), A], [secret("2"), A])).toMatchObject({
      verdict: "unknown",
      looser: "undecided",
      witnesses: [],
      undecided: ["looser", "stricter"].map((direction) => ({
        rule: '"secret"',
        direction,
        why: 'it depends on what is not known here of "secret"',
      })),
    });
    expect(found([secret("1")], [{ ...secret("1"), enabled: false }])).toMatchObject({ looser: "undecided" });
  });
  test("may have secrets in what they do", () => {
    const hidden = (opaque: string): RuleInput => ({
      ...A,
      action: "redirect",
      actionParameters: { fromValue: { targetUrl: { expression: "[secret]" } } },
      opaque,
    });
    expect(found([hidden("1"), B], [hidden("1")])).toMatchObject({ looser: "shown" });
    expect(found([{ ...A, opaque: "1" }], [{ ...A, opaque: "2", action: "log" }])).toMatchObject({ looser: "shown" });
  });
});

test("a custom ruleset by itself may be executed where more rules follow", () => {
  const custom = (rules: RuleInput[]): RulesetInput[] => [{ kind: "custom", phase: FIREWALL, rules }];
  const rest = skip({ phase: "current" });
  expect(compare({ before: custom([A]), after: custom([A, rest]) })).toMatchObject({
    verdict: "looser",
    witnesses: [
      { text: "GET https://www.example.com/ from 192.0.2.5: allowed as before, now without the rest of the phase" },
    ],
  });
});

test('reports "unknown" where the comparison takes too many steps', () => {
  expect(compare({ before: zone([A]), after: zone([B]), steps: 0 }).verdict).toBe("unknown");
});

test("a ruleset that a rule now executes is not the same as one that may be executed elsewhere", () => {
  const id = "c".repeat(32);
  const rulesets = (rules: readonly RuleInput[]): RulesetInput[] => [
    { kind: "root", phase: FIREWALL, rules },
    { kind: "custom", id, phase: FIREWALL, rules: [A] },
  ];
  const run: RuleInput = { ref: "run", action: "execute", expression: "true", actionParameters: { id } };
  expect(compare({ before: rulesets([]), after: rulesets([run]) }).verdict).toBe("unknown");
  expect(compare({ before: rulesets([run]), after: rulesets([]) }).verdict).toBe("unknown");
});

test("a rule with a secret condition may see something else after another rewrite", () => {
  const secret: RuleInput = { ref: "secret", action: "block", opaque: "one" };
  const rewrite = (value: string): RulesetInput => ({
    kind: "zone",
    phase: "http_request_transform",
    rules: [{ ref: "a", action: "rewrite", expression: "ssl", actionParameters: { uri: { path: { value } } } }],
  });
  const edit = compare({ before: [rewrite("/a"), ...zone([secret])], after: [rewrite("/b"), ...zone([secret])] });
  expect(edit).toMatchObject({ looser: "undecided", stricter: "undecided" });
});

test("parameters that are secret as a whole may hold any setting", () => {
  const config = (more: Partial<RuleInput>): RulesetInput[] => [
    {
      kind: "zone",
      phase: "http_config_settings",
      rules: [{ ref: "a", action: "set_config", expression: "ssl", ...more }],
    },
  ];
  const known = config({ actionParameters: { bic: true } });
  const [one, other] = [config({ opaque: "one" }), config({ opaque: "other" })];
  expect(compare({ before: known, after: one }).looser).toBe("undecided");
  expect(compare({ before: one, after: known }).looser).toBe("undecided");
  expect(compare({ before: one, after: other }).looser).toBe("undecided");
});

test("a custom ruleset that is executed, but not given, may skip rules", () => {
  const execution: RuleInput = { ref: "x", action: "execute", expression: "ssl", actionParameters: { id: "own" } };
  const root = (...rules: RuleInput[]): RulesetInput[] => [
    { kind: "root", phase: "http_request_firewall_custom", rules },
  ];
  expect(compare({ before: root(A), after: root(execution, A) }).looser).toBe("undecided");
  expect(compare({ before: root(execution, A), after: root(A) }).stricter).toBe("undecided");
  const moved = compare({ before: root(A, execution), after: root(execution, A) });
  expect(moved).toMatchObject({ looser: "undecided", stricter: "undecided" });
});

test("a custom ruleset that two rules execute stops requests by each of them", () => {
  const custom = {
    id: "c1",
    name: "c1",
    kind: "custom",
    phase: "http_request_firewall_custom",
    rules: [block("x", "ssl")],
  };
  const execute = (expression: string) => ({ action: "execute", expression, actionParameters: { id: "c1" } });
  const entrypoint = (...rules: RuleInput[]) => [
    { kind: "zone", phase: "http_request_firewall_custom", rules: [execute('http.host eq "a"'), ...rules] },
    custom,
  ];
  const [first, both] = [entrypoint(), entrypoint(execute('http.host eq "b"'))];
  expect(compare({ before: first, after: both })).toMatchObject({ looser: "ruledOut", stricter: "shown" });
  expect(compare({ before: both, after: first })).toMatchObject({ looser: "shown", stricter: "ruledOut" });
  expect(compare({ before: both, after: entrypoint(execute('http.host in {"b"}')) }).verdict).toBe("equivalent");
  // What a removed redirect sent elsewhere is stopped now.
  const redirect = {
    kind: "zone",
    phase: "http_request_dynamic_redirect",
    rules: [
      {
        action: "redirect",
        expression: "ssl",
        actionParameters: { fromValue: { targetUrl: { value: "https://www.example.com/" }, statusCode: 301 } },
      },
    ],
  };
  expect(compare({ before: [redirect, ...both], after: both })).toMatchObject({ looser: "shown", stricter: "shown" });
});
