import type { Emulator, Plan } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { acceptedChanges, refusedChanges, type HeaderChange } from "../support/header-changes.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const MANAGED = "http_request_firewall_managed";
const LIMITS = "http_ratelimit";
const CLOUDFLARE = "efb7b8c949ac4650a09736fc376e9aee";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const DDOS = "4d21379b4f9f4bb088e0729962c8b3cf";
const WORDPRESS = "5de7edfa648c4d6891dc3e7f84534ffa";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
const ENT = 'cf.zone.plan eq "ENT"';

const ratelimit = {
  characteristics: ["cf.colo.id", "ip.src"],
  period: 60,
  requests_per_period: 10,
  mitigation_timeout: 600,
};
const limit = (change: object, action = "block") => ({
  action,
  expression: 'http.request.uri.path eq "/login"',
  ratelimit: { ...ratelimit, ...change },
});
const rule = (action: string, action_parameters: object, expression = "ssl") => ({
  ...{ action, expression, action_parameters },
});
const block = (more: object = {}) => ({ action: "block", expression: "ssl", ...more });
const page = (length: number) =>
  rule("block", { response: { status_code: 403, content_type: "text/plain", content: "é".repeat(length) } });
const errorPage = (length: number) =>
  rule("serve_error", { content: "x".repeat(length), content_type: "text/plain" }, "true");
const skip = (parameters: object) => rule("skip", parameters);
const execute = (id: string, overrides?: object, expression = "true") =>
  rule("execute", { id, ...(overrides === undefined ? {} : { overrides }) }, expression);
const rewrite = (headers: object, expression = "true") => rule("rewrite", { headers }, expression);

describe("the rules of a ruleset", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zones: Record<Plan, string>;
  let account: string;
  beforeAll(async () => {
    emulator = await emulatorWith();
    caller = new Caller(emulator);
    const service = new Service(emulator);
    const plans = ["free", "pro", "business", "enterprise"] as const;
    const found = await Promise.all(plans.map(async (plan) => [plan, `/zones/${await service.zone(plan)}`] as const));
    zones = Object.fromEntries(found) as Record<Plan, string>;
    account = `/accounts/${await service.account()}`;
  });
  const put = (phase: string, rule: object | readonly object[], owner = zones.enterprise) =>
    caller.send<{ id: string; version: string; rules: { id: string; ratelimit?: { mitigation_timeout?: number } }[] }>(
      "PUT",
      `${owner}/rulesets/phases/${phase}/entrypoint`,
      { rules: [rule].flat() },
    );

  test("may have a description of 4,096 bytes and no more", async () => {
    const described = (description: string) => put(CUSTOM, block({ description }));
    expect((await described("é".repeat(2048))).status).toBe(200);
    expect((await described("é".repeat(2049))).status).toBe(400);
  });

  const changed = async (phase: string, name: string, change: HeaderChange[2]) =>
    put(phase, rewrite({ [name]: change }));
  test.each(refusedChanges)("are refused: %s changes %j by %j", async (phase, name, change) => {
    const { status, errors } = await changed(phase, name, change);
    expect([status, errors[0]?.message]).toEqual([400, expect.stringContaining("is not a valid value for")]);
  });
  test.each(acceptedChanges)("are accepted: %s changes %j by %j", async (phase, name, change) => {
    expect((await changed(phase, name, change)).errors).toEqual([]);
  });

  test.each<[Plan, string, number | undefined]>([
    ["enterprise", "block", 0],
    ["enterprise", "managed_challenge", 0],
    ["business", "managed_challenge", 0],
    ["business", "block", undefined],
  ])("a missing timeout of a rate limit, on the %s plan, with %s, is %s", async (plan, action, timeout) => {
    const { mitigation_timeout: _timeout, ...without } = ratelimit;
    const rule = { ...limit({}, action), ratelimit: without };
    const { errors, result } = await put(LIMITS, rule, zones[plan]);
    expect([errors, result.rules[0]?.ratelimit?.mitigation_timeout]).toEqual([[], timeout]);
  });

  describe("are refused with", () => {
    const zoneCases: [string, string, object | object[], Plan?, number?][] = [
      ["a rate limit without its object", LIMITS, block()],
      ["a rate limit without the data center", LIMITS, limit({ characteristics: ["ip.src"] }), "enterprise", 20155],
      [
        "a rate limit by address and visitor",
        LIMITS,
        limit({ characteristics: ["cf.colo.id", "ip.src", "cf.unique_visitor_id"] }),
      ],
      ["a period that is not offered", LIMITS, limit({ period: 77 })],
      ["a rate limit that counts nothing", LIMITS, limit({ requests_per_period: undefined })],
      ["a score without its header", LIMITS, limit({ requests_per_period: undefined, score_per_period: 5 })],
      ["a timeout with a challenge below Enterprise", LIMITS, limit({}, "managed_challenge"), "business"],
      ["logging in a rate limit below Enterprise", LIMITS, limit({}, "log"), "pro"],
      [
        "a counting expression that does not parse",
        LIMITS,
        limit({ counting_expression: "(ssl" }),
        "enterprise",
        20127,
      ],
      ["a rate limit in another phase", CUSTOM, limit({})],
      ["the rest of this ruleset and others", CUSTOM, skip({ ruleset: "current", rulesets: [CLOUDFLARE] })],
      [
        "the rest of this ruleset and single rules",
        MANAGED,
        skip({ ruleset: "current", rules: { [CLOUDFLARE]: [WORDPRESS] } }),
      ],
      ["rulesets and phases", CUSTOM, skip({ rulesets: [CLOUDFLARE], phases: [LIMITS] })],
      ["the phase and phases", CUSTOM, skip({ phase: "current", phases: [LIMITS] })],
      ["the phase in another phase", MANAGED, skip({ phase: "current" })],
      ["a phase that cannot be skipped", CUSTOM, skip({ phases: ["http_request_transform"] })],
      ["a ruleset that does not exist", MANAGED, skip({ rulesets: ["0".repeat(32)] })],
      ["rules of a ruleset that does not exist", MANAGED, skip({ rules: { ["0".repeat(32)]: [WORDPRESS] } })],
      ["a rule of another ruleset", MANAGED, skip({ rules: { [OWASP]: [WORDPRESS] } })],
      ["one managed ruleset twice", MANAGED, [execute(CLOUDFLARE), execute(CLOUDFLARE)], "enterprise", 20014],
      ["a sensitivity outside of DDoS", MANAGED, execute(CLOUDFLARE, { sensitivity_level: "medium" })],
      [
        "a sensitivity of a rule outside of DDoS",
        MANAGED,
        execute(CLOUDFLARE, { rules: [{ id: WORDPRESS, sensitivity_level: "low" }] }),
      ],
      ["a ruleset of another phase", CUSTOM, execute(CLOUDFLARE)],
      [
        "response settings in a request phase",
        "http_request_cache_settings",
        rule("set_cache_settings", { strip_etags: true }),
      ],
      [
        "request settings in a response phase",
        "http_response_cache_settings",
        rule("set_cache_settings", { cache: true }),
      ],
      [
        "sixty-five regular expressions",
        CUSTOM,
        { action: "block", expression: Array(65).fill('http.host matches "a"').join(" or ") },
      ],
      ["a block page beyond 2 KB in a custom rule", CUSTOM, page(1024 + 1)],
      ["a block page beyond 30 KB of a rate limit", LIMITS, { ...page(15 * 1024 + 1), ...limit({}) }],
      ["an error page beyond 10 KB", "http_custom_errors", errorPage(10 * 1024 + 1)],
      [
        "a managed list of addresses in a response header rule",
        "http_response_headers_transform",
        rewrite({ "X-A": { operation: "remove" } }, "ip.src in $cf.malware"),
        "enterprise",
        20127,
      ],
      ["a position in an entry point", CUSTOM, block({ position: { index: 1 } })],
      ["an unknown field", CUSTOM, block({ actoin: "log" })],
      ["an unknown parameter", CUSTOM, { action: "block", expression: "ssl", action_parameters: { respond: {} } }],
      ["an expression that is not a string", CUSTOM, { action: "block", expression: 5 }],
      ["an action that is not a string", CUSTOM, { action: ["block"], expression: "ssl" }],
    ];
    test.each(zoneCases)("%s", async (...[, phase, rule, plan = "enterprise", code]) => {
      expect(codes(await put(phase, rule, zones[plan]))).toEqual([400, code]);
    });

    test.each<[string, string, object, number?]>([
      ["an execute for all plans", CUSTOM, execute("CUSTOM", undefined, "true")],
      ["a condition without parentheses", MANAGED, execute(CLOUDFLARE, undefined, `ssl and ${ENT}`)],
      ["two groups", MANAGED, execute(CLOUDFLARE, undefined, `(ssl) and (not ssl) and ${ENT}`)],
      ["a negated group", MANAGED, execute(CLOUDFLARE, undefined, `not (ssl) and ${ENT}`)],
      ["the plan at the start", MANAGED, execute(CLOUDFLARE, undefined, `${ENT} and (ssl)`)],
      ["another plan", MANAGED, execute(CLOUDFLARE, undefined, 'cf.zone.plan eq "PRO"')],
      ["a skip in the custom phase", CUSTOM, { ...skip({ phases: [LIMITS] }), expression: ENT }],
      ["a list in the custom phase", CUSTOM, execute("CUSTOM", undefined, `(ip.src in $office) and ${ENT}`), 20127],
      ["a score in the custom phase", CUSTOM, execute("CUSTOM", undefined, `(cf.waf.score lt 20) and ${ENT}`)],
      [
        "an execute of sensitive data for all plans",
        "http_response_firewall_managed",
        execute("e22d83c647c64a3eae91b71b499d988e"),
      ],
    ])("in an account: %s", async (...[, phase, rule, code]) => {
      const created = await caller.result("POST", `${account}/rulesets`, { name: "c", kind: "custom", phase: CUSTOM });
      const sent = JSON.parse(JSON.stringify(rule).replace('"CUSTOM"', JSON.stringify(created.id))) as object;
      const answer = await put(phase, sent, account);
      await caller.send("DELETE", `${account}/rulesets/${created.id}`);
      expect(answer.status).toBe(400);
      // Where the phase does not allow the action, only the action is refused, before its code.
      if (code !== undefined) expect(codes(answer)).toEqual([400, code]);
    });

    test.each<[Plan, object, string, string?]>([
      ["free", { period: 60 }, "not entitled to use the period 60, can only use a period among [10]"],
      ["free", { period: 10 }, "not entitled to use a mitigation timeout different from 10"],
      ["free", { period: 10, mitigation_timeout: 0 }, "not entitled to use a mitigation timeout different from 10"],
      ["pro", { period: 90 }, "not entitled to use the period 90, can only use a period among [10 15 20 30 40 45 60]"],
      ["pro", { mitigation_timeout: 65_535 }, "not entitled to use the mitigation timeout 65535"],
      ["pro", { mitigation_timeout: 0 }, "not entitled to use the mitigation timeout 0"],
      [
        "pro",
        { characteristics: ["cf.colo.id", "cf.unique_visitor_id"] },
        "not entitled: the use of the characteristic cf.",
      ],
      ["pro", { counting_expression: "http.response.code eq 401" }, "not entitled: "],
      ["business", { period: 900 }, "not entitled to use the period 900"],
      ["business", { mitigation_timeout: 77 }, "not entitled to use the mitigation timeout 77"],
      [
        "business",
        { characteristics: ["http.host", "cf.colo.id"] },
        "not entitled: the use of the characteristic http.host",
      ],
      [
        "business",
        { score_per_period: 5, score_response_header_name: "x" },
        "not entitled: the use of score_per_period",
      ],
      ["business", {}, "not entitled to use a mitigation timeout different from 0", "js_challenge"],
      ["enterprise", { period: 86_400 }, "not entitled to use the period 86400"],
    ])("a rate limit that the %s plan does not include: %j", async (plan, change, text, action = "block") => {
      const { status, errors } = await put(LIMITS, limit(change, action), zones[plan]);
      expect([status, errors[0]?.message]).toEqual([400, expect.stringContaining(text)]);
    });

    test("unknown fields, and values that are not strings", async () => {
      const path = `${zones.enterprise}/rulesets/phases/${CUSTOM}/entrypoint`;
      const whole = { name: "x", kind: "custom", phase: CUSTOM };
      const wrong = [{ rulez: [] }, { name: "" }, { description: 5 }];
      for (const body of [...wrong, { phase: LIMITS }, { rules: {} }, { name: 5 }])
        expect([body, (await caller.send("PUT", path, body)).status]).toEqual([body, 400]);
      for (const body of [...wrong, { kind: 5 }].map((more) => ({ ...whole, ...more })))
        expect([body, (await caller.send("POST", `${zones.enterprise}/rulesets`, body)).status]).toEqual([body, 400]);
    });

    test("a position without effect", async () => {
      const rules = ["ssl", "not ssl"].map((expression) => ({ action: "block", expression }));
      const { result } = await put(CUSTOM, rules);
      const rule = (index: number) =>
        `${zones.enterprise}/rulesets/${result.id}/rules/${result.rules[index]?.id ?? ""}`;
      expect(codes(await caller.send("PATCH", rule(0), { position: { index: 1 } }))).toEqual([400, 20011]);
      expect(codes(await caller.send("PATCH", rule(1), { position: { after: result.rules[0]?.id } }))).toEqual([
        400, 20011,
      ]);
      expect((await caller.send("PATCH", rule(1), { position: { before: "" } })).status).toBe(200);
      expect((await caller.send("PATCH", rule(0), {})).status).toBe(400);
    });

    test("an eleventh custom ruleset in an account", async () => {
      await caller.control("POST", "/reset", {});
      const make = (index: number) =>
        caller.send("POST", `${account}/rulesets`, { name: `c${String(index)}`, kind: "custom", phase: CUSTOM });
      for (let index = 0; index < 10; index += 1) expect((await make(index)).status).toBe(200);
      expect(codes(await make(10))).toEqual([400, 50002]);
    });

    test("more rules in total than the custom rulesets of an account may contain", async () => {
      await caller.control("POST", "/reset", {});
      const rules = (count: number) => Array.from({ length: count }, () => block());
      const make = (name: string, count: number) =>
        caller.send<{ id: string }>("POST", `${account}/rulesets`, {
          name,
          kind: "custom",
          phase: CUSTOM,
          rules: rules(count),
        });
      expect((await make("a", 600)).status).toBe(200);
      expect(codes(await make("b", 401))).toEqual([400, 50001]);
      const { result } = await make("b", 400);
      const added = await caller.send("POST", `${account}/rulesets/${result.id}/rules`, block());
      expect(codes(added)).toEqual([400, 50001]);
    });

    test("a managed ruleset executed twice, also by adding a rule", async () => {
      const { result } = await put(MANAGED, execute(CLOUDFLARE));
      const path = `${zones.enterprise}/rulesets/${result.id}/rules`;
      expect(codes(await caller.send("POST", path, execute(CLOUDFLARE)))).toEqual([400, 20014]);
      expect((await caller.send("POST", path, execute(OWASP))).status).toBe(200);
    });
  });

  describe("are accepted with", () => {
    test.each<[string, string, object, Plan?]>([
      ["a timeout with a challenge on Enterprise", LIMITS, limit({}, "managed_challenge")],
      ["the rate limit of a free zone", LIMITS, limit({ period: 10, mitigation_timeout: 10 }), "free"],
      [
        "the widest rate limit of a business zone",
        LIMITS,
        limit({
          characteristics: ["cf.unique_visitor_id", "cf.colo.id"],
          period: 600,
          mitigation_timeout: 86_400,
          counting_expression: "http.response.code eq 401",
        }),
        "business",
      ],
      [
        "any timeout and any characteristics on Enterprise",
        LIMITS,
        limit({
          characteristics: ["cf.colo.id", 'http.request.headers["x-key"]'],
          period: 65_535,
          mitigation_timeout: 77,
        }),
      ],
      [
        "a challenge without a timeout below Enterprise",
        LIMITS,
        limit({ mitigation_timeout: 0 }, "managed_challenge"),
        "pro",
      ],
      [
        "a score with its header",
        LIMITS,
        limit({ requests_per_period: undefined, score_per_period: 5, score_response_header_name: "x" }),
      ],
      ["an error page of 10 KB", "http_custom_errors", errorPage(10 * 1024)],
      ["a block page of 2 KB in a custom rule", CUSTOM, page(1024)],
      ["a block page of 30 KB of a rate limit", LIMITS, { ...limit({}), ...page(15 * 1024) }],
      ["products and the phase", CUSTOM, skip({ phase: "current", products: ["waf"] })],
      ["rulesets and single rules", MANAGED, skip({ rulesets: [CLOUDFLARE], rules: { [OWASP]: [SCORING] } })],
      ["a sensitivity for DDoS", "ddos_l7", execute(DDOS, { sensitivity_level: "medium" })],
      ["a DDoS ruleset twice", "ddos_l7", [execute(DDOS), execute(DDOS, undefined, "ssl")]],
      [
        "what the service accepts beyond its description",
        MANAGED,
        { ...execute(CLOUDFLARE), id: "", version: "", ref: "" },
      ],
    ])("%s", async (_, phase, rule, plan = "enterprise") => {
      expect(codes(await put(phase, rule, zones[plan]))).toEqual([200]);
    });

    test.each([
      ENT,
      `(${ENT})`,
      `(ssl) and ${ENT}`,
      `(ssl or (not ssl)) and (${ENT})`,
      `(http.host eq ")(") and ${ENT}`,
    ])("in an account: %s, with one managed ruleset executed twice", async (expression) => {
      const rule = execute(CLOUDFLARE, undefined, expression);
      expect(codes(await put(MANAGED, [rule, rule], account))).toEqual([200]);
    });
    test("in a custom ruleset of an account", async () => {
      const rules = ["ip.src in $office", "cf.waf.score lt 20"].map((expression) => ({ action: "block", expression }));
      const body = { name: "all", kind: "custom", phase: CUSTOM, rules: [...rules, skip({ ruleset: "current" })] };
      await caller.control("POST", "/reset", { lists: [{ name: "office", kind: "ip" }] });
      expect(codes(await caller.send("POST", `${account}/rulesets`, body))).toEqual([200]);
    });
  });

  test("get a warning for unknown managed rules, not an error, also in a dry run", async () => {
    const unknown = "0123456789abcdef0123456789abcdef";
    const overrides = {
      rules: [WORDPRESS, unknown].map((id) => ({ id, enabled: false })),
      categories: ["xss", "dotnetnuke"].map((category) => ({ category, enabled: false })),
    };
    const rules = [execute(CLOUDFLARE, overrides), skip({ rules: { [CLOUDFLARE]: [WORDPRESS, unknown] } })];
    const pointers = [
      "/rules/0/action_parameters/overrides/rules/1/id",
      "/rules/0/action_parameters/overrides/categories/1/category",
      `/rules/1/action_parameters/rules/${CLOUDFLARE}/1`,
    ];
    const expected = pointers.map((pointer) => ({
      message: expect.stringContaining("is not known here") as string,
      source: { pointer },
    }));
    const answer = await put(MANAGED, rules);
    expect([answer.status, answer.messages]).toEqual([200, expected]);
    const path = `${zones.enterprise}/rulesets/phases/${MANAGED}/entrypoint?dry_run=true`;
    expect(await caller.send("PUT", path, { rules })).toMatchObject({ status: 200, result: null, messages: expected });
    expect((await put(MANAGED, execute(CLOUDFLARE))).messages).toEqual([]);
  });

  test("can lose their latest version while the ruleset is not deployed, but not when it is", async () => {
    const zone = zones.enterprise;
    const created = await caller.result("POST", `${zone}/rulesets`, { name: "v", kind: "custom", phase: CUSTOM });
    await caller.result("PUT", `${zone}/rulesets/${created.id}`, { rules: [block()] });
    const version = (number: string) => `${zone}/rulesets/${created.id}/versions/${number}`;
    expect((await caller.send("DELETE", version("2"))).status).toBe(204);
    expect(await caller.result("GET", `${zone}/rulesets/${created.id}`)).toMatchObject({ version: "1", rules: [] });
    expect(await caller.result("PUT", `${zone}/rulesets/${created.id}`, { rules: [] })).toMatchObject({ version: "3" });
    await put(CUSTOM, execute(created.id));
    expect((await caller.send("DELETE", version("3"))).status).toBe(400);
    const entry = await put(CUSTOM, []);
    expect((await caller.send("DELETE", version("3"))).status).toBe(204);
    const own = `${zone}/rulesets/${entry.result.id}/versions/${entry.result.version}`;
    expect((await caller.send("DELETE", own)).status).toBe(400);
  });
});
