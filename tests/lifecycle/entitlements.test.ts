import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startService } from "./harness.js";

const phase = "http_request_firewall_custom";
const plain = block("Plain", "ssl");
const pattern = block("Pattern", 'http.host matches "^a"');
const hostHeader = { action: "route", expression: "ssl", actionParameters: { hostHeader: "a.example.com" } };
const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    block(`Rule ${String(index)}`, `http.host eq "h${String(index)}.example.com"`),
  );

describe("features that the plan of the zone does not include", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service } = await startService());
    zoneId = await service.zone("free");
    resource = new ManagedRuleset("PhaseEntrypoint", service);
  });
  const inputs = (...rules: object[]) => ({ zoneId, phase, rules });
  const zoneReads = (requests: readonly string[]) => requests.filter((request) => request === `GET /zones/${zoneId}`);

  test("are a warning at preview, never a refusal, because the service decides", async () => {
    const { warnings } = await resource.preview(inputs(plain, pattern));
    expect(warnings).toEqual([
      'rule "Pattern", rules[1].expression: the Free plan of free.example.com does not include the operator matches, which needs a Business plan or WAF Advanced. ' +
        "The service rejects it unless the account has it by contract",
    ]);
    await expect(resource.up(inputs(plain, pattern))).rejects.toThrow("not entitled");
  });

  test("are reported at the parameter of a rate limit, and refused: no add-on changes it", async () => {
    const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 10, requestsPerPeriod: 5 };
    const limited = (more: object) => ({
      zoneId,
      phase: "http_ratelimit",
      rules: [block("Limited", "ssl", { ratelimit: { ...ratelimit, ...more } })],
    });
    expect((await resource.preview(limited({ mitigationTimeout: 10 }))).warnings).toEqual([
      'rule "Limited", rules[0].expression: the Free plan of free.example.com does not include the field ssl, which needs at least the ' +
        "Business plan in a rate limiting rule. The service rejects it unless the account has it by contract",
    ]);
    await expect(resource.preview(limited({ period: 60, mitigationTimeout: 10 }))).rejects.toThrow(
      "rules[0].ratelimit.period: the Free plan of free.example.com does not include a rate limit period of 60 seconds, which needs at least the Pro plan",
    );
    await expect(resource.preview(limited({ mitigationTimeout: 60 }))).rejects.toThrow(
      "rules[0].ratelimit.mitigationTimeout: the Free plan of free.example.com does not include a mitigation timeout of 60 seconds",
    );
  });

  test("are reported for a single rule too: a new one, and one that changes to need them", async () => {
    const single = new ManagedRuleset("RulesetRule", service);
    const rule = { zoneId, phase, ref: "a", action: "block" };
    const warning = 'rule "a", expression: the Free plan of free.example.com does not include the operator matches';
    const isTold = async (expression: string): Promise<boolean> =>
      (await single.preview({ ...rule, expression })).warnings.some((text) => text.startsWith(warning));
    expect(await isTold('http.host matches "^a"')).toBe(true);
    expect(await isTold("ssl")).toBe(false);
    await single.up({ ...rule, expression: "ssl" });
    expect(await isTold('http.host matches "^a"')).toBe(true);
    expect(zoneReads((await single.preview({ ...rule, expression: "not ssl" })).requests)).toEqual([]);
  });

  test("cost one request per zone and run, and only when needed", async () => {
    expect(zoneReads((await resource.preview(inputs(plain))).requests)).toEqual([]);
    expect(zoneReads((await resource.preview(inputs(...many(5)))).requests)).toEqual([]);
    expect(zoneReads((await resource.preview(inputs(pattern, ...many(4)))).requests)).toHaveLength(1);

    resource.newSession();
    await service.forget();
    const other = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    other.session = resource.session;
    await Promise.all([
      resource.plan(inputs(pattern), true),
      other.plan({ ...inputs(pattern), phase: "http_request_dynamic_redirect", rules: many(0) }, true),
      other.plan({ zoneId, phase: "http_request_origin", rules: many(0) }, true),
    ]);
    await resource.plan(inputs(pattern, ...many(4)), true);
    expect(zoneReads(await service.requests())).toHaveLength(1);
  });

  test("cost no request in an up, without preview checks, or for an account", async () => {
    await expect(resource.up(inputs(pattern))).rejects.toThrow("not entitled");
    expect(zoneReads(await service.requests())).toEqual([]);
    const account = { accountId: await service.account(), kind: "custom", name: "a", phase, rules: [pattern] };
    const custom = new ManagedRuleset("Ruleset", service);
    expect((await custom.preview(account)).requests.filter((request) => !request.includes("/rulesets"))).toEqual([]);
  });

  test("are refused if they are more rules than the plan has", async () => {
    const refusal = "rules: there are 6 rules, but the Free plan of free.example.com includes 5";
    await expect(resource.preview(inputs(...many(6)))).rejects.toThrow(refusal);
  });

  test("are a warning where the token cannot read the zone", async () => {
    await service.fault({ method: "GET", path: `*/zones/${zoneId}`, status: 403, body: {}, times: 9 });
    const ran = await resource.preview(inputs(pattern, ...many(7)));
    const unread = "its plan could not be read, so the service decides";
    expect(ran.warnings).toEqual([
      `rule "Pattern", rules[0].expression: it is not known whether the zone includes the operator matches, which needs a Business plan or WAF Advanced: ${unread}`,
      `rules: it is not known whether the zone includes 8 rules in ${phase}: ${unread}`,
    ]);
    expect(zoneReads(ran.requests)).toHaveLength(1);
  });

  test("are refused if no add-on has them", async () => {
    const log = { ...plain, action: "log" };
    await expect(resource.preview(inputs(log))).rejects.toThrow(
      "the Free plan of free.example.com does not include the action log, which needs at least the Enterprise plan. To continue: leave it " +
        "out, raise the plan, or if the same run raises it first, set `rulesets:previewChecks` to off for that run",
    );
    const response = { statusCode: 403, contentType: "text/html", content: "no" };
    const page = { ...plain, actionParameters: { response } };
    await expect(resource.preview(inputs(page))).rejects.toThrow("does not include a custom response");
    await expect(resource.preview({ ...inputs(), phase: "http_request_origin", rules: [hostHeader] })).rejects.toThrow(
      "does not include the parameter hostHeader",
    );
  });

  test("are refused if they are more rules than the plan has over all resources of the program", async () => {
    const single = (index: number) => new ManagedRuleset("RulesetRule", service, `urn:${String(index)}`);
    const rule = (index: number) => ({ zoneId, phase, ref: `r${String(index)}`, action: "block", expression: "ssl" });
    const [first, ...others] = Array.from({ length: 6 }, (_, index) => single(index));
    if (first === undefined) throw new Error("no rule");
    const run = first.start();
    await first.plan(rule(0), true);
    for (const other of others) other.run = run;
    for (const [index, other] of others.slice(0, -1).entries()) await other.plan(rule(index + 1), true);
    await expect(others.at(-1)?.plan(rule(5), true)).rejects.toThrow(
      "there are 6 rules, but the Free plan of free.example.com includes 5",
    );
  });

  test("are not reported for existing rules, or for an unchanged resource", async () => {
    const enterprise = await service.zone();
    const there = { zoneId: enterprise, phase, rules: [pattern, { ...plain, action: "log" }, ...many(6)] };
    await resource.up(there);
    await service.fault({
      method: "GET",
      path: `*/zones/${enterprise}`,
      body: { success: true, errors: [], messages: [], result: { id: enterprise, plan: { legacy_id: "free" } } },
      times: 9,
    });
    expect(await resource.preview(there)).toMatchObject({ action: "none", requests: [], warnings: [] });
    const edited = { ...there, rules: [block("Edited", 'http.host matches "b"'), ...there.rules.slice(1)] };
    const ran = await resource.preview(edited);
    expect(ran.warnings).toEqual([]);
    expect(ran.requests.filter((request) => request === `GET /zones/${enterprise}`)).toEqual([]);
    const more = await resource.preview({ ...there, rules: [...there.rules, plain] });
    expect(more.warnings.join()).toContain("rules: there are 9 rules, but the Free plan of the zone includes 5");
  });

  test("are not reported for rules that are adopted", async () => {
    const enterprise = await service.zone();
    await resource.up({ zoneId: enterprise, phase, rules: [pattern] });
    const again = new ManagedRuleset("PhaseEntrypoint", service, "urn:again");
    const ran = await again.preview({ zoneId: enterprise, phase, rules: [pattern], onExisting: "adopt" });
    expect(ran.requests.filter((request) => request === `GET /zones/${enterprise}`)).toEqual([]);
  });
});
