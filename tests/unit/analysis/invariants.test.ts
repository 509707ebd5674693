import { isMet, prove, type Invariant, type Proof, type Requirement } from "../../../core/analysis/index";
import { makeRequest } from "../../../core/language/index";
import { compileProgram, simulate, type Limits, type RulesetInput } from "../../../core/simulator/index";
import { expression, request, rulesets } from "./arbitrary";
import { SEED } from "../../support/fuzzing.js";
import { fc, runs } from "../../support/properties.js";

const CUSTOM = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const TRANSFORM = "http_request_transform";
const MANAGED = "http_request_firewall_managed";
const REDIRECTS = "http_request_dynamic_redirect";

const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const CLOUDFLARE = "efb7b8c949ac4650a09736fc376e9aee";
const FLOODS = "4d21379b4f9f4bb088e0729962c8b3cf";

type Rule = Readonly<{ action: string; expression: string }>;
const rule = (action: string, text: string, more: object = {}): Rule => ({ action, expression: text, ...more });
const zone = (phase: string, ...rules: Rule[]): RulesetInput => ({ kind: "zone", phase, rules });
/** The rulesets of a zone that has rules in one phase only. */
const only =
  (phase: string) =>
  (...rules: Rule[]) => [zone(phase, ...rules)];
const firewall = only(CUSTOM);
const limits = only(LIMITS);
const redirects = only(REDIRECTS);
const managedRules = only(MANAGED);
const floods = only("ddos_l7");
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const OFFICE = "ip.src in {192.0.2.0/24}";
const ITEMS = { office: { kind: "ip", items: ["192.0.2.0/24"] } } as const;
const outside = `${ADMIN} and not ${OFFICE}`;
const one = (given: readonly RulesetInput[], must: Requirement, requests = outside): Proof => {
  const [proof] = prove({ rulesets: given, invariants: [{ requests, must }] });
  if (proof === undefined) throw new Error("no proof");
  return proof;
};
const stopped = { kind: "be-stopped" } as const;

test("a time that is no whole second leaves out the requests before it, as any other one does", () => {
  const rulesets = [zone(CUSTOM, rule("block", "http.request.timestamp.sec ge 1800000000"))];
  const verdicts = [1_800_000_000, 1_800_000_000.5].map(
    (now) => prove({ rulesets, now, invariants: [{ requests: "true", must: stopped }] })[0]?.verdict,
  );
  expect(verdicts).toEqual(["proved", "proved"]);
});

const skip = (text: string, parameters: object) => rule("skip", text, { actionParameters: parameters });
const limit = (text: string, more: object = {}) =>
  rule("block", text, {
    ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 5, mitigationTimeout: 60, ...more },
  });
const execute = (text: string, id = CLOUDFLARE, more: object = {}) =>
  rule("execute", text, { actionParameters: { id, ...more } });
const rewrite = (text: string, path: string) =>
  rule("rewrite", text, { actionParameters: { uri: { path: { value: path } } } });
const redirect = (text: string, target: string) =>
  rule("redirect", text, { actionParameters: { fromValue: { targetUrl: { value: target }, statusCode: 302 } } });
const custom = (id: string, ...rules: Rule[]): RulesetInput => ({ kind: "custom", id, phase: CUSTOM, rules });

describe("an invariant", () => {
  const blocking = rule("block", outside);
  const blocked = firewall(blocking);
  const outsideList = `${ADMIN} and not ip.src in $office`;
  const HOME = "https://example.com/";
  const hidden = { action: "block", opaque: "secret" } as unknown as Rule;
  const later = { action: "unknown", opaque: "later" } as unknown as Rule;

  const allowed = { kind: "be-allowed" } as const;
  const limited = { kind: "be-limited" } as const;
  const managed = { kind: "reach-managed-rules" } as const;
  const challenged = { kind: "challenge" } as const;
  const denied = { kind: "block" } as const;
  const logged = { kind: "be-logged" } as const;
  const unskipped = { kind: "not-be-skipped" } as const;

  test.each<[string, readonly RulesetInput[], Requirement, Proof["verdict"], string?]>([
    ["of requests that a rule blocks", blocked, stopped, "proved"],
    ["without rules", [], stopped, "violated"],
    ["of a rule that is disabled", firewall(rule("block", outside, { enabled: false })), stopped, "violated"],
    [
      "of requests that two rules stop together",
      firewall(rule("block", `${ADMIN} and ssl`), rule("managed_challenge", `${ADMIN} and not ssl and not ${OFFICE}`)),
      stopped,
      "proved",
    ],
    [
      "of a rule after a skip",
      firewall(skip('ip.src.country eq "DE"', { ruleset: "current" }), blocking),
      stopped,
      "violated",
    ],
    ["of a rule after a skip for others", firewall(skip(OFFICE, { ruleset: "current" }), blocking), stopped, "proved"],
    [
      "of a phase that the account skips",
      [{ kind: "root", phase: CUSTOM, rules: [skip("true", { phases: [CUSTOM] })] }, ...blocked],
      stopped,
      "violated",
    ],
    [
      "of a path that a rule rewrites before",
      [zone(TRANSFORM, rewrite('http.request.uri.path eq "/admin/x"', "/public")), ...blocked],
      stopped,
      "violated",
    ],
    [
      "of a path that a rule makes match",
      [zone(TRANSFORM, rewrite('http.request.uri.path eq "/old"', "/admin/x")), ...blocked],
      stopped,
      "proved",
      'http.request.uri.path eq "/old" and not ip.src in {192.0.2.0/24}',
    ],
    ["of a redirect before the firewall", [zone(REDIRECTS, redirect(ADMIN, HOME)), ...blocked], stopped, "violated"],
    [
      "of a redirect, that asks for it",
      redirects(redirect('http.host eq "old.example.com"', HOME)),
      { kind: "redirect", to: HOME, status: 302 },
      "proved",
      'http.host eq "old.example.com"',
    ],
    // Redirects see the path before it is normalised: /x/../admin is none that begins with /admin.
    [
      "of a redirect by a path that can be written in other ways",
      redirects(redirect(ADMIN, HOME)),
      { kind: "redirect" },
      "violated",
    ],
    [
      "of a redirect to somewhere else",
      redirects(redirect(ADMIN, "https://example.net/")),
      { kind: "redirect", to: HOME },
      "violated",
    ],
    ["of a challenge", firewall(rule("managed_challenge", outside)), challenged, "proved"],
    ["of a challenge where a rule blocks first", blocked, challenged, "violated"],
    ["of a block where a rule challenges first", firewall(rule("js_challenge", "ssl"), blocking), denied, "violated"],
    ["of an executed ruleset", [zone(CUSTOM, execute("true", "own")), custom("own", blocking)], stopped, "proved"],
    [
      "of an executed ruleset with a condition",
      [zone(CUSTOM, execute("ssl", "own")), custom("own", blocking)],
      stopped,
      "violated",
    ],
    [
      "of a ruleset that two rules execute",
      [zone(CUSTOM, execute("ssl", "own"), execute("not ssl", "own")), custom("own", blocking)],
      stopped,
      "proved",
    ],
    ["of a ruleset that no rule executes", [custom("own", blocking)], stopped, "violated"],
    ["of allowed requests without rules", [], allowed, "proved"],
    ["of allowed requests that a rule blocks", blocked, allowed, "violated"],
    ["of allowed requests that a limit stops", limits(limit(ADMIN)), allowed, "violated"],
    ["of allowed requests that managed rules see", managedRules(execute("true")), allowed, "unknown"],
    ["of allowed requests that managed rules do not see", managedRules(execute(OFFICE)), allowed, "proved"],
    ["of managed rules that see all", managedRules(execute("true")), managed, "proved"],
    ["of managed rules, where only those against floods are configured", floods(execute("true")), managed, "violated"],
    [
      "of allowed requests, where the protection against floods, which every zone has, is configured",
      floods(execute("true", FLOODS, { overrides: { action: "block" } })),
      allowed,
      "proved",
    ],
    [
      "of managed rules against floods, that asks for them",
      floods(execute("true", FLOODS)),
      { kind: "reach-managed-rules", ruleset: FLOODS },
      "proved",
    ],
    ["of managed rules that normalise URLs", [zone("http_request_sanitize", execute("true"))], managed, "violated"],
    [
      "of managed rules that a rule skips",
      [zone(CUSTOM, skip(ADMIN, { phases: [MANAGED] })), zone(MANAGED, execute("true"))],
      managed,
      "violated",
    ],
    [
      "of managed rules that only log",
      managedRules(execute("true", undefined, { overrides: { action: "log" } })),
      managed,
      "violated",
    ],
    [
      "of other managed rules",
      managedRules(execute("true", OWASP)),
      { kind: "reach-managed-rules", ruleset: CLOUDFLARE },
      "violated",
    ],
    ["of limited requests", limits(limit(ADMIN)), limited, "proved"],
    [
      "of requests that are limited in part",
      limits(limit(`${ADMIN} and http.request.method eq "POST"`)),
      limited,
      "violated",
    ],
    ["of a limit that only logs", limits({ ...limit(ADMIN), action: "log" }), limited, "violated"],
    [
      "of limits that are skipped",
      [zone(CUSTOM, skip("cf.client.bot", { phases: [LIMITS] })), zone(LIMITS, limit(ADMIN))],
      limited,
      "violated",
    ],
    ["of logged requests", firewall(rule("log", ADMIN)), logged, "proved"],
    [
      "of logged requests that a redirect takes away",
      [zone(REDIRECTS, redirect("ssl", HOME)), zone(CUSTOM, rule("log", ADMIN))],
      logged,
      "violated",
    ],
    ["of requests that no rule skips", firewall(skip(OFFICE, { phases: [LIMITS] })), unskipped, "proved"],
    ["of requests that a rule skips", firewall(skip("ssl", { products: ["waf"] })), unskipped, "violated"],
    [
      "of a skip behind a block",
      firewall(rule("block", "ssl"), skip("ssl", { products: ["waf"] })),
      unskipped,
      "proved",
    ],
    ["of a list whose items are not known", firewall(rule("block", outsideList)), stopped, "unknown"],
    ["of the same list", firewall(rule("block", outsideList)), stopped, "proved", outsideList],
    [
      "of the same list, whose items are known",
      [{ ...zone(CUSTOM, rule("block", outsideList)), lists: ITEMS }],
      stopped,
      "proved",
      outsideList,
    ],
    [
      "of a list that is known to be empty",
      [
        {
          ...zone(CUSTOM, rule("block", `${ADMIN} and not http.host in $none`)),
          lists: { none: { kind: "ip", items: [] } },
        },
      ],
      stopped,
      "proved",
    ],
    [
      "of a list that two rulesets know with other items",
      [
        { ...zone(CUSTOM, rule("block", outsideList)), lists: ITEMS },
        { ...zone(LIMITS), lists: { office: { kind: "ip", items: [] } } },
      ],
      stopped,
      "unknown",
      outsideList,
    ],
    [
      "of a limit that only logs, and only what exceeds it",
      limits(
        rule("log", "true", {
          ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 5, mitigationTimeout: 60 },
        }),
      ),
      logged,
      "violated",
    ],
    ["of a secret rule", firewall(hidden), stopped, "unknown"],
    ["that a secret rule has nothing to do with", firewall(blocking, hidden), stopped, "proved"],
    ...(["block", "challenge", "redirect", "be-allowed", "be-logged", "not-be-skipped"] as const).map(
      (kind): [string, RulesetInput[], Requirement, Proof["verdict"]] => [
        `of a rule of which nothing is known (${kind})`,
        firewall(later),
        { kind },
        "unknown",
      ],
    ),
    ...[{ kind: "be-limited" as const }, { kind: "reach-managed-rules" as const }].map(
      (must): [string, RulesetInput[], Requirement, Proof["verdict"]] => [
        `of requests that all are stopped, unless a rule of which nothing is known skips it (${must.kind})`,
        firewall(later, rule("block", "true")),
        must,
        "unknown",
      ],
    ),
    [
      "of a limit behind a rule of which nothing is known, which may skip it",
      [zone(CUSTOM, later), zone(LIMITS, limit("true"))],
      allowed,
      "unknown",
    ],
    ["of an action that is not known", firewall(rule("enchant", ADMIN)), stopped, "unknown"],
    [
      "of an action that is not known, for other requests",
      firewall(rule("enchant", 'http.request.uri.path eq "/admin/a"')),
      stopped,
      "violated",
    ],
    ["of a shared list", [{ ...zone(CUSTOM, blocking), isPart: true }], stopped, "unknown"],
  ])("%s", (_what, given, must, verdict, requests = outside) => {
    const proof = one(given, must, requests);
    expect(proof).toMatchObject({ verdict });
    if (proof.verdict === "unknown") {
      expect(proof.open.length).toBeGreaterThan(0);
      for (const { why, decidedBy } of proof.open) expect([why, decidedBy]).not.toContain("");
    }
  });

  test("is shown to be violated by a simple request, and what rules do with it", () => {
    const open = zone(CUSTOM, rule("block", `${outside} and http.request.method ne "POST"`, { ref: "admin" }));
    const proof = one([open], stopped);
    expect(proof).toMatchObject({
      verdict: "violated",
      text: "POST https://www.example.com/admin from 203.0.113.9: allowed",
      trace: [{ ref: "admin", status: "not matched" }],
    });
  });

  test.each([
    "not cf.bot_management.score le 99",
    "cf.bot_management.score lt 0",
    "cf.waf.score gt 100",
    "cf.waf.score.sqli lt 1",
    "cf.llm.prompt.injection_score gt 100",
    "cf.threat_score gt 0",
    "cf.edge.client_port gt 65535",
    "cf.timings.client_tcp_rtt_msec lt 0",
    "cf.tls_client_hello_length lt 0",
    "http.request.timestamp.msec gt 999",
    "any(cf.waf.content_scan.obj_sizes[*] lt 0)",
    'cf.waf.score.class eq "bad"',
  ])("is about no request, where a field never has such a value: %s", (requests) => {
    expect(one([], stopped, requests)).toEqual({ verdict: "proved", isVacuous: true });
  });

  test.each([
    ["cf.bot_management.score lt 99", "(bot score 50)"],
    ["cf.bot_management.score lt 1", "(bot score 0)"],
    ['cf.verified_bot_category ne ""', '(cf.verified_bot_category: "Other")'],
    ["cf.waf.content_scan.num_obj ne 7", "(cf.waf.content_scan.num_obj: 0)"],
  ])("is shown with a value that a field has: %s", (requests, shown) => {
    expect(one([], stopped, requests)).toMatchObject({ text: expect.stringContaining(shown) as string });
  });

  test("is shown with the beginning of a long path", () => {
    const proof = one([], stopped, "len(http.request.uri.path) gt 16000");
    expect(proof).toMatchObject({
      verdict: "violated",
      text: expect.stringMatching(/^GET https:\/\/www\.example\.com\/a{76}… \(16024 characters\) from/) as string,
    });
  });

  test("is shown with its draw, where that matters", () => {
    const share = (percent: number): string => `hash_in_range(0, 100, cf.random_seed) lt ${String(percent)}`;
    const blocking = (expression: string) => one(firewall(rule("block", `${ADMIN} and ${expression}`)), stopped);
    expect(blocking(share(25))).toMatchObject({
      text: "GET https://www.example.com/admin from 203.0.113.9 (drawn at 99.9999 %): allowed",
    });
    expect(blocking(`not ${share(25)}`)).toMatchObject({ text: expect.stringContaining("(drawn at 0.5 %)") as string });
    const elsewhere = one(firewall(rule("log", `${ADMIN} and ${share(25)}`)), stopped);
    expect(elsewhere).toMatchObject({ text: "GET https://www.example.com/admin from 203.0.113.9: allowed" });
  });

  test("is shown with the path as a client writes it, where rules see it before it is normalised", () => {
    const given = redirects(redirect('http.request.uri.path eq "/admin"', "https://example.com/"));
    expect(one(given, { kind: "redirect" }, 'http.request.uri.path eq "/admin"')).toMatchObject({
      verdict: "violated",
      text: "GET https://www.example.com//admin from 203.0.113.9: allowed",
    });
    expect(one(given, { kind: "redirect" }, 'raw.http.request.uri.path eq "/admin"')).toEqual({ verdict: "proved" });
  });

  test("is not known where a custom ruleset is not given, which may stop or skip anything", () => {
    const executing = zone(CUSTOM, execute("ssl", "c1"));
    const given = [executing, zone(LIMITS, limit(ADMIN))];
    const why = "rule 1 of http_request_firewall_custom executes the ruleset c1, which is not given";
    expect(one(given, { kind: "be-limited" }, ADMIN)).toMatchObject({ verdict: "unknown", open: [{ why }] });
    expect(one([executing], stopped, `${ADMIN} and ssl`)).toMatchObject({ verdict: "unknown", open: [{ why }] });
    expect(one([executing], stopped, `${ADMIN} and not ssl`)).toMatchObject({ verdict: "violated" });
    expect(one(given, { kind: "be-limited" }, `${ADMIN} and not ssl`)).toEqual({ verdict: "proved" });
    const custom1 = custom("c1", skip("cf.client.bot", { phases: [LIMITS] }));
    expect(one([...given, custom1], { kind: "be-limited" }, ADMIN)).toMatchObject({ verdict: "violated" });
  });

  test.each<[string, Requirement]>([
    ["limited", { kind: "be-limited" }],
    ["seen by the managed rules that are named", { kind: "reach-managed-rules", ruleset: "m1" }],
    ["skipped by no rule", { kind: "not-be-skipped" }],
  ])("is not known to be violated, where what is not known may stop the request before it is %s", (_what, must) => {
    const after = skip("true", { products: ["waf"] });
    expect(one(firewall(execute("true", "c1"), after), must)).toMatchObject({ verdict: "unknown" });
    expect(one(firewall(rule("enchant", "true"), after), must)).toMatchObject({ verdict: "unknown" });
    const onlyLogged = zone(CUSTOM, rule("log", "ip.src in $unknown"), after);
    expect(one([onlyLogged], must)).toMatchObject({ verdict: "violated" });
  });

  test("does not depend on what only changes a response", () => {
    const header = { headers: { "X-Frame-Options": { operation: "set", value: "DENY" } } };
    const headers = zone(
      "http_response_headers_transform",
      rule("rewrite", "ip.src in $unknown", { actionParameters: header }),
    );
    expect(one([headers], stopped)).toMatchObject({ verdict: "violated" });
    expect(one([headers], { kind: "be-allowed" })).toEqual({ verdict: "proved" });
  });

  test("does not depend on rules that normalise URLs, which may be in the list of every zone", () => {
    const normalising = zone("http_request_sanitize", execute("true", "70339d97bdb34195bbf054b1ebe81f76"));
    expect(one([normalising, ...blocked], stopped)).toEqual({ verdict: "proved" });
    expect(one([normalising], stopped)).toMatchObject({ verdict: "violated" });
    expect(one([normalising], { kind: "be-allowed" })).toEqual({ verdict: "proved" });
    expect(one([normalising], { kind: "not-be-skipped" })).toEqual({ verdict: "proved" });
  });

  test("is shown with every end that a request may have", () => {
    expect(one(firewall(rule("block", "ip.src in $unknown")), { kind: "redirect" })).toMatchObject({
      text: expect.stringMatching(
        /: allowed or blocked by rule 1 of .*, which depends on what is not known$/,
      ) as string,
    });
  });

  test("about no request at all is proved of none", () => {
    const impossible = 'http.request.method eq "get" and ssl';
    expect(one(firewall(), stopped, impossible)).toEqual({ verdict: "proved", isVacuous: true });
    expect(one(blocked, stopped)).toEqual({ verdict: "proved" });
  });

  test("names the rules and rulesets that it depends on", () => {
    expect(one(firewall(rule("enchant", ADMIN, { description: "New" })), stopped)).toMatchObject({
      open: [{ why: expect.stringContaining('"New"') as string }],
    });
    expect(one(managedRules(execute("true", undefined, {})), { kind: "be-allowed" })).toMatchObject({
      open: [{ why: expect.stringContaining("whose rules may stop it") as string }],
    });
  });

  test("says how lists can be decided that nobody can read", () => {
    const blocking = zone(CUSTOM, rule("block", "ip.src in $cf.anonymizer", { description: "Anonymous" }));
    expect(one([blocking], stopped, "true")).toEqual({
      verdict: "unknown",
      open: [
        {
          why: 'it depends on "Anonymous": the items of the list $cf.anonymizer are not known',
          decidedBy: "naming the list in `requests` as well: nobody can read the items of Cloudflare's own lists",
        },
      ],
    });
    expect(one([blocking], stopped, "ip.src in $cf.anonymizer")).toEqual({ verdict: "proved" });
  });

  test("counts the requests that exceed a limit", () => {
    expect(one(limits(limit(ADMIN)), { kind: "be-allowed" })).toMatchObject({
      text: expect.stringMatching(/limited by .* at request 6$/) as string,
    });
  });

  test("knows the name and the plan of the zone", () => {
    const given = firewall(rule("block", 'cf.zone.plan eq "ENT" and cf.zone.name eq "example.com"'));
    const invariants = [{ requests: "true", must: stopped }];
    const verdictIn = (name: string) => prove({ rulesets: given, zone: { name, plan: "enterprise" }, invariants })[0];
    expect(verdictIn("example.com")).toEqual({ verdict: "proved" });
    expect(verdictIn("example.net")).toMatchObject({
      verdict: "violated",
      text: expect.stringContaining("https://example.net/") as string,
    });
  });

  test("is not known where it depends on the plan or the name of a zone that is not known", () => {
    const inEnterprise = firewall(rule("block", `${ADMIN} and cf.zone.plan eq "ENT"`));
    expect(one(inEnterprise, stopped, ADMIN)).toEqual({
      verdict: "unknown",
      open: [{ why: "it depends on the plan of the zone, which is not known", decidedBy: "--plan, or --zone" }],
    });
    expect(one(inEnterprise, stopped, 'http.request.uri.path eq "/other"')).toMatchObject({ verdict: "violated" });
    const maybe = rule("block", 'cf.zone.plan eq "ENT"');
    expect(one(firewall(maybe), { kind: "be-logged" })).toMatchObject({ verdict: "unknown" });
    const skipping = zone(CUSTOM, maybe, skip("true", { products: ["waf"] }));
    expect(one([skipping], { kind: "not-be-skipped" })).toMatchObject({ verdict: "unknown" });
    const right = redirect('cf.zone.plan eq "ENT"', "https://a.example/");
    const both = redirects(right, redirect("true", "https://b.example/"));
    expect(one(both, { kind: "redirect", to: "https://a.example/" })).toMatchObject({ verdict: "unknown" });
    expect(one(firewall(rule("block", 'cf.zone.name eq "a.com"')), stopped)).toMatchObject({
      open: [{ why: "it depends on the name of the zone, which is not known" }],
    });
  });

  test("that is not a filter is refused", () => {
    expect(() => one([], stopped, "http.host")).toThrow(TypeError);
  });
});

const requirement: fc.Arbitrary<Requirement> = fc.constantFrom<Requirement>(
  ...(["be-stopped", "block", "challenge", "be-allowed", "be-limited", "be-logged", "not-be-skipped"] as const).map(
    (kind) => ({ kind }),
  ),
  { kind: "reach-managed-rules" },
  { kind: "redirect" },
  { kind: "redirect", to: "https://x.example/" },
);

/** Whether a request that an invariant is about gets what is required, each time that it is sent; nothing for any other one. */
const judging = (given: readonly RulesetInput[], { requests, must }: Invariant) => {
  const program = compileProgram(given);
  const scope = compileProgram([{ kind: "zone", phase: TRANSFORM, rules: [{ action: "log", expression: requests }] }]);
  return (input: Parameters<typeof makeRequest>[0], times: number): string[] => {
    const to = makeRequest(input);
    if (simulate({ program: scope, request: to }).trace[0]?.status !== "matched") return [];
    let limits: Limits | undefined;
    return Array.from({ length: times }, () => {
      const simulation = simulate({ program, request: to, limits, response: { status: 200 }, clock: 0 });
      limits = simulation.limits;
      return isMet(must, simulation);
    });
  };
};

test("no request contradicts a proof, and every violation is one", () => {
  const numRuns = runs(60);
  const found: Record<string, number> = {};
  fc.assert(
    fc.property(
      rulesets,
      expression,
      requirement,
      fc.array(request, { minLength: 40, maxLength: 40 }),
      (given, requests, must, inputs) => {
        const [proof] = prove({ rulesets: given, invariants: [{ requests, must }] });
        if (proof === undefined) throw new Error("no proof");
        found[proof.verdict] = (found[proof.verdict] ?? 0) + 1;
        const judge = judging(given, { requests, must });
        if (proof.verdict === "proved") {
          for (const input of inputs)
            if (judge(input, 6).includes("violated"))
              throw new Error(`proved, but violated by ${JSON.stringify(input)}`);
        }
        if (proof.verdict === "violated" && !judge(proof.input, 6).includes("violated"))
          throw new Error(`not violated by ${JSON.stringify(proof.input)}`);
      },
    ),
    { numRuns },
  );
  if (numRuns > 60) process.stdout.write(`${JSON.stringify(found)}, seed ${String(SEED)}\n`);
  expect(Object.keys(found).sort()).toEqual(["proved", "unknown", "violated"]);
});

test("what is said about rules of which nothing is known holds whatever they are", () => {
  const numRuns = runs(30);
  fc.assert(
    fc.property(
      rulesets,
      fc.array(fc.boolean(), { minLength: 3, maxLength: 6 }),
      expression,
      requirement,
      fc.array(request, { minLength: 40, maxLength: 40 }),
      (whole, isKnown, requests, must, inputs) => {
        let count = 0;
        const given = whole.map((ruleset) => ({
          ...ruleset,
          rules: ruleset.rules.map((rule) => {
            count += 1;
            const hidden = { ref: rule.ref, enabled: rule.enabled, action: "unknown", opaque: String(count) };
            return isKnown[count % isKnown.length] === true ? rule : hidden;
          }),
        }));
        const [proof] = prove({ rulesets: given, invariants: [{ requests, must }] });
        const judge = judging(whole, { requests, must });
        if (proof?.verdict === "proved") {
          for (const input of inputs)
            if (judge(input, 6).includes("violated"))
              throw new Error(`proved, but violated by ${JSON.stringify(input)}`);
        }
        if (proof?.verdict === "violated" && judge(proof.input, 6).every((met) => met === "met"))
          throw new Error(`not violated by ${JSON.stringify(proof.input)}`);
      },
    ),
    { numRuns },
  );
});
