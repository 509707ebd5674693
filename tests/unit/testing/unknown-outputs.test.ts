import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, RulesList, Ruleset, RulesetRule } from "../../../provider/index";
import { loadFirewall, loadRulesets, makeRequest, type LoadOptions } from "../../../tools/testing/index";
import { mayDeclare } from "../../../tools/testing/callbacks";

/* What a program without an engine does not know: outputs and results that no mock gives. */

class Bucket extends pulumi.CustomResource {
  declare readonly acl: pulumi.Output<string>;
  declare readonly domain: pulumi.Output<string>;
  constructor(name: string, type = "aws:s3/bucket:Bucket") {
    super(type, name, { acl: "private", domain: undefined });
  }
}

const waf = (rules: pulumi.Input<readonly object[]>, zoneId: pulumi.Input<string> = "z1") =>
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules: rules as [] });
const host = (value: pulumi.Input<string>, ref = "host") => ({
  ...{ ref, action: "block" as const },
  expression: pulumi.interpolate`http.host eq "${value}"`,
});
const outcome = async (program: () => void, url = "https://undefined/", options: LoadOptions = {}) =>
  (await loadFirewall(program, options)).zone().simulate(makeRequest({ url })).outcome;
const lookup = () => pulumi.runtime.invokeOutput<{ host: string }>("other:index/getHost:getHost", {});

test.each<[string, () => void]>([
  ["an output", () => waf([host(new Bucket("b").domain)])],
  ["an output that is secret", () => waf([host(pulumi.secret(new Bucket("b").domain))])],
  ["an ID", () => waf([host(new Bucket("b").id)])],
  ["a part of an output", () => waf([host(new Bucket("b").domain.length.apply(String))])],
  ["an output together with another", () => waf([host(pulumi.all([new Bucket("b").domain, "x"]).apply(String))])],
  ["the result of a function", () => waf([host(lookup().host)])],
  ["what follows from a result", () => waf([host(lookup().apply(({ host: found }) => found))])],
  ["an action", () => waf([{ ...host("undefined"), action: new Bucket("b").domain }])],
  ["whether a rule is enabled", () => waf([{ ...host("undefined"), enabled: new Bucket("b").domain }])],
  ["a rule", () => waf([new Bucket("b").domain])],
  ["all rules", () => waf(new Bucket("b").domain as unknown as [])],
  [
    "an output in a single rule",
    () =>
      new RulesetRule("r", { zoneId: "z1", phase: "http_request_firewall_custom", ...host(new Bucket("b").domain) }),
  ],
  [
    "an item of a list",
    () => {
      new RulesList("l", { accountId: "a1", name: "l", kind: "ip", items: [new Bucket("b").domain] });
      waf([{ ref: "l", action: "block", expression: "ip.src in $l" }]);
    },
  ],
])("what %s decides is unknown", async (_, program) => {
  expect(await outcome(program)).toBe("unknown");
});

test("what a rule redirects to is not taken for a URL if it is unknown", async () => {
  const program = () => {
    const value = pulumi.interpolate`https://${new Bucket("b").domain}/`;
    const fromValue = { targetUrl: { value }, statusCode: 308 } as const;
    const rule = { ref: "to", action: "redirect", expression: 'http.host eq "a.test"' } as const;
    const rules = [{ ...rule, actionParameters: { fromValue } }];
    new PhaseEntrypoint("to", { zoneId: "z1", phase: "http_request_dynamic_redirect", rules });
  };
  expect(await outcome(program, "https://a.test/")).toBe("unknown");
  expect(await outcome(program, "https://b.test/")).toBe("allowed");
});

test("a rewrite that computes an unknown value makes the outcome unknown only where its rule matches", async () => {
  const program = () => {
    const path = { expression: pulumi.interpolate`concat("/${new Bucket("b").domain}", http.request.uri.path)` };
    const rule = { ref: "to", action: "rewrite", expression: 'http.host eq "a.test"' } as const;
    const rules = [{ ...rule, actionParameters: { uri: { path } } }];
    new PhaseEntrypoint("to", { zoneId: "z1", phase: "http_request_transform", rules });
    waf([{ ref: "admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' }]);
  };
  expect(await outcome(program, "https://a.test/admin")).toBe("unknown");
  expect(await outcome(program, "https://b.test/admin")).toBe("blocked");
});

test("what mocks give is known, and so are inputs", async () => {
  const mocks: LoadOptions["mocks"] = {
    newResource: ({ name, inputs }) => ({ id: `${name}-1`, state: { ...(inputs as object), domain: "b.test" } }),
    call: () => ({ host: "c.test" }),
  };
  const program = () => {
    const bucket = new Bucket("b");
    waf([host(bucket.domain, "a"), host(bucket.id, "b"), host(bucket.acl, "c"), host(lookup().host, "d")]);
  };
  for (const name of ["b.test", "b-1", "private", "c.test"])
    expect(await outcome(program, `https://${name}/`, { mocks })).toBe("blocked");
  expect(await outcome(program, "https://undefined/", { mocks })).toBe("allowed");
  expect(await outcome(() => waf([host(new Bucket("b").acl)]), "https://private/")).toBe("blocked");
});

test("a mock that returns nothing leaves a resource without a mock", async () => {
  const mocks = { newResource: () => Promise.resolve(undefined) } as unknown as LoadOptions["mocks"];
  expect(await outcome(() => waf([host(new Bucket("b").acl)]), "https://private/", { mocks })).toBe("blocked");
});

test("resources of this package refer to each other", async () => {
  const program = () => {
    const place = { accountId: "a1", phase: "http_request_firewall_custom" } as const;
    const shared = new Ruleset("shared", { ...place, kind: "custom", name: "Shared", rules: [host("a.test")] });
    const run = {
      ref: "run",
      action: "execute" as const,
      expression: "true",
      actionParameters: { id: shared.rulesetId },
    };
    new PhaseEntrypoint("root", { ...place, rules: [run] });
  };
  expect(await outcome(program, "https://a.test/")).toBe("blocked");
});

test("the engine's marker is where a value is not known, and no rule has it", async () => {
  const { rulesets, pending } = await loadRulesets(() => {
    new PhaseEntrypoint("known", { zoneId: "z1", phase: "http_request_transform", rules: [] });
    waf([host(new Bucket("b").domain), host("a.test", "known")]);
  });
  expect(JSON.stringify(rulesets)).not.toContain("04da6b54");
  expect(rulesets[1]?.rules).toMatchObject([{ ref: "host" }, { ref: "known", expression: 'http.host eq "a.test"' }]);
  expect(rulesets[1]?.rules[0]).not.toHaveProperty("expression");
  expect(pending).toMatchObject([undefined, [{ expression: expect.stringContaining("04da6b54") as string }, {}]]);
});

test("an ID that is not known is that of no zone and no account", async () => {
  const { rulesets, resources } = await loadRulesets(() => {
    waf([], new Bucket("b").domain);
    new RulesList("l", { accountId: new Bucket("c").domain, name: "l", kind: "ip" });
    new Ruleset("r", {
      accountId: new Bucket("d").domain,
      kind: "custom",
      name: "r",
      phase: "http_ratelimit",
      rules: [],
    });
  });
  expect(rulesets).toMatchObject([{ zoneId: undefined }, { accountId: "of r (known after `pulumi up`)" }]);
  expect(resources).toMatchObject([{ name: "l", inputs: {} }]);
});

test("a function that returns a promise needs a mock", async () => {
  const program = async () => {
    const { host: name } = (await pulumi.runtime.invoke("other:index/getHost:getHost", {})) as { host: string };
    waf([host(name)]);
  };
  await expect(loadRulesets(program)).rejects.toThrow(
    'the result of the function "other:index/getHost:getHost" is not known without the engine.\nTo continue: pass mocks',
  );
  const { rulesets } = await loadRulesets(program, { mocks: { call: () => ({ host: "a.test" }) } });
  expect(rulesets[0]?.rules).toMatchObject([{ expression: 'http.host eq "a.test"' }]);
});

test.each<[string, (name: string) => unknown]>([
  ["", (name) => waf([host(name)])],
  [" of which one waits", (name) => setImmediate().then(() => waf([host(name)]))],
  [" of which one is in another", (name) => pulumi.output(name).apply((same) => waf([host(same)]))],
])("what callbacks of known outputs declare is loaded%s", async (_, declare) => {
  const program = () => {
    new Bucket("b").acl.apply(declare);
  };
  expect(await outcome(program, "https://private/")).toBe("blocked");
});

describe("code that waits for a value that is not known", () => {
  const declare = (name: string) => waf([host(name)]);

  test("is said to be not run if it may declare rules", async () => {
    const program = () => {
      new Bucket("b").domain.apply((name) => declare(name));
    };
    expect((await loadRulesets(program)).skipped).toEqual([
      expect.stringMatching(/^tests.unit.testing.unknown-outputs\.test\.ts:\d+$/),
    ]);
    await expect(loadFirewall(program)).rejects.toThrow(
      /what `apply` declares at .*unknown-outputs\.test\.ts:\d+ is not known/,
    );
    const mocks: LoadOptions["mocks"] = { newResource: () => ({ id: "i", state: { domain: "a.test" } }) };
    expect(await outcome(program, "https://a.test/", { mocks })).toBe("blocked");
  });

  test("is not if it only computes, or ran", async () => {
    const { skipped } = await loadRulesets(() => {
      const bucket = new Bucket("b");
      bucket.domain.apply((name) => name.trim());
      bucket.acl.apply((name) => declare(name));
    });
    expect(skipped).toEqual([]);
  });

  test.each<[string, boolean, unknown]>([
    ["constructs", true, (name: string) => new Bucket(name)],
    ["calls a function", true, (name: string) => declare(name)],
    ["is a function that does", true, declare],
    ["is a bound function", true, declare.bind(undefined, "x")],
    ["calls a method of another object", true, (name: string) => globalThis.structuredClone(name)],
    ["calls an imported function", true, "(name) => (0, rules_1.declare)(name)"],
    ["calls a function if there is one", true, "(name) => declare?.(name)"],
    ["calls one of two functions", true, "(name) => (name === '' ? skip : declare)(name)"],
    ["gives a function to a method", true, (name: string) => [name].flatMap(declare)],
    ["gives a method to a method", true, "(names) => names.map(rules.declare)"],
    ["gives a built-in function to a method", false, (name: string) => name.split(".").map(Number)],
    ["has a pattern with groups", false, (name: string) => /^(\w+)(-\d)?$/.exec(name)?.[1]],
    ["gives a value to a method", false, "(name, parts) => parts.includes(suffix)"],
    ["makes a text", false, (name: string) => `http.host eq "${name}"`],
    ["calls methods of its value", false, (name: string) => name.split(".").map((part) => part.trim())],
    ["calls methods of parts of its value", false, ({ name }: { name: string }) => name.trim()],
    ["makes JSON", false, (name: string) => JSON.stringify({ name })],
    ["is built in", false, JSON.stringify],
    ["reads a URL", false, (name: string) => new URL(name).host],
  ])("may declare if it %s: %s", (_, expected, callback) => {
    expect(mayDeclare(callback)).toBe(expected);
  });
});
