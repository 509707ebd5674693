import { analyse, analyseFully, type AnalysisFinding } from "../../../core/analysis/index";
import { compileExpression } from "../../../core/language/index";
import type { RuleInput, RulesetInput } from "../../../core/simulator/index";
import { managedRulesets } from "../../../core/simulator/managed-rulesets.js";
import { everyAction } from "../../support/every-action";

const FIREWALL = "http_request_firewall_custom";
const RATELIMIT = "http_ratelimit";
const zone = (phase: string, ...rules: RuleInput[]): RulesetInput => ({ kind: "zone", phase, rules });
const block = (ref: string, expression: string): RuleInput => ({ ref, action: "block", expression });
const rule = (ref: string, action: string, expression: string, actionParameters?: object): RuleInput => ({
  ...{ ref, action, expression, actionParameters },
});
const skip = (ref: string, expression: string, actionParameters: object) =>
  rule(ref, "skip", expression, actionParameters);
/** The findings about one rule. */
const ofOne = (expression: string) => analyse({ rulesets: [zone(FIREWALL, block("a", expression))] });

/** `code of rule`, followed by the other rules (`by`). */
const shown = (findings: readonly AnalysisFinding[]): string[] =>
  findings.map(({ code, rule, by = [] }) => [`${code} ${String(rule.ref)}`, ...by.map(({ ref }) => ref)].join(" "));
/** The findings for a zone whose blocking rules are `a`, `b`, `c` …. */
const found = (...expressions: string[]): string[] =>
  shown(analyse({ rulesets: [zone(FIREWALL, ...expressions.map((one, index) => block("abcdef"[index] ?? "", one)))] }));

describe("a single rule", () => {
  test.each([
    "cf.threat_score gt 50 and cf.threat_score lt 10",
    'ip.src.country eq "DE" and ip.geoip.country eq "FR"',
    'http.host eq "a" and not http.host contains "a"',
    'starts_with(http.request.uri.path, "/a") and http.request.uri.path matches "^/b"',
    'lower(http.user_agent) contains "Bot"',
    "ip.src in {10.0.0.0/8} and ip.src in {11.0.0.0..11.0.0.9}",
    'http.request.headers["X-Api-Key"][0] eq "x"',
    'http.request.method eq "get"',
    'http.request.uri.path eq "admin"',
    'http.request.uri.path.extension in {".php" "PHP"}',
    'to_string(ssl) eq "yes"',
    "http.response.code eq 404",
    'any(http.request.headers["a"][*] eq "x") and not any(http.request.headers["a"][*] in {"x" "y"})',
    "http.host in {}",
  ])("never matches: %s", (expression) => {
    expect(found(expression)).toEqual(["never-matches a"]);
  });

  test.each([
    "ssl or not ssl",
    "ip.src in {0.0.0.0/0 ::/0}",
    'http.host contains ""',
    'http.host eq "a" or http.host ne "a"',
  ])("always matches: %s", (expression) => {
    expect(found(expression)).toEqual(["always-matches a"]);
  });

  test.each([
    ['http.host eq "ab" and http.host contains "a"', 'http.host contains "a"', 'http.host eq "ab"'],
    ['ssl and (ssl or http.host eq "q")', '(ssl or http.host eq "q")', "ssl"],
    [
      'http.request.uri.path eq "/a/b" or starts_with(http.request.uri.path, "/a")',
      'http.request.uri.path eq "/a/b"',
      'starts_with(http.request.uri.path, "/a")',
    ],
    ['ssl or http.request.method eq "get"', 'http.request.method eq "get"', "ssl"],
  ])("has a part that has no effect: %s", (expression, part, instead) => {
    const [finding] = ofOne(expression);
    expect(finding).toMatchObject({ code: "redundant-condition", verdict: "proved", part, instead });
  });

  test.each([
    ["ip.src in {10.0.0.0/8 10.1.0.0/16}", "10.1.0.0/16"],
    ["ip.src.asnum in {5 1..9}", "5"],
    ['http.host in {"a" "b" "a"}', '"a"'],
    ["ip.src in {2001:db8::/32 2001:db8:1::5}", "2001:db8:1::5"],
  ])("has a member that another member contains: %s", (expression, part) => {
    expect(ofOne(expression)).toMatchObject([{ code: "contained-member", part }]);
  });

  test.each([
    ["encoded-text", 'url_decode(http.request.uri.path) contains "%20"'],
    ["encoded-text", 'http.request.uri.path eq "/a b"'],
    ["encoded-text", 'lower(http.request.uri.query) contains "<script"'],
    ["header-name-case", 'any(http.request.headers.names[*] eq "X-Debug")'],
  ])("cannot match as written, shown by a request (%s): %s", (code, expression) => {
    const [finding, ...others] = ofOne(expression);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code, verdict: "witness" });
    if (finding?.request === undefined) throw new Error("no request");
    expect(compileExpression(expression).matches(finding.request)).toBe(false);
  });

  describe("a redirect", () => {
    const redirect = (expression: string, target: object, more: object = {}): RuleInput => ({
      ...{ ref: "a", action: "redirect", expression, ...more },
      actionParameters: { fromValue: { statusCode: 301, targetUrl: target } },
    });
    const toApex = { expression: 'wildcard_replace(http.request.full_uri, "https://www.*", "https://${1}")' };
    const loops = (...rules: RuleInput[]) =>
      analyse({ rulesets: [zone("http_request_dynamic_redirect", ...rules)] }).flatMap(({ code, rule, message }) =>
        code === "redirect-loop" ? [`${String(rule.ref)} ${message}`] : [],
      );

    test.each([
      ["a target that stays the same over HTTP", 'http.host eq "www.a.example"', toApex, "GET http://www.a.example/"],
      ["its own target", 'http.host eq "a.example"', { value: "https://a.example/" }, "GET https://a.example/"],
      [
        "a path that grows",
        'starts_with(http.request.uri.path, "/shop")',
        { expression: 'concat("https://", http.host, "/shop", http.request.uri.path)' },
        "GET https://some-host.invalid/shop",
      ],
    ])("without end is found: %s", (_, expression, target, request) => {
      const [found, ...others] = loops(redirect(expression, target));
      expect(others).toEqual([]);
      expect(found).toContain(`a it redirects without end: for example, ${request}`);
    });

    test.each<[string, RuleInput[]]>([
      ["to another host, which may be of another zone", [redirect("true", { value: "https://b.example/" })]],
      ["to the other scheme", [redirect("not ssl", { expression: 'concat("https://", http.host, "/")' })]],
      ["once", [redirect('ssl and http.host eq "www.a.example"', toApex)]],
      [
        "that an earlier rule takes",
        [
          redirect('not ssl and http.host eq "www.a.example"', { value: "https://a.example/" }, { ref: "b" }),
          redirect('http.host eq "www.a.example"', toApex),
        ],
      ],
      ["that is disabled", [redirect('http.host eq "www.a.example"', toApex, { enabled: false })]],
    ])("%s is none", (_, rules) => {
      expect(loops(...rules)).toEqual([]);
    });
  });

  test("says of which part an example is true if the rule matches it all the same", () => {
    const [finding] = ofOne('not http.request.uri.path eq "/é"');
    expect(finding?.message).toMatch(/For example, `http.request.uri.path eq "\/é"` is false for GET \S+\/é$/);
  });

  test("explains why", () => {
    const [finding] = ofOne('ssl and http.host eq "a" and http.host eq "b"');
    expect(finding?.message).toBe(
      'no request matches: `http.host eq "a"` and `http.host eq "b"` contradict each other',
    );
  });

  test.each([
    ['lower(http.request.uri.path) eq "admin"', "a path begins with `/` and contains neither `?` nor `#`"],
    ["len(http.host) lt 0", "a length is never below 0"],
    ['lower(http.request.uri.path) eq "/Admin"', "`lower` returns no upper-case letters"],
    ['upper(http.user_agent) contains "bot"', "`upper` returns no lower-case letters"],
  ])("explains a function by what is compared: %s", (expression, why) => {
    const [finding] = ofOne(expression);
    expect(finding?.message).toBe(`no request matches: \`${expression}\` is never true: ${why}`);
  });

  test("reports an expression that cannot be parsed, and continues with the others", () => {
    expect(found('ssl eq "true"', "ssl or not ssl")).toEqual(["invalid-expression a", "always-matches b"]);
  });
});

describe("what follows from several facts", () => {
  test.each([
    // Lengths.
    ["len(http.host) eq 3 and len(http.host) eq 4"],
    ["len(http.request.uri.path) lt 1"],
    ["len(http.request.uri.path) gt 5000 and len(http.request.uri.path) lt 4097"],
    ['len(lower(http.host)) eq 4 and http.host eq "abc"'],
    // Functions.
    ['concat(http.host, http.request.uri.path) contains "//" and not http.request.uri.path contains "//"'],
    ['url_decode(http.request.uri.path) eq "/a b" and http.request.uri.path contains "c"'],
    ['http.request.uri.path eq "/%41" and url_decode(http.request.uri.path) ne "/A"'],
    // Bits.
    ["ip.src.asnum eq 4 and ip.src.asnum & 3"],
    // A URL and its parts.
    ['http.request.uri eq "/a?b" and http.request.uri.path ne "/a"'],
    ['http.request.uri.query contains "x" and not http.request.full_uri contains "x"'],
    ['starts_with(http.request.full_uri, "https://a.example.com/") and http.host ne "a.example.com"'],
    ['http.request.uri.path.extension eq "php" and not lower(http.request.uri.path) contains ".php"'],
    ['raw.http.request.uri.path eq "/admin" and http.request.uri.path ne "/admin"'],
    // Clients and connections.
    ['ip.src.country eq "DE" and ip.src.continent ne "EU"'],
    ['ip.src.country eq "CH" and ip.src.is_in_european_union'],
    ["ssl and cf.edge.server_port eq 80"],
    ["cf.edge.server_port lt 1"],
    ['http.user_agent contains "\\x0a"'],
    ["cf.bot_management.verified_bot and not cf.client.bot"],
    // Elements of arrays.
    ['http.request.headers["x"][1] eq "a" and not http.request.headers["x"][0] contains ""'],
    ['all(http.request.headers["x"][*] eq "a") and http.request.headers["x"][1] ne "a"'],
    // A header and the field made from it.
    ['http.user_agent eq "curl/8" and not any(http.request.headers["user-agent"][*] eq "curl/8")'],
    ['http.user_agent contains "curl" and not has_key(http.request.headers, "user-agent")'],
    ['http.request.headers["host"][0] eq "a.example.com" and http.host ne "a.example.com"'],
    ['has_value(http.request.headers["referer"], "a") and http.referer eq ""'],
    ['all(http.request.headers["cookie"][*] eq "a=1") and http.cookie eq "b=2"'],
    // Fields compared with fields.
    ['http.host eq http.user_agent and http.user_agent eq "a" and http.host eq "b"'],
    ["http.host eq http.user_agent and http.user_agent ne http.host"],
  ])("no request matches %s", (expression) => {
    expect(ofOne(expression)).toMatchObject([{ code: "never-matches" }]);
  });

  test("every request matches a pattern for any path", () => {
    expect(found('http.request.uri.path matches "^/.*$"')).toEqual(["always-matches a"]);
  });

  test.each([
    ["len(http.request.uri.path) gt 5000"],
    ['http.request.uri contains "?" and http.request.uri.query eq ""'],
    ['raw.http.request.uri.path ne http.request.uri.path and http.request.uri.path eq "/a"'],
    ['ip.src.country eq "TR" and ip.src.continent eq "EU"'],
    ["ip.src.asnum & 1 and ip.src.asnum & 2"],
    ['len(http.request.headers["x"]) eq 2'],
    ["len(http.request.headers.names) lt 1"],
    [
      'len(http.request.headers["x"]) eq 2 and http.request.headers["x"][0] eq "a" and http.request.headers["x"][1] eq "b"',
    ],
    ['http.user_agent eq "a, b" and not any(http.request.headers["user-agent"][*] eq "a, b")'],
    ['http.user_agent eq "" and has_key(http.request.headers, "user-agent")'],
    ['has_value(http.request.headers["user-agent"], "a") and http.user_agent ne "a"'],
    ['http.host eq "a" and not has_key(http.request.headers, "host")'],
    ['substring(http.host, -2) eq "ab" and len(http.host) eq 3'],
  ])("some requests match %s", (expression) => {
    expect(found(expression)).toEqual([]);
  });
});

describe("several rules", () => {
  test("reports a rule covered by an earlier one", () => {
    expect(found('starts_with(http.request.uri.path, "/a")', 'http.request.uri.path eq "/a/b" and ssl')).toEqual([
      "covered b a",
    ]);
  });

  test("reports a rule covered by several, only those that are needed", () => {
    const rules = [
      'http.host eq "x"',
      'http.host eq "a" and ssl',
      'http.host eq "y"',
      'http.host eq "a" and not ssl',
      'http.host eq "a"',
    ];
    expect(found(...rules)).toEqual(["covered e b d"]);
  });

  test("reports whether the covering rules have the same action", () => {
    const rules = [{ ...block("a", "ssl"), action: "managed_challenge" }, block("b", 'ssl and http.host eq "x"')];
    expect(analyse({ rulesets: [zone(FIREWALL, ...rules)] })).toMatchObject([{ code: "covered", sameAction: false }]);
  });

  test("does not treat a rule that only logs, or a rate limit, as covering", () => {
    const log = { ...block("a", "ssl"), action: "log" };
    const ratelimit = { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 5 };
    const limit = { ...block("b", "ssl"), ratelimit };
    const rulesets = [zone(FIREWALL, log), zone(RATELIMIT, limit, { ...block("c", 'ssl and http.host eq "x"') })];
    expect(analyse({ rulesets })).toEqual([]);
  });

  test("reports covered rules in later phases, unless the fields are rewritten in between", () => {
    const early = zone(FIREWALL, block("a", 'http.request.uri.path eq "/a"'));
    const late = zone("http_request_late_transform", rule("b", "rewrite", 'http.request.uri.path eq "/a"'));
    expect(shown(analyse({ rulesets: [early, late] }))).toEqual(["covered b a"]);
    const parameters = { fromValue: { targetUrl: { value: "https://x.example/" } } };
    const moved = rule("c", "redirect", 'http.request.uri.path eq "/a"', parameters);
    const redirect = zone("http_request_dynamic_redirect", moved);
    // URL normalisation happens in between.
    expect(analyse({ rulesets: [redirect, early] })).toEqual([]);
  });

  test("finds duplicates whatever their order and notation", () => {
    expect(found('http.host eq "a" and ssl', 'ssl && http.host in {"a"}')).toEqual(["twin b a", "covered b a"]);
    expect(found("ip.src in {10.0.0.0/9 10.128.0.0/9}", "ip.src in {10.0.0.0/8}")).toEqual(["twin b a", "covered b a"]);
  });

  test("analyses a custom ruleset where it is executed, under the condition of that rule", () => {
    const own: RulesetInput = {
      kind: "custom",
      id: "own",
      phase: FIREWALL,
      rules: [block("b", 'http.host eq "a" and not ssl')],
    };
    const execute = { ref: "run", action: "execute", expression: "not ssl", actionParameters: { id: "own" } };
    expect(shown(analyse({ rulesets: [zone(FIREWALL, block("a", 'http.host eq "a"'), execute), own] }))).toEqual([
      "covered b a",
    ]);
    expect(analyse({ rulesets: [zone(FIREWALL, execute, block("a", 'http.host eq "a"')), own] })).toEqual([]);
  });

  test("does not report an account rule as covered by rules of one zone", () => {
    const account: RulesetInput = { kind: "root", phase: RATELIMIT, rules: [block("b", 'http.host eq "a"')] };
    expect(analyse({ rulesets: [account, zone(FIREWALL, block("a", 'http.host eq "a"'))] })).toEqual([]);
  });

  test("reports a rule that is always skipped as covered by the skip rule", () => {
    const rules = [
      skip("a", "ssl", { ruleset: "current" }),
      block("b", 'ssl and http.host eq "x"'),
      block("c", "not ssl"),
    ];
    expect(shown(analyse({ rulesets: [zone(FIREWALL, ...rules)] }))).toEqual(["covered b a"]);
  });

  test("reports a skip rule at the end, and one after what it skips", () => {
    const execute = { ref: "run", action: "execute", expression: "true", actionParameters: { id: "managed" } };
    expect(
      shown(
        analyse({
          rulesets: [zone(FIREWALL, block("a", 'http.host eq "x"'), skip("b", "ssl", { ruleset: "current" }))],
        }),
      ),
    ).toEqual(["skip-order b a"]);
    expect(
      shown(
        analyse({
          rulesets: [zone("http_request_firewall_managed", execute, skip("b", "ssl", { rulesets: ["managed"] }))],
        }),
      ),
    ).toEqual(["skip-order b run"]);
    expect(
      analyse({
        rulesets: [zone("http_request_firewall_managed", skip("b", "ssl", { rulesets: ["managed"] }), execute)],
      }),
    ).toEqual([]);
    expect(analyse({ rulesets: [zone(FIREWALL, skip("b", "ssl", { phases: ["http_ratelimit"] }))] })).toEqual([]);
  });

  test("does not take a skip rule for late if a ruleset follows that is not given and may execute what it skips", () => {
    const { cloudflareManaged: managed } = managedRulesets;
    const execute = (ref: string, id: string) => ({
      ...{ ref, action: "execute", expression: "true", actionParameters: { id } },
    });
    const rules = [execute("run", managed), skip("b", "ssl", { rulesets: [managed] })];
    const lateIn = (...more: RuleInput[]) =>
      shown(analyse({ rulesets: [zone("http_request_firewall_managed", ...rules, ...more)] })).filter((text) =>
        text.startsWith("skip-order"),
      );
    expect(lateIn(execute("other", managedRulesets.owaspCore))).toEqual(["skip-order b run"]);
    expect(lateIn(execute("own", "0".repeat(32)))).toEqual([]);
  });

  test("does not assume that nothing runs after a custom ruleset that is given alone", () => {
    const custom = (...rules: RuleInput[]) => analyse({ rulesets: [{ kind: "custom", phase: FIREWALL, rules }] });
    const a = block("a", 'http.host eq "x"');
    expect(custom(a, skip("b", "ssl", { phase: "current" }))).toEqual([]);
    const execute = { ref: "run", action: "execute", expression: "true", actionParameters: { id: "managed" } };
    expect(custom(execute, skip("b", "ssl", { rulesets: ["managed"] }))).toEqual([]);
    expect(shown(custom(a, skip("b", "ssl", { ruleset: "current" })))).toEqual(["skip-order b a"]);
  });

  test("does not take a rate limit for the twin of an equal one, or for covered by it", () => {
    const limit = (ref: string, requestsPerPeriod: number) => ({
      ...block(ref, 'http.host eq "x"'),
      ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod, mitigationTimeout: 10 },
    });
    expect(analyse({ rulesets: [zone(RATELIMIT, limit("a", 2), limit("b", 2), limit("c", 5))] })).toEqual([]);
  });

  test("does not apply facts about URLs as they are sent to what rules rewrite", () => {
    const rewrite = (uri: object) => zone("http_request_transform", rule("rewrite", "rewrite", "true", { uri }));
    const strange = zone(
      FIREWALL,
      block("path", 'http.request.uri.path contains "#"'),
      block("query", 'http.request.uri.query contains "#"'),
      block("extension", 'http.request.uri.path.extension contains "?"'),
    );
    const custom: RulesetInput = { ...strange, kind: "custom" };
    expect(analyse({ rulesets: [strange] }).map(({ code }) => code)).toEqual(Array(3).fill("never-matches"));
    const found = (uri: object, ruleset: RulesetInput): readonly string[] =>
      analyse({ rulesets: [rewrite(uri), ruleset] }).map(({ code, rule }) => `${code} ${String(rule.ref)}`);
    for (const ruleset of [strange, custom]) {
      expect(found({ path: { expression: "url_decode(http.request.uri.path)" } }, ruleset)).toEqual([]);
      // The path is as it was sent.
      const asSent = ["never-matches path", "never-matches extension"];
      expect(found({ query: { value: "a#b" } }, ruleset)).toEqual(asSent);
    }
    // The first rule blocks all requests.
    expect(found({ path: { value: "/a#b" } }, strange)).toEqual(["covered query"]);
  });

  test("ignores disabled rules", () => {
    const off = { ...block("a", "ssl"), enabled: false };
    expect(analyse({ rulesets: [zone(FIREWALL, off, block("b", "ssl"))] })).toEqual([]);
  });
});

test("reports that it gave up where the analysis takes too many steps", () => {
  const { findings, undecided } = analyseFully({
    rulesets: [zone(FIREWALL, block("a", "ssl"), block("b", 'http.host eq "a" and ssl'))],
    steps: 0,
  });
  expect(findings).toEqual([]);
  expect(undecided.length).toBeGreaterThan(0);
});

test("reports nothing for correct rules with every action", () => {
  const rulesets = everyAction
    .filter(({ phase }) => phase !== "http_request_firewall_custom")
    .map(({ phase, level, rules }): RulesetInput => ({ kind: level === "zones" ? "zone" : "root", phase, rules }));
  expect(shown(rulesets.flatMap((one) => analyse({ rulesets: [one] })))).toEqual([]);
});
