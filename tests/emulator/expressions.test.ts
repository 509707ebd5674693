import type { Emulator, Plan } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const TRANSFORM = "http_request_transform";
const LATE = "http_request_late_transform";
const REDIRECT = "http_request_dynamic_redirect";

const rewrite = (parameters: object) => ({ action: "rewrite", expression: "true", action_parameters: parameters });
const redirect = (expression: string) => ({
  action: "redirect",
  expression: "true",
  action_parameters: { from_value: { target_url: { expression } } },
});
const counting = (counting_expression: string) => ({
  action: "block",
  expression: "true",
  ratelimit: { characteristics: ["cf.colo.id"], period: 60, requests_per_period: 5, counting_expression },
});

describe("expressions are checked by the rules language", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zones: Record<Plan, string>;
  beforeAll(async () => {
    const plans = ["free", "pro", "business", "enterprise"] as const;
    emulator = await emulatorWith({
      seed: {
        zones: plans.map((plan) => ({ name: `${plan}.example.com`, plan })),
        lists: [
          { name: "office", kind: "ip" },
          { name: "hosts", kind: "hostname" },
          { name: "moved", kind: "redirect" },
        ],
      },
    });
    caller = new Caller(emulator);
    const service = new Service(emulator);
    const found = await Promise.all(plans.map(async (plan) => [plan, `/zones/${await service.zone(plan)}`] as const));
    zones = Object.fromEntries(found) as Record<Plan, string>;
  });
  const put = (phase: string, rule: object, plan: Plan = "enterprise") =>
    caller.send("PUT", `${zones[plan]}/rulesets/phases/${phase}/entrypoint`, { rules: [rule] });
  const block = (expression: string) => ({ action: "block", expression });

  test("lists of addresses are refused in response header rules, other lists are not", async () => {
    const headers = { "X-A": { operation: "remove" } };
    const rule = (expression: string) => ({ action: "rewrite", expression, action_parameters: { headers } });
    const phase = "http_response_headers_transform";
    expect(codes(await put(phase, rule("ip.src in $office")))).toEqual([400, 20127]);
    expect(codes(await put(phase, rule("http.host in $hosts")))).toEqual([200]);
    expect(codes(await put("http_request_late_transform", rule("ip.src in $office")))).toEqual([200]);
  });

  test.each([
    ["an unknown field", "http.request.uri.pathh eq 1"],
    ["an unknown function", 'lowercase(http.host) eq "a"'],
    ["a string instead of an address", 'ip.src eq "192.0.2.1"'],
    ["a number instead of a string", "http.host eq 5"],
    ["a value instead of a condition", "http.host"],
    ["a comparison of a boolean", "ssl eq true"],
    ["an unknown escape", 'http.host eq "a\\n"'],
    ["an invalid pattern", 'http.host matches "("'],
    ["an unknown list", "ip.src in $nowhere"],
    ["a list of hostnames instead of addresses", "ip.src in $hosts"],
    ["a list of redirects", "http.host in $moved"],
    ["an unknown managed list", "http.host in $cf.malware"],
    ["a response field in a request phase", "http.response.code eq 200"],
    ["a packet field in a request phase", "ip.len gt 5"],
    ["an unclosed group", "(ssl"],
  ])("%s is refused", async (_, expression) => {
    expect(codes(await put(CUSTOM, block(expression)))).toEqual([400, 20127]);
  });

  test("a refusal contains the position, and points to the field", async () => {
    const { errors } = await put(CUSTOM, block('ssl and ip.src eq "a"'));
    expect(errors).toEqual([
      {
        code: 20127,
        message: expect.stringMatching(
          /^'ssl and ip\.src eq "a"' is not a valid value for expression because could not parse filter expression: Filter parsing error \(1:19\):\nssl and ip/,
        ) as string,
        source: { pointer: "/rules/0/expression" },
      },
    ]);
  });

  test.each<[string, string, object, Plan]>([
    ["a regular expression", CUSTOM, block('http.host matches "a"'), "pro"],
    ["a bot score", CUSTOM, block("cf.bot_management.score lt 30"), "business"],
    ["the host in a rate limit", "http_ratelimit", counting('http.host eq "a"'), "free"],
  ])("%s is refused where the plan does not include it", async (_, phase, rule, plan) => {
    const answer = await put(phase, rule, plan);
    expect([answer.status, answer.errors[0]?.message]).toEqual([400, expect.stringMatching(/^not entitled: /)]);
  });

  test.each<[string, string, object, string]>([
    ["the target of a redirect", REDIRECT, redirect("concat(http.hosts)"), "from_value/target_url/expression"],
    ["a redirect to a value that is not a string", REDIRECT, redirect("ssl"), "from_value/target_url/expression"],
    ["a path", TRANSFORM, rewrite({ uri: { path: { expression: "len(http.host)" } } }), "uri/path/expression"],
    ["a query", TRANSFORM, rewrite({ uri: { query: { expression: '"a' } } }), "uri/query/expression"],
    [
      "a header",
      LATE,
      rewrite({ headers: { "X-A": { operation: "set", expression: "nothing.such" } } }),
      "headers/X-A/expression",
    ],
    [
      "tags",
      "http_response_cache_settings",
      {
        action: "set_cache_tags",
        expression: "true",
        action_parameters: { operation: "add", expression: "http.host" },
      },
      "expression",
    ],
  ])("checks expressions in parameters: %s", async (_, phase, rule, path) => {
    const answer = await put(phase, rule);
    expect(codes(answer)).toEqual([400, 20127]);
    expect(answer.errors[0]?.source).toEqual({ pointer: `/rules/0/action_parameters/${path}` });
  });

  test("accepts response fields in a counting expression, and checks it", async () => {
    expect(codes(await put("http_ratelimit", counting("http.response.code eq 401")))).toEqual([200]);
    const answer = await put("http_ratelimit", counting("http.response.coed eq 401"));
    expect(answer.errors[0]?.source).toEqual({ pointer: "/rules/0/ratelimit/counting_expression" });
  });

  test.each<[string, object]>([
    [CUSTOM, block("ip.src in $office or http.host in $hosts or ip.src in $cf.malware")],
    [CUSTOM, block('any(http.request.headers["x-a"][*] contains "b") and not cf.client.bot')],
    [CUSTOM, block('lower(http.request.uri.path) matches r"^/admin(/|$)"')],
    [REDIRECT, redirect('concat("https://", http.host, http.request.uri.path)')],
    [TRANSFORM, rewrite({ uri: { path: { expression: 'regex_replace(http.request.uri.path, "^/a/", "/b/")' } } })],
    ["http_response_headers_transform", rewrite({ headers: { "x-a": { operation: "set", expression: "cf.ray_id" } } })],
  ])("accepts what the rules language supports in %s", async (phase, rule) => {
    expect(codes(await put(phase, rule))).toEqual([200]);
  });

  test("a redirect from a list requires an existing redirect list", async () => {
    const account = `/accounts/${await new Service(emulator).account()}`;
    const by = (name: string) => ({
      action: "redirect",
      expression: `http.request.full_uri in $${name}`,
      action_parameters: { from_list: { name, key: "http.request.full_uri" } },
    });
    const path = `${account}/rulesets/phases/http_request_redirect/entrypoint`;
    const status = async (rule: object) => (await caller.send("PUT", path, { rules: [rule] })).status;
    expect(await status(by("moved"))).toBe(200);
    expect(await status({ ...by("nowhere"), expression: "true" })).toBe(400);
    expect(await status({ ...by("hosts"), expression: "true" })).toBe(400);
  });

  test("checks the filter of a firewall rule too", async () => {
    const filters = `${zones.enterprise}/filters`;
    expect(codes(await caller.send("POST", filters, [{ expression: "http.hosts eq 1" }]))[0]).toBe(400);
  });
});
