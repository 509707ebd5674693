import * as pulumi from "@pulumi/pulumi";
import { expression, PhaseEntrypoint, RulesList, Ruleset, RulesetRule } from "../../../provider/index";
import {
  compileProgram,
  expect as expectZone,
  Firewall,
  loadFirewall,
  makeRequest,
  matchers,
  type FirewallMatchers,
} from "../../../tools/testing/index";

declare global {
  // oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R> extends FirewallMatchers<R> {}
  }
}

/** A program as users write it: configuration, secrets, outputs of one resource in another. */
function program(): void {
  const config = new pulumi.Config();
  const zoneId = config.require("zoneId");
  const accountId = "a1";
  const partner = config.requireSecret("partner");
  const shared = new Ruleset("shared", {
    accountId,
    kind: "custom",
    name: "Shared",
    phase: "http_request_firewall_custom",
    rules: [{ description: "Dot files", action: "block", expression: 'http.request.uri.path contains "/."' }],
  });
  new PhaseEntrypoint("account", {
    accountId,
    phase: "http_request_firewall_custom",
    rules: [
      {
        ref: "shared",
        action: "execute",
        expression: 'cf.zone.plan eq "ENT"',
        actionParameters: { id: shared.rulesetId },
      },
    ],
  });
  new PhaseEntrypoint("custom", {
    zoneId,
    phase: "http_request_firewall_custom",
    rules: [
      {
        ref: "partner",
        action: "skip",
        expression: pulumi.interpolate`any(http.request.headers["x-partner"][*] eq "${partner}")`,
        // In the service's spelling, as a rule that was read has it.
        version: "1",
        action_parameters: { ruleset: "current", phases: ["http_request_firewall_managed"] },
      },
      { ref: "admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' },
      { description: "Challenge scanners", action: "managed_challenge", expression: 'http.user_agent contains "scan"' },
      { ref: "off", action: "block", expression: "ssl", enabled: false },
    ],
  });
  new PhaseEntrypoint("managed", {
    zoneId,
    phase: "http_request_firewall_managed",
    rules: [{ ref: "managed", action: "execute", expression: "true", actionParameters: { id: "m" } }],
  });
  new PhaseEntrypoint("redirects", {
    zoneId,
    phase: "http_request_dynamic_redirect",
    rules: [
      {
        ref: "old",
        action: "redirect",
        expression: 'starts_with(http.request.uri.path, "/old/")',
        actionParameters: { fromValue: { targetUrl: { value: "https://shop.example.com/" }, statusCode: 308 } },
      },
    ],
  });
  new PhaseEntrypoint("rewrites", {
    zoneId,
    phase: "http_request_transform",
    rules: [
      {
        ref: "v2",
        action: "rewrite",
        expression: 'http.request.uri.path eq "/api"',
        actionParameters: { uri: { path: { value: "/v2/api" } } },
      },
    ],
  });
  new PhaseEntrypoint("limits", {
    zoneId,
    phase: "http_ratelimit",
    rules: [
      {
        ref: "login",
        action: "block",
        expression: 'http.request.uri.path eq "/login"',
        ratelimit: {
          characteristics: ["cf.colo.id", "ip.src"],
          period: 60,
          requestsPerPeriod: 3,
          mitigationTimeout: 60,
        },
      },
    ],
  });
}

const to = (path: string, headers: Record<string, string> = {}) =>
  makeRequest({ url: `https://shop.example.com${path}`, ip: "203.0.113.9", headers });
const load = (): Promise<Firewall> => loadFirewall(program, { config: { zoneId: "z1", partner: "s3cret" } });

let firewall: Firewall;
beforeAll(async () => {
  expect.extend(matchers);
  firewall = await load();
});

describe("matchers", () => {
  it("accept what the program declares", () => {
    const zone = firewall.zone({ id: "z1", plan: "enterprise" });
    expect(zone).toBlock(to("/admin/users"), { by: "admin" });
    expect(zone).toBlock(to("/.git/config"), { by: "Dot files" });
    expect(zone).toChallenge(to("/", { "user-agent": "scanner" }), { by: "Challenge scanners" });
    expect(zone).toRedirect(to("/old/shop"), "https://shop.example.com/", { status: 308, by: "old" });
    expect(zone).toRewrite(to("/api"), { url: "https://shop.example.com/v2/api" });
    expect(zone).toLimit(to("/login"), 3, { by: "login" });
    expect(zone).toAllow(to("/admin", { "x-partner": "s3cret" }), { strict: true });
    expect(zone).toAllow(to("/"));
  });

  it("reject what it does not", () => {
    const zone = firewall.zone({ id: "z1", plan: "free" });
    expect(zone).not.toBlock(to("/"));
    expect(zone).not.toBlock(to("/admin"), { by: "managed" });
    expect(zone).not.toBlock(to("/.git/config"));
    expect(zone).not.toChallenge(to("/admin"));
    expect(zone).not.toRedirect(to("/old/shop"), "https://elsewhere.example/");
    expect(zone).not.toRedirect(to("/old/shop"), "https://shop.example.com/", { status: 301 });
    expect(zone).not.toRewrite(to("/other"), { url: "https://shop.example.com/v2/api" });
    expect(zone).not.toLimit(to("/login"), 2);
    expect(zone).not.toLimit(to("/login"), 4);
    expect(zone).not.toLimit(to("/"), 3);
    expect(zone).not.toAllow(to("/admin"));
    // A managed ruleset could block it.
    expect(zone).not.toAllow(to("/"), { strict: true });
    // The plan is unknown, so it is unknown whether the shared rules run.
    expect(firewall.zone("z1")).not.toAllow(to("/.git/config"));
  });

  it("for node:test throw with the result of every rule", () => {
    const zone = firewall.zone({ id: "z1", plan: "free" });
    expectZone(zone).toBlock(to("/admin"), { by: "admin" });
    expectZone(zone).not.toBlock(to("/"));
    let message = "";
    try {
      expectZone(zone).toBlock(to("/"), { by: "admin" });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('expected GET https://shop.example.com/ to be blocked by "admin"');
    expect(message).toContain('"admin" not matched: `starts_with(http.request.uri.path, "/admin")` is false');
    expect(() => {
      expectZone(zone).not.toBlock(to("/admin"));
    }).toThrow("not to be blocked");
  });
});

describe("coverage", () => {
  it("lists the rules that no test hits, and fails below the threshold", async () => {
    const fresh = await load();
    const zone = fresh.zone({ id: "z1", plan: "enterprise" });
    expect(fresh.coverage()).toMatchObject({ rules: 9, hit: 0 });
    for (const path of ["/admin", "/old/", "/api", "/login"]) zone.simulate(to(path));
    const { missed, hit, text } = fresh.coverage();
    const names = missed.map(({ ref, description }) => description ?? ref);
    expect(names).toEqual(["Dot files", "partner", "Challenge scanners"]);
    expect(text).toContain("6 of 9 rules hit by tests. No test hits:");
    expect(text).toContain(': "Dot files" (');
    expect(hit).toBe(6);
    fresh.requireCoverage(0.6);
    expect(() => {
      fresh.requireCoverage(0.9);
    }).toThrow("The coverage must be at least 90%.");
  });
});

test("coverage names deployed rulesets by phase and zone, and rules by description", () => {
  const phase = "http_request_firewall_custom";
  const described = { description: "Block admin", ref: "433c9dd7", id: "433c9dd7", action: "block", expression: "ssl" };
  const deployed = { name: "default", kind: "zone", phase, zoneId: "z1", owner: "example.com", rules: [described] };
  const { text, missed } = new Firewall(compileProgram([deployed])).coverage();
  expect(text).toBe(`0 of 1 rules hit by tests. No test hits:\n  ${phase} of zone example.com: "Block admin" (block)`);
  expect(missed).toMatchObject([{ name: '"Block admin"', ref: "433c9dd7", id: "433c9dd7" }]);
});

test("a zone without rules is refused", () => {
  expect(() => firewall.zone("z9")).toThrow('zone "z9" has no rules in the program; zones with rules: z1');
});

test("rules of a phase that does not exist are refused", async () => {
  const misspelled = (): void => {
    const phase = "http_request_firewall_costum" as "http_request_firewall_custom";
    new PhaseEntrypoint("waf", { zoneId: "z1", phase, rules: [{ action: "block", expression: "ssl" }] });
  };
  const loaded = loadFirewall(misspelled);
  await expect(loaded).rejects.toThrow(/^waf: phase: .* did you mean "http_request_firewall_custom"\?$/);
});

describe("rules of a shared ruleset", () => {
  const place = { zoneId: "z1", phase: "http_request_firewall_custom" } as const;
  const office = {
    action: "skip",
    actionParameters: { ruleset: "current" },
    expression: "ip.src eq 192.0.2.1",
  } as const;
  const load = (position?: { before: string }): Promise<Firewall> =>
    loadFirewall(() => {
      new PhaseEntrypoint("list", {
        ...place,
        ownership: "shared",
        rules: [{ ref: "admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' }],
      });
      const other = new RulesetRule("other", { ...place, ref: "other", action: "block", expression: "not ssl" });
      new RulesetRule("office", { ...place, ...office, position: position ?? { after: other } });
    });

  it("run together, single rules among them", async () => {
    const zone = (await load()).zone("z1");
    expect(zone).toBlock(to("/admin"), { by: "admin" });
    expect(zone).toBlock(makeRequest({ url: "http://shop.example.com/" }), { by: "other" });
    expect(zone).toBlock(makeRequest({ url: "https://shop.example.com/admin", ip: "192.0.2.1" }));
  });

  it("run where their position says", async () => {
    const zone = (await load({ before: "admin" })).zone("z1");
    expect(zone).toAllow(makeRequest({ url: "https://shop.example.com/admin", ip: "192.0.2.1" }));
    expect(zone).toBlock(to("/admin"), { by: "admin" });
  });
});

describe("lists of the program", () => {
  const custom = (expression: pulumi.Input<string>) => ({
    zoneId: "z1",
    phase: "http_request_firewall_custom",
    rules: [{ ref: "list", action: "block" as const, expression }],
  });
  const attackers = { accountId: "a1", name: "attackers", kind: "ip" } as const;
  const tried = async (declare: () => void, ip: string) =>
    (await loadFirewall(declare)).zone().simulate(makeRequest({ url: "https://example.com/", ip })).outcome;

  test("decide what rules with them do, in whatever order they are declared", async () => {
    const declare = () => {
      new PhaseEntrypoint("custom", custom("ip.src in $attackers"));
      const found = { value: "198.51.100.7", comment: pulumi.secret("found by mail") };
      new RulesList("attackers", { ...attackers, items: ["192.0.2.0/24", found] });
    };
    expect(await tried(declare, "192.0.2.9")).toBe("blocked");
    expect(await tried(declare, "198.51.100.7")).toBe("blocked");
    expect(await tried(declare, "203.0.113.9")).toBe("allowed");
  });

  test("may be named by an output", async () => {
    const declare = () => {
      const list = new RulesList("attackers", { ...attackers, items: ["192.0.2.7"] });
      new PhaseEntrypoint("custom", custom(pulumi.interpolate`ip.src in $${list.name}`));
    };
    expect(await tried(declare, "192.0.2.7")).toBe("blocked");
  });

  test.each<[string, (list: RulesList) => pulumi.Output<string>]>([
    ["itself", (list) => expression`ip.src in ${list}`],
    ["itself after a dollar sign", (list) => expression`ip.src in $${list} and not ssl or ip.src in ${list}`],
    ["its name", (list) => expression`ip.src in $${list.name}`],
  ])("may be named by %s in the template of an expression", async (_, write) => {
    const declare = () => {
      const list = new RulesList("attackers", { ...attackers, items: ["192.0.2.7"] });
      new PhaseEntrypoint("custom", custom(write(list)));
    };
    expect(await tried(declare, "192.0.2.7")).toBe("blocked");
    expect(await tried(declare, "203.0.113.9")).toBe("allowed");
  });

  test.each([
    ["have items of others", () => new RulesList("l", { ...attackers, ownership: "shared" })],
    [
      "have a name that a list of another account has too",
      () => {
        new RulesList("one", { ...attackers, items: ["192.0.2.7"] });
        new RulesList("two", { ...attackers, accountId: "a2" });
      },
    ],
  ])("are not known if they %s", async (_, declare) => {
    const both = () => {
      declare();
      new PhaseEntrypoint("custom", custom("ip.src in $attackers"));
    };
    expect(await tried(both, "192.0.2.7")).toBe("unknown");
  });
});

test("takes rules of a zone whose ID only the engine knows for rules of a zone", async () => {
  const rules = [{ ref: "all", action: "block" as const, expression: "true" }];
  const firewall = await loadFirewall(() => {
    // What other providers return is not known without mocks for it.
    const zoneId = pulumi.output(undefined as unknown as string);
    new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules });
  });
  expect(firewall.zone("z1")).toBlock(makeRequest({ url: "https://example.com/" }));
  expect(firewall.program.rulesets.map(({ kind }) => kind)).toEqual(["zone"]);
});

test("does not take rules that only the engine knows for none", async () => {
  const firewall = await loadFirewall(() => {
    const rules = pulumi.output(undefined as unknown as []);
    new PhaseEntrypoint("waf", { zoneId: "z1", phase: "http_request_firewall_custom", rules });
  });
  const request = makeRequest({ url: "https://example.com/" });
  expect(firewall.zone("z1").simulate(request).outcome).toBe("unknown");
  expect(() => {
    expect(firewall.zone("z1")).toAllow(request);
  }).toThrow("the rules of waf");
});

describe("a rule that applies only later", () => {
  const phase = "http_request_firewall_custom";
  const begins = Date.UTC(2027, 0, 1);
  const rules = [
    { ref: "admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' },
    {
      ref: "new",
      action: "block",
      expression: `http.host eq "new.test" and http.request.timestamp.sec ge ${String(begins / 1000)}`,
    },
  ];
  const loaded = () => {
    const own = new Firewall(compileProgram([{ name: "waf", kind: "zone", phase, zoneId: "z1", rules }]));
    own.zone("z1").simulate({ url: "https://a.test/admin" });
    return own;
  };

  test("does not lower the coverage before its time, and is named", () => {
    const { text, ...found } = loaded().coverage(begins - 1000);
    expect(found).toMatchObject({ rules: 1, hit: 1, ratio: 1, missed: [], later: [{ ref: "new" }] });
    expect(text).toBe(
      `1 of 1 rules hit by tests.\nNot counted, because they apply only later:\n  "waf" of zone z1: "new" (block), from the start of 2027-01-01 (UTC)`,
    );
  });

  test("counts once its time has come", () => {
    const found = loaded().coverage(begins);
    expect(found).toMatchObject({ rules: 2, hit: 1, ratio: 0.5, missed: [{ ref: "new" }], later: [] });
  });

  test("counts if a test hits it before", () => {
    const own = loaded();
    own.zone("z1").simulate({ url: "https://new.test/", timestamp: begins / 1000 });
    expect(own.coverage(begins - 1000)).toMatchObject({ rules: 2, hit: 2, later: [] });
  });
});
