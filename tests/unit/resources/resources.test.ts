import * as pulumi from "@pulumi/pulumi";
import {
  CustomHostnameCa,
  managedRulesets,
  owasp,
  PhaseEntrypoint,
  Provider,
  Ruleset,
  RulesetRule,
  RulesetsError,
  ZoneWafMigration,
  type types,
} from "../../../provider/index.js";
import * as sdk from "../../../provider/index.js";
import type { Json } from "../../../core/model/json.js";
import { DESCRIPTIONS } from "../../../provider/kinds/descriptions.js";
import { asText } from "../../../provider/engine/stored-as-json.js";
import { programRunIn } from "../../../provider/engine/program-run.js";
import { readNames } from "../../../provider/sdk/resources/read-names.js";
import { checkRules, findingText } from "../../../provider/validation/index.js";

const registered: { type: string; name: string; inputs: Record<string, unknown> }[] = [];
beforeAll(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) => {
        registered.push({ type, name, inputs: inputs as Record<string, unknown> });
        return {
          id: id === undefined || id === "" ? `zones/z/rulesets/${name}` : id,
          state: inputs as Record<string, unknown>,
        };
      },
      call: () => ({}),
    },
    "project",
    "stack",
    false,
  );
});
const value = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));
const inputsOf = async (resource: pulumi.CustomResource): Promise<Record<string, unknown>> => {
  const urn = await value(resource.urn);
  return registered.find(({ name }) => urn.endsWith(`::${name}`))?.inputs ?? {};
};
const args = { zoneId: "z", phase: "http_ratelimit", rules: [] };
const place = { zoneId: "z", phase: "p", action: "log" as const, expression: "ssl" };

interface ResourceClass {
  new (name: string, args: unknown): pulumi.CustomResource;
  get(name: string, id: unknown): pulumi.CustomResource;
  isInstance(value: unknown): boolean;
}
const classOf = (kind: string): ResourceClass =>
  (sdk as unknown as Readonly<Record<string, ResourceClass>>)[kind] as ResourceClass;

describe("what a resource sends to the engine", () => {
  test("sends one constant line instead of code, and a type that never changes", async () => {
    const inputs = await inputsOf(new PhaseEntrypoint("constant", args));
    expect(inputs.__provider).toBe(
      'exports.handler = () => require("pulumi-rulesets/runtime").load("PhaseEntrypoint", 1);',
    );
    expect(registered.find(({ name }) => name === "constant")?.type).toBe(
      "pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint",
    );
    expect(Ruleset.__pulumiType).toBe("pulumi-nodejs:dynamic/rulesets:Ruleset");
  });
  test.each(DESCRIPTIONS)("sends the same for a $type", async ({ type, example }) => {
    const resource = new (classOf(type))(`of-${type}`, example?.args);
    const inputs = await inputsOf(resource);
    expect(inputs.__provider).toBe(`exports.handler = () => require("pulumi-rulesets/runtime").load("${type}", 1);`);
    expect(inputs.__urn).toContain(`pulumi-nodejs:dynamic/rulesets:${type}::`);
    expect([classOf(type).isInstance(resource), Ruleset.isInstance(resource)]).toEqual([true, type === "Ruleset"]);
  });
  test("sends the ref of a rule that another rule's position refers to", async () => {
    const other = new RulesetRule("neighbour", { ...place, ref: "theirs" });
    const before = await inputsOf(new RulesetRule("placed-before", { ...place, position: { before: other } }));
    const after = await inputsOf(new RulesetRule("placed-after", { ...place, position: { after: other } }));
    const text = await inputsOf(new RulesetRule("placed-by-text", { ...place, position: { before: "x" } }));
    const positions = [before, after, text].map(({ position }) => position);
    expect(positions).toEqual([{ before: "theirs" }, { after: "theirs" }, { before: "x" }]);
  });
  test("sends the ID of a rule that was read as its ruleId, and a missing position as none", async () => {
    const stored = { id: "theirs", version: "1", last_updated: "2026-01-01T00:00:00Z" };
    const read = { ...place, ...stored, position: null as never };
    const sent = await inputsOf(new RulesetRule("pasted", read));
    expect([sent.ruleId, sent.id, sent.version]).toEqual(["theirs", undefined, "1"]);
    const empty = await inputsOf(new RulesetRule("pasted-empty", { ...place, id: "", ref: "" }));
    expect(Object.keys(empty)).not.toContain("ruleId");
    const later = await inputsOf(new RulesetRule("pasted-later", { ...place, id: pulumi.output("") }));
    expect(later.ruleId).toBeUndefined();
    expect(() => new RulesetRule("pasted-twice", { ...place, id: "a", ruleId: "b" })).toThrow(
      "RulesetRule pasted-twice: id and ruleId are two names of one argument. Write ruleId.",
    );
  });
  test("sends secrets in adjustments separately from the plain values", async () => {
    const append = [{ action: "log" as const, expression: pulumi.secret("hunter2"), description: "plain" }];
    const inputs = await inputsOf(
      new ZoneWafMigration("secretive", { zoneId: "z", mode: "validation", adjustments: { append } }),
    );
    expect(JSON.stringify(inputs.adjustments)).not.toContain("hunter2");
    expect(inputs.adjustments).toMatchObject({ append: [{ description: "plain" }] });
    expect(JSON.stringify(inputs.__secrets)).toContain("hunter2");
  });
  test("sends the names of managed rules that lookups in the program have read, for its IDs, and none for secrets", async () => {
    const [wordpress, xss, sqli] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [string, string, string];
    readNames.learnAll({ [wordpress]: "Wordpress", [xss]: "XSS", [sqli]: "SQLi" });
    const execute = (overridden: unknown) => ({
      action: "execute",
      expression: "true",
      actionParameters: { id: managedRulesets.free, overrides: { rules: overridden } },
    });
    const rules = [
      execute([{ id: wordpress }]),
      execute(pulumi.output([{ id: xss }])),
      execute(pulumi.secret([{ id: sqli }])),
    ] as types.input.RulesetRule[];
    const inputs = await inputsOf(new PhaseEntrypoint("with-names", { ...args, rules }));
    expect(inputs.__names).toEqual([{ [wordpress]: "Wordpress" }, { [xss]: "XSS" }, {}]);
  });
  test("sends its own URN, and whether this is a preview", async () => {
    const inputs = await inputsOf(new PhaseEntrypoint("urn", args));
    expect(inputs.__urn).toBe("urn:pulumi:stack::project::pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::urn");
    expect(programRunIn(inputs)).toEqual({ preview: false });
  });
  test("sends no more than three properties of its own, because each takes the SDK as long as an argument", async () => {
    const inputs = await inputsOf(new PhaseEntrypoint("few", args));
    const sent = Object.keys(inputs).filter((name) => name.startsWith("__"));
    expect(sent.sort()).toEqual(["__program", "__provider", "__urn"]);
  });
  test("resources send the same value about the run, whenever they are declared", async () => {
    const runOf = async (name: string) => programRunIn(await inputsOf(new PhaseEntrypoint(name, args)));
    const [first, second] = await Promise.all([runOf("run-first"), runOf("run-second")]);
    expect(second).toEqual(first);
    expect(await runOf("run-later")).toEqual(first);
  });
  test("sends the URN of a child below that of its parent", async () => {
    const parent = new pulumi.ComponentResource("test:index:Group", "group");
    const inputs = await inputsOf(new PhaseEntrypoint("urn-of-child", args, { parent }));
    expect(inputs.__urn).toBe(
      "urn:pulumi:stack::project::test:index:Group$pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::urn-of-child",
    );
  });
  test("sends secrets separately from the rules, and other outputs in place", async () => {
    const expression = pulumi.secret("hunter2");
    const rule = { action: "block" as const, expression, description: pulumi.output("plain") };
    const inputs = await inputsOf(new PhaseEntrypoint("secret", { ...args, rules: [rule] }));
    expect(JSON.stringify(inputs.rules)).not.toContain("hunter2");
    const hidden = expect.stringContaining("pulumi-rulesets:secret:") as string;
    expect(inputs.rules).toMatchObject([{ action: "block", expression: hidden, description: "plain" }]);
    expect(JSON.stringify(inputs.__secrets)).toContain("hunter2");
  });
  test("sends ignoreChanges as written, for check to validate", async () => {
    const ignoreChanges = ["description", 'rules["a-b"].ratelimit.period', "*", "garbage["];
    const inputs = await inputsOf(new PhaseEntrypoint("ignore", args, { ignoreChanges }));
    expect(inputs.__ignore).toEqual(ignoreChanges);
  });
  test.each([
    ["a text", asText],
    ["a list, as one with a secret", (rules: Json) => rules],
  ])("shows the deployed rules of a state that holds them as %s", async (name, held) => {
    const deployedRules = [{ id: "1", ref: "a", version: "1", action: "block", description: "", enabled: true }];
    const stored = { ...args, deployedRules: held(deployedRules) } as unknown as typeof args;
    const entrypoint = new PhaseEntrypoint(`deployed as ${name}`, stored);
    expect(await value(entrypoint.deployedRules)).toEqual(deployedRules);
    expect(entrypoint.deployedRules).toBe(entrypoint.deployedRules);
    expect(Object.keys(entrypoint)).toContain("deployedRules");
  });

  test.each([
    ["a text", asText],
    ["an object, as in a preview", (rules: Json) => rules],
  ])(
    "has its rules as an ordered list, each with its ref, which another ruleset accepts: from %s",
    async (name, held) => {
      const byRef = { b: { action: "log", expression: "ssl" }, a: { action: "block", expression: "true", ref: "a" } };
      const loose = { ...args, rules: held(byRef), order: "a\nb\n" } as unknown as typeof args;
      const one = new PhaseEntrypoint(`rules of ${name}`, loose);
      expect(await value(one.rules)).toEqual([
        { ref: "a", action: "block", expression: "true" },
        { ref: "b", action: "log", expression: "ssl" },
      ]);
      const other = new Ruleset(`rules of another, ${name}`, { ...args, kind: "zone", name: "x", rules: one.rules });
      expect((await inputsOf(other)).rules).toEqual(await value(one.rules));
    },
  );
  test("has outputs computed from others like any other: own, listed, and the same on each use", () => {
    const one = new Ruleset("computed", { ...args, kind: "zone", name: "x" });
    expect(Object.keys(one)).toEqual(expect.arrayContaining(["rules", "rulesetId"]));
    expect(pulumi.Output.isInstance(one.rules) && pulumi.Output.isInstance(one.rulesetId)).toBe(true);
    expect(one.rules).toBe(one.rules);
  });
  test("has a ruleset ID wherever the resource ID is known", async () => {
    const phase = "http_request_firewall_custom";
    const ruleset = new Ruleset("short", { zoneId: "z", kind: "custom", name: "x", phase });
    expect(await value(ruleset.rulesetId)).toBe("short");
  });
});

describe("stack traces of the SDK", () => {
  const ofSdk = { transformations: [() => raise()] };
  const raise = (): never => {
    throw new Error("a transformation of the program failed");
  };
  const stackOf = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return error instanceof Error ? (error.stack ?? "") : "";
    }
    return "";
  };

  /** The number of stack traces with frames captured while `work` runs. */
  const countStacks = (work: () => unknown): number => {
    let count = 0;
    const before: unknown = Reflect.get(Error, "prepareStackTrace");
    Error.prepareStackTrace = (error, frames) => {
      if (frames.length > 0) count += 1;
      return String(error);
    };
    try {
      work();
    } finally {
      Reflect.set(Error, "prepareStackTrace", before);
    }
    return count;
  };

  test("are not captured for outputs, which nobody reads", () => {
    const limit = Error.stackTraceLimit;
    // Four for each output of the resource would be more than fifty.
    expect(countStacks(() => new PhaseEntrypoint("spared", args))).toBeLessThan(15);
    expect(Error.stackTraceLimit).toBe(limit);
  });
  test("are captured for an error, and contain the line of the program", () => {
    const limit = Error.stackTraceLimit;
    expect(stackOf(() => new PhaseEntrypoint("thrown", args, ofSdk))).toContain("resources.test");
    expect(Error.stackTraceLimit).toBe(limit);
  });
  test("are captured when the program is run to find promise leaks", () => {
    process.env.PULUMI_DEBUG_PROMISE_LEAKS = "true";
    try {
      expect(countStacks(() => new PhaseEntrypoint("leaks", args))).toBeGreaterThan(50);
    } finally {
      delete process.env.PULUMI_DEBUG_PROMISE_LEAKS;
    }
  });
});

describe("unsupported options are refused early, with the alternative", () => {
  test("import, with what to do instead", () => {
    const migration = { zoneId: "z", mode: "validation" } as const;
    expect(() => new ZoneWafMigration("x", migration, { import: "id" })).toThrow(/already migrated is taken over/);
    const choice = { zoneId: "z", hostname: "a.test", certificateAuthority: "google" };
    expect(() => new CustomHostnameCa("x", choice, { import: "id" })).toThrow(/no request is sent if nothing changed/);
    expect(() => new RulesetRule("x", place, { import: "id" })).toThrow(/by its ref, or by its ID with ruleId/);
  });
  test("with an error that Pulumi prints without a stack trace, and a link to the page", () => {
    const thrown = (make: () => unknown): unknown => {
      try {
        return make();
      } catch (error) {
        return error;
      }
    };
    class Aws extends pulumi.ProviderResource {}
    const errors = [
      thrown(() => new PhaseEntrypoint("x", args, { import: "id" })),
      thrown(() => new PhaseEntrypoint("x", args, { provider: new Aws("aws", "p", {}) })),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(RulesetsError);
      expect(pulumi.RunError.isInstance(error)).toBe(true);
    }
    expect(String(errors[0])).toContain("node_modules/pulumi-rulesets/docs/ownership.md");
  });
  test("import", () => {
    expect(() => new PhaseEntrypoint("x", args, { import: "id" })).toThrow(/onExisting: "adopt"/);
    expect(() => new Ruleset("x", { ...args, kind: "zone", name: "x" }, { import: "id" })).toThrow(
      /rulesetId: the ID of the ruleset/,
    );
  });
  test("a provider of another package", () => {
    class Other extends pulumi.ProviderResource {
      constructor() {
        super("cloudflare", "other", {});
      }
    }
    expect(() => new PhaseEntrypoint("x", args, { provider: new Other() })).toThrow(
      /new Provider\("name", \{ apiToken \}\) from "pulumi-rulesets"/,
    );
    expect(
      () => new PhaseEntrypoint("own-provider", args, { provider: new Provider("own", { apiToken: "x" }) }),
    ).not.toThrow();
  });
});

describe("invalid arguments are refused early, with what to write", () => {
  const make = (type: string, value: unknown) => () => new (classOf(type))("x", value);
  test.each(DESCRIPTIONS)("for a $type", ({ type }) => {
    for (const nothing of [undefined, null])
      expect(make(type, nothing)).toThrow(`${type} x has no arguments: write new ${type}("x", { … }).`);
    for (const later of [pulumi.output({}), Promise.resolve({})])
      expect(make(type, later)).toThrow(
        `the arguments of ${type} x are an output or a promise, so they are not known yet. Write them as an object`,
      );
    for (const other of ["a", 7, [], () => ({})])
      expect(make(type, other)).toThrow(`the arguments of ${type} x must be an object`);
  });
  test.each(["toString", "constructor", "hasOwnProperty"])("with the name %s, which Pulumi itself needs", (name) => {
    expect(make("PhaseEntrypoint", { ...args, [name]: 1 })).toThrow(`PhaseEntrypoint x has no argument ${name}`);
  });
  test("null options are the same as none, as JavaScript programs write them", () => {
    expect(() => new PhaseEntrypoint("null-options", args, null as never)).not.toThrow();
  });
  test("with the name of an internal argument", () => {
    expect(make("Ruleset", { ...args, __urn: "x" })).toThrow("Ruleset x has no argument __urn");
  });
  test.each(["id", "urn"])("refuses %s as an argument, which Pulumi would drop", (name) => {
    expect(make("Ruleset", { ...args, [name]: "x" })).toThrow(
      `Ruleset x has no argument ${name}. Pulumi sets the ${name}`,
    );
    expect(make("Ruleset", { ...args, [name]: undefined })).not.toThrow();
  });
  test("with __proto__ as a key, at any depth, which would be lost", () => {
    const headers = JSON.parse('{"__proto__":{"operation":"remove"}}') as object;
    const rules = [{ action: "rewrite", expression: "true", actionParameters: { headers } }];
    expect(make("PhaseEntrypoint", { ...args, rules })).toThrow(
      'PhaseEntrypoint x: rules[0].actionParameters.headers["__proto__"] cannot be sent',
    );
    expect(make("PhaseEntrypoint", JSON.parse('{"__proto__":1}'))).toThrow('PhaseEntrypoint x: ["__proto__"]');
  });
  test("a list that contains itself", () => {
    const rules: unknown[] = [];
    rules.push(rules);
    expect(make("PhaseEntrypoint", { ...args, rules })).toThrow("PhaseEntrypoint x: rules[0] contains itself");
  });
  test.each<[unknown, string]>([
    [() => "keep", "is a function"],
    [Symbol("x"), "is a symbol"],
    [10n, "is a bigint"],
    [new Date(0), "is a Date"],
    [/x/, "is a RegExp"],
    [new Map([["a", 1]]), "is a Map"],
    [new Set(["a"]), "is a Set"],
  ])("a value that Pulumi drops without a word: %p", (value, what) => {
    const rules = [{ action: "block", expression: "true", enabled: value }];
    expect(make("PhaseEntrypoint", { ...args, rules })).toThrow(`PhaseEntrypoint x: rules[0].enabled ${what}`);
    expect(make("PhaseEntrypoint", { ...args, onDelete: value })).toThrow(
      `PhaseEntrypoint x: onDelete ${what}, which Pulumi does not send. Write a string, a number, true, false, a list or an object.`,
    );
  });
  test.each([undefined, "", null])("get of %j", (id) => {
    for (const { type } of DESCRIPTIONS)
      expect(() => classOf(type).get("x", id)).toThrow(/\.get\("x"\) requires an ID/);
  });
});

describe("arguments of a provider", () => {
  const make = (value: unknown) => () => new Provider("x", value as never);
  test.each([
    [{ apitoken: "x" }, "Provider x has no argument apitoken; did you mean apiToken?"],
    [{ zoneId: "x" }, "Provider x has no argument zoneId; its arguments are apiToken, email, apiKey, baseUrl"],
    [{ toString: "x" }, "Provider x has no argument toString"],
    [null, "Provider x has no arguments"],
    [pulumi.output({ apiToken: "x" }), "the arguments of Provider x are an output or a promise"],
  ])("%j", (value, text) => {
    expect(make(value)).toThrow(text);
  });
  test("may be left out or undefined", () => {
    expect(() => [new Provider("empty"), new Provider("undefined", { apiToken: undefined })]).not.toThrow();
  });
});

test("credentials become secrets and settings become strings", async () => {
  await value(new Provider("settings", { apiToken: "t0ken", timeoutSeconds: 9 }).urn);
  const inputs = registered.find(({ name }) => name === "settings")?.inputs ?? {};
  expect(inputs["rulesets:timeoutSeconds"]).toBe("9");
  expect(JSON.stringify(inputs["rulesets:apiToken"])).toContain("1b47061264138c4ac30d75fd1eb44270");
});

test("instances are recognised by their type, whichever copy of the package created them", () => {
  const entrypoint = new PhaseEntrypoint("instance", args);
  expect(PhaseEntrypoint.isInstance(entrypoint)).toBe(true);
  expect([entrypoint, undefined].map((value) => Ruleset.isInstance(value))).toEqual([false, false]);
});

describe("owasp", () => {
  test.each([
    [{ paranoiaLevel: 1 }, ["paranoia-level-2", "paranoia-level-3", "paranoia-level-4"], 40, "block"],
    [{ paranoiaLevel: 2, scoreThreshold: "high", action: "log" }, ["paranoia-level-3", "paranoia-level-4"], 25, "log"],
    [{ paranoiaLevel: 4, scoreThreshold: 33 }, [], 33, "block"],
  ] as const)("%j", (options, off, scoreThreshold, action) => {
    const rule = owasp(options) as {
      actionParameters: {
        id: string;
        overrides: { categories?: { category: string; enabled: boolean }[]; rules: object[] };
      };
    };
    expect(rule.actionParameters.id).toBe(managedRulesets.owaspCore);
    expect(rule.actionParameters.overrides.categories?.map(({ category }) => category) ?? []).toEqual(off);
    expect(rule.actionParameters.overrides.rules).toEqual([
      { id: "6179ae15870a4bb7b2d480d4843b323c", scoreThreshold, action },
    ]);
    expect(checkRules([rule], { phase: "http_request_firewall_managed", kind: "zone" }).map(findingText)).toEqual([]);
  });
});

test("programs written for @pulumi/cloudflare compile", () => {
  const rules: types.input.RulesetRule[] = [
    {
      action: "execute",
      expression: "true",
      actionParameters: { id: "x", overrides: { categories: [{ category: "a", enabled: false }] } },
    },
    {
      action: pulumi.output("something new" as string),
      expression: "true",
      ratelimit: { characteristics: ["cf.colo.id"], period: 60 },
    },
  ];
  expect(rules).toHaveLength(2);
});
