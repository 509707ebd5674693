import { compileProgram, simulate } from "../../../core/simulator/index";
import {
  custom,
  FIREWALL,
  get,
  LATE,
  MANAGED,
  RATELIMIT,
  REDIRECT,
  root,
  rule,
  run,
  statuses,
  TRANSFORM,
  zone,
} from "./support";

const execute = (ref: string, id: string) => rule(ref, "execute", { actionParameters: { id } });
const skip = (actionParameters: object, more: object = {}) => rule("skip", "skip", { actionParameters, ...more });
const block = (ref: string) => rule(ref, "block");

test("phases run in their order, whatever the order of the rulesets", () => {
  const phases = [
    LATE,
    MANAGED,
    RATELIMIT,
    FIREWALL,
    "http_request_origin",
    TRANSFORM,
    "http_request_sanitize",
    REDIRECT,
  ];
  const seen = run(phases.map((phase) => zone(phase, rule(phase, "log"))));
  expect(seen.trace.map(({ ref }) => ref)).toEqual([
    REDIRECT,
    "http_request_sanitize",
    TRANSFORM,
    "http_request_origin",
    FIREWALL,
    RATELIMIT,
    MANAGED,
    LATE,
  ]);
});

test("within a phase the account comes before the zone", () => {
  const seen = run([zone(FIREWALL, block("zone")), root(FIREWALL, block("account"))]);
  expect(seen.rule).toMatchObject({ ref: "account", level: "account" });
  expect(seen.trace[1]).toMatchObject({
    ref: "zone",
    status: "not reached",
    why: 'the request was blocked by "account"',
  });
});

test("a custom ruleset runs where it is executed, and only there", () => {
  const shared = custom(
    "abc",
    FIREWALL,
    rule("in", "log"),
    rule("deny", "block", { expression: 'http.host eq "shop.example.com"' }),
  );
  const seen = run([shared, root(FIREWALL, execute("run", "accounts/a/rulesets/abc")), zone(FIREWALL, block("after"))]);
  expect(seen.rule).toMatchObject({ ref: "deny", ruleset: "abc", level: "account" });
  expect(statuses(seen)).toEqual({ run: "matched", in: "matched", deny: "matched", after: "not reached" });
  const unused = { level: "account", status: "not reached", why: "no rule executes this ruleset" };
  expect(run([shared]).trace[0]).toMatchObject(unused);
  expect(run([{ ...shared, zoneId: "z" }]).trace[0]).toMatchObject({ ...unused, level: "zone" });
});

test("rulesets that execute each other do not loop forever", () => {
  const rulesets = [
    custom("a", FIREWALL, execute("a", "b")),
    custom("b", FIREWALL, execute("b", "a")),
    root(FIREWALL, execute("go", "a")),
  ];
  expect(run(rulesets).outcome).toBe("allowed");
});

describe("skip", () => {
  it.each([
    ["the rest of the ruleset", { ruleset: "current" }, { b: "skipped", limit: "matched", managed: "matched" }],
    ["the rest of the phase", { phase: "current" }, { b: "skipped", limit: "matched", managed: "matched" }],
    ["phases", { phases: [RATELIMIT, MANAGED] }, { b: "matched", limit: "skipped", managed: "skipped" }],
    ["rulesets", { rulesets: ["m"] }, { b: "matched", limit: "matched", managed: "skipped" }],
    [
      "rules, with an empty list: the whole ruleset",
      { rules: { m: [] } },
      { b: "matched", limit: "matched", managed: "skipped" },
    ],
    ["products", { products: ["waf", "bic"] }, { b: "matched", limit: "matched", managed: "matched" }],
  ])("skips %s", (_, parameters, expected) => {
    const seen = run([
      zone(FIREWALL, rule("before", "log"), skip(parameters), rule("b", "log")),
      zone(RATELIMIT, rule("limit", "log")),
      zone(MANAGED, execute("managed", "m")),
    ]);
    expect(statuses(seen)).toMatchObject({ before: "matched", skip: "matched", ...expected });
    expect(seen.outcome).toBe(expected.managed === "skipped" ? "allowed" : "unknown");
    expect(seen.skippedProducts).toEqual("products" in parameters ? ["waf", "bic"] : []);
  });

  it("for the rest of a custom ruleset does not affect the rules around it", () => {
    const seen = run([
      custom("c", FIREWALL, skip({ ruleset: "current" }), block("in")),
      zone(FIREWALL, execute("run", "c"), block("after")),
    ]);
    expect(statuses(seen)).toMatchObject({ in: "skipped", after: "matched" });
  });

  it("skips single rules of a custom ruleset and lists those of a managed one", () => {
    const seen = run([
      custom("c", FIREWALL, block("one"), rule("two", "log")),
      zone(FIREWALL, skip({ rules: { c: ["one"], m: ["x", "y"] } }), execute("run", "c")),
      zone(MANAGED, execute("managed", "m")),
    ]);
    expect(statuses(seen)).toMatchObject({ one: "skipped", two: "matched" });
    expect(seen.managed).toMatchObject([{ ruleset: "m", skippedRules: ["x", "y"] }]);
  });

  it("does not affect earlier rules", () => {
    const seen = run([zone(MANAGED, execute("first", "m"), skip({ rulesets: ["m"] }), execute("second", "m"))]);
    expect(statuses(seen)).toEqual({ first: "matched", skip: "matched", second: "skipped" });
  });

  it("that may have matched makes the rules after it unknown", () => {
    const seen = run([
      zone(FIREWALL, skip({ ruleset: "current" }, { expression: "cf.bot_management.verified_bot" }), block("b")),
    ]);
    expect(statuses(seen)).toEqual({ skip: "unknown", b: "unknown" });
    expect(seen.outcome).toBe("unknown");
    expect(seen.undecided[0]?.because.join()).toContain("verifiedBot");
  });
});

describe("unknowns are reported", () => {
  it("a managed ruleset is listed with its effective actions", () => {
    const overrides = {
      action: "log",
      categories: [{ category: "wordpress", action: "block", enabled: true }],
      rules: [{ id: "r1", enabled: false }],
    };
    const seen = run([zone(MANAGED, rule("r", "execute", { actionParameters: { id: "m", overrides } }))]);
    expect(seen).toMatchObject({
      outcome: "unknown",
      managed: [{ ruleset: "m", canStop: true, rule: { ref: "r" }, ...overrides }],
    });
  });

  it.each([
    ["only logs", { action: "log" }, false],
    ["is disabled", { enabled: false }, false],
    ["is disabled except for a tag", { enabled: false, categories: [{ category: "x", enabled: true }] }, true],
    ["logs except for a rule", { action: "log", rules: [{ id: "x", action: "block" }] }, true],
    ["logs, and a rule is enabled", { action: "log", rules: [{ id: "x", enabled: true }] }, false],
  ])("a managed ruleset that %s", (_, overrides, canStop) => {
    const seen = run([zone(MANAGED, rule("r", "execute", { actionParameters: { id: "m", overrides } }))]);
    expect([seen.managed[0]?.canStop, seen.outcome]).toEqual([canStop, canStop ? "unknown" : "allowed"]);
  });

  it.each([
    ["nothing follows", [], "unknown", undefined],
    ["another rule blocks as well: blocked, but by which rule is unknown", [block("b")], "blocked", undefined],
    ["another rule challenges", [rule("b", "managed_challenge")], "unknown", undefined],
  ])("a rule that may block, and %s", (_, rules, outcome, by) => {
    const seen = run([zone(FIREWALL, rule("a", "block", { expression: "cf.bot_management.score lt 30" }), ...rules)]);
    expect([seen.outcome, seen.rule?.ref]).toEqual([outcome, by]);
  });

  it("leaked credentials are unknown", () => {
    const check = {
      usernameExpression: 'http.request.headers["u"][0]',
      passwordExpression: 'http.request.headers["p"][0]',
    };
    expect(run([zone(FIREWALL, rule("a", "block", { exposedCredentialCheck: check }))]).outcome).toBe("unknown");
  });
});

test("the trace shows which part of a rule did not match", () => {
  const expression = 'http.host eq "shop.example.com" and (http.request.method eq "POST" or not ssl)';
  const [entry] = run([zone(FIREWALL, rule("a", "block", { expression }))]).trace;
  expect(entry?.why).toBe('`http.request.method eq "POST"` is false, `ssl` is true');
});

test("a disabled rule does nothing", () => {
  expect(statuses(run([zone(FIREWALL, rule("a", "block", { enabled: false }))]))).toEqual({ a: "disabled" });
});

test("an invalid expression is reported with its position", () => {
  expect(() => compileProgram([zone(FIREWALL, rule("a", "block", { expression: "ssl and" }))])).toThrow(
    /^rulesets\[0\]\.rules\[0\]: /,
  );
});

test("a zone is selected by ID, which is required when there are several", () => {
  const program = compileProgram([
    { phase: FIREWALL, zoneId: "z1", rules: [block("one")] },
    { phase: FIREWALL, zoneId: "z2", rules: [block("two")] },
    { phase: FIREWALL, accountId: "a", rules: [rule("ent", "block", { expression: 'cf.zone.plan eq "ENT"' })] },
  ]);
  expect(simulate({ program, zone: { id: "z2", plan: "free" }, request: get() }).rule?.ref).toBe("two");
  expect(simulate({ program, zone: { id: "z2", plan: "enterprise" }, request: get() }).rule?.ref).toBe("ent");
  expect(() => simulate({ program, request: get() })).toThrow("zone is required");
});
