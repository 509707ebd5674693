import { existsSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { cli, folder, newFile, root, shell } from "./support.js";

const example = join("examples", "zone-security");

test("the tests of the example pass", async () => {
  const { code, stdout, stderr } = await cli(["rules", "test", example]);
  expect(stderr).toBe("");
  expect(stdout).toContain("22 tests: 22 passed, 0 failed.");
  expect(stdout).toContain("12 of 12 rules hit by tests.");
  expect(code).toBe(0);
});

test("a file with a list as a name is refused in one sentence: no library warns beside it", async () => {
  const file = join(folder({ "rules.yaml": "? [a, b]\n: 1\n" }), "rules.yaml");
  // The command itself, with Node's own warnings.
  const { code, stderr } = await shell('"$NODE" dist/tools/cli/main.js rules check "$FILE"', {
    NODE: process.execPath,
    FILE: file,
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^pulumi-rulesets: .*rules\.yaml:1:/);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("the rules of the example have no findings", async () => {
  const [zone, account] = ["0".repeat(32), "1".repeat(32)];
  const { code, stdout } = await cli(["rules", "check", example, "-c", `zoneId=${zone}`, "-c", `accountId=${account}`]);
  expect(stdout).toContain("12 rules in 6 rulesets: 0 errors, 0 warnings.");
  expect(code).toBe(0);
});

test("traces a request through the rules of the example", async () => {
  const args = ["rules", "try", example, "-c", "zoneId=z1", "--request", "GET https://shop.example.com/admin"];
  const { code, stdout } = await cli([...args, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "blocked",
    rule: { description: "Block admin" },
    response: { status: 403, body: "Not here." },
  });
  const text = (await cli(args)).stdout;
  expect(text).toMatch(/^GET https:\/\/shop\.example\.com\/admin through .* blocked by "Block admin"/);
  expect(text).toContain('not matched  "Old shop"');
});

test("traces a request that the rules of a file let through, and one with an unknown outcome", async () => {
  const rules = [{ ref: "r", action: "block", expression: "cf.waf.score lt 20" }];
  const file = newFile("rules.json", { phase: "http_request_firewall_custom", rules });
  const url = "https://a.example/";
  expect((await cli(["rules", "try", file, "-r", `{ url: "${url}", fields: { cf.waf.score: 80 } }`])).code).toBe(0);
  const unknown = await cli(["rules", "try", file, "-r", url]);
  expect(unknown.code).toBe(2);
  expect(unknown.stdout).toContain("cannot be determined here");
});

test("traces a request of a client whose address and country are options", async () => {
  const rules = [{ ref: "r", action: "block", expression: 'ip.src eq 192.0.2.7 and ip.src.country eq "DE"' }];
  const args = ["rules", "try", newFile("rules.json", { phase: "http_request_firewall_custom", rules })];
  const request = ["--request", "https://a.example/"];
  const of = async (...client: string[]) => (await cli([...args, ...request, ...client])).stdout;
  expect(await of("--ip", "192.0.2.7", "--country", "DE")).toContain('blocked by "r"');
  expect(await of("--ip", "192.0.2.7", "--country", "FR")).toContain(": allowed");
  expect((await cli([...args, "--ip", "192.0.2.7"])).stderr).toContain("no request is given");
});

test("shows the names of managed rulesets after their IDs", async () => {
  const id = "efb7b8c949ac4650a09736fc376e9aee";
  const rules = [
    { ref: "exception", action: "skip", expression: "ip.src eq 192.0.2.1", actionParameters: { rulesets: [id] } },
    { ref: "run", action: "execute", expression: "true", actionParameters: { id } },
  ];
  const file = newFile("rules.json", { phase: "http_request_firewall_managed", rules });
  const request = (ip: string): string => `{ url: "https://a.example/", ip: ${ip} }`;
  const run = await cli(["rules", "try", file, "-r", request("192.0.2.2")]);
  expect(run.stdout).toContain(`- ${id} ("Cloudflare Managed Ruleset") by "run", which can stop the request`);
  const skipped = await cli(["rules", "try", file, "-r", request("192.0.2.1")]);
  expect(skipped.stdout).toContain(`its ruleset ${id} ("Cloudflare Managed Ruleset") is skipped by "exception"`);
});

const COVERED = [
  { description: "Block admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' },
  { description: "Block the API", action: "block", expression: 'starts_with(http.request.uri.path, "/admin/api")' },
];

describe("a program", () => {
  const manifest = { name: "p", main: "index.js" };
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const { PhaseEntrypoint } = require("pulumi-rulesets");
    const config = new pulumi.Config();
    console.log("a line of the program");
    module.exports = async () => {
      new PhaseEntrypoint("custom", {
        zoneId: config.require("zoneId"),
        phase: "http_request_firewall_custom",
        rules: [{
          ref: "partner", action: "block",
          expression: pulumi.interpolate\`http.host eq "\${config.requireSecret("key")}" and ip.src eq 1\`,
        }],
      });
    };`;
  /** A folder in which the package is installed. */
  const installed = (files: Record<string, unknown>): string => {
    const path = folder(files);
    symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
    return path;
  };
  const project = (more: Record<string, string> = {}) =>
    installed({
      "Pulumi.yaml":
        "name: p\nruntime: { name: nodejs, options: { typescript: false } }\nconfig: { zoneId: { default: z1 } }",
      "package.json": manifest,
      "index.js": program,
      ...more,
    });

  test("has no part of its secrets shown in rules diff, if those of both versions begin alike", async () => {
    const version = (key: string): string =>
      project({
        "index.js": program
          .replace("ip.src eq 1", "ssl")
          .replace('config.requireSecret("key")', `pulumi.secret("${key}")`),
      });
    const keys = ["twelve-chars-alike-9", "twelve-chars-alike-74"] as const;
    const { stdout } = await cli(["rules", "diff", version(keys[0]), version(keys[1])]);
    expect(stdout).toContain("https://[secret]/");
    expect(stdout).not.toMatch(/\[secret\][\w-]/);
  });

  test("has its secrets hidden in every format of rules prove", async () => {
    const rules = program.replace("http.host eq", "http.host ne").replace(" and ip.src eq 1", "");
    const invariants = newFile("a.invariants.yaml", "invariants: [{ name: a, requests: 'true', must: be-stopped }]");
    const args = [
      "rules",
      "prove",
      invariants,
      "--program",
      project({ "index.js": rules }),
      "-c",
      "key=s3cret-of-ours",
    ];
    const shown = await Promise.all([[], ["--json"]].map((more) => cli([...args, ...more])));
    for (const { stdout: text } of shown) {
      expect(text).toContain("[secret]");
      expect(text).not.toContain("s3cret");
    }
  });

  describe("in rules diff --no-looser", () => {
    const version = (declared: string): string =>
      project({
        "index.js": `
          const pulumi = require("@pulumi/pulumi");
          const { PhaseEntrypoint, RulesetRule } = require("pulumi-rulesets");
          const place = { zoneId: "z1", phase: "http_request_firewall_custom" };
          const other = (name) => new pulumi.StackReference("o/p/s").getOutput(name);
          const unset = pulumi.output(undefined);
          ${declared};`,
      });
    const diff = (before: string, after: string) =>
      cli(["rules", "diff", "--no-looser", version(before), version(after)]);
    const single = (expression: string): string =>
      `new RulesetRule("admin", { ...place, action: "block", expression: ${JSON.stringify(expression)} })`;
    const list = (rules: string): string => `new PhaseEntrypoint("waf", { ...place, rules: ${rules} })`;

    test("has its single rules judged", async () => {
      const { code, stdout } = await diff(single("ssl"), single('ssl and http.host eq "a.example.com"'));
      expect(stdout).toContain('blocked by "admin" → allowed');
      expect(code).toBe(2);
    });

    test.each([
      ["rules", list("unset"), list("unset"), '"the rules of waf"'],
      [
        "a condition",
        list('[{ ref: "a", action: "block", expression: unset }]'),
        list('[{ ref: "a", action: "block", expression: unset }]'),
        '"a"',
      ],
    ])("does not pass with %s that only the engine knows", async (_, before, after, name) => {
      const { code, stdout } = await diff(before, after);
      expect(stdout).toContain(`not decided: whether ${name} makes it looser`);
      expect(code).toBe(2);
    });

    test("fails where a resource cannot be declared without the engine", async () => {
      const declared = list('[{ ref: "a", action: "block", expression: other("x") }]');
      const { code, stderr } = await diff(declared, declared);
      expect(stderr).toContain(
        'the outputs of the stack "o/p/s" are not known without the engine.\nTo continue: pass mocks',
      );
      expect(code).toBe(1);
    });
  });

  test.each([
    ["no state", '({ id: "i" })'],
    ["a text", '"i"'],
  ])("names the resource of which a mock returns %s", async (_, made) => {
    const path = project({
      "index.js": `
        const { CustomResource } = require("@pulumi/pulumi");
        new CustomResource("other:index:Zone", "shop", {});`,
    });
    const mocks = newFile("mocks.js", `exports.newResource = () => ${made};`);
    const { code, stderr } = await cli(["rules", "check", path, "--mocks", mocks]);
    expect(stderr).toContain(
      'newResource of the mocks returns no state for the resource "shop" of type other:index:Zone.\nTo continue: return',
    );
    expect(code).toBe(1);
  });

  describe("that reads the outputs of another stack", () => {
    const declared = (...reads: readonly string[]): string =>
      project({
        "index.js": `
          const pulumi = require("@pulumi/pulumi");
          const { PhaseEntrypoint } = require("pulumi-rulesets");
          const other = new pulumi.StackReference("network", { name: "o/p/s" });
          module.exports = async () => {
            const rules = [{ ref: "a", action: "block", expression: "ssl" }];
            for (const [at, zoneId] of [${reads.join()}].entries())
              new PhaseEntrypoint("waf" + at, { zoneId, phase: "http_request_firewall_custom", rules });
          };`,
      });
    const reads = [
      'other.getOutput("zoneId")',
      'other.requireOutput("zone")',
      '(await other.getOutputDetails("third")).value',
    ] as const;

    test("says that mocks are needed, and nothing else", async () => {
      const { code, stderr } = await cli(["rules", "check", declared(reads[0])]);
      expect(stderr).toMatch(
        /the outputs of the stack "o\/p\/s" are not known without the engine\.\nTo continue: pass mocks .*StackReference"\n$/,
      );
      expect(code).toBe(1);
    });

    test("has them from mocks, however it reads them", async () => {
      const mocks = newFile(
        "mocks.js",
        `const outputs = { zoneId: "z1", zone: "z2", third: "z3" };
         exports.newResource = ({ name, inputs }) => ({ id: name, state: { ...inputs, outputs } });`,
      );
      const { code, stdout } = await cli(["rules", "check", declared(...reads), "--mocks", mocks]);
      expect(stdout).toContain("3 rules in 3 rulesets");
      expect(code).toBe(0);
    });
  });

  describe("whose rules can never run", () => {
    const rules = `[
    { description: "Block admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' },
    {
      description: "Block the API",
      action: "block",
      expression: 'starts_with(http.request.uri.path, "/admin/api")',
    },
  ]`;
    const waf = `new PhaseEntrypoint("waf", { zoneId: "z1", phase: "http_request_firewall_custom", rules`;
    const esm = `import { PhaseEntrypoint } from "pulumi-rulesets";\n${waf}: ${rules} });`;
    /** Compiled from src/index.ts, whose third line is the ninth one here. */
    const compiled = `const { PhaseEntrypoint } = require("pulumi-rulesets");
      const rules = require("./rules.json");
      ${waf} });
      //# sourceMappingURL=index.js.map`;
    const map = { version: 3, sources: ["../src/index.ts"], names: [], mappings: ";;AAQA" };

    test.each<[string, Record<string, unknown>, string]>([
      ["a TypeScript program", { "index.ts": `interface Unused {\n  a: string;\n}\n${esm}` }, "index.ts:5"],
      ["an ES module", { "package.json": { type: "module", main: "index.js" }, "index.js": esm }, "index.js:2"],
      [
        "a compiled program, by its source map",
        { "index.js": compiled, "index.js.map": map, "rules.json": COVERED },
        "../src/index.ts:9",
      ],
    ])("are found at the line of their resource in %s", async (_what, files, place) => {
      const own = installed({ "Pulumi.yaml": "name: p\nruntime: nodejs", ...files });
      const { stdout } = await cli(["rules", "check", own]);
      expect(stdout).toContain(`${relative(root, join(own, place))}, waf rules[1].expression ("Block the API")`);
    });

    test("are annotated by code scanning: relative to the repository, with the line and a page about the finding", async () => {
      const own = installed({ ".git": "", "Pulumi.yaml": "name: p\nruntime: nodejs", "index.ts": esm });
      const { stdout } = await cli(["rules", "check", own, "--sarif"]);
      const [run] = (JSON.parse(stdout) as { runs: { tool: { driver: { rules: object[] } }; results: object[] }[] })
        .runs;
      expect(run?.results).toMatchObject([
        {
          ruleId: "covered",
          message: { text: expect.stringMatching(/^"Block the API": it is never reached/) as string },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: "index.ts", uriBaseId: "%SRCROOT%" },
                region: { startLine: 2 },
              },
            },
          ],
        },
      ]);
      expect(run?.tool.driver.rules).toContainEqual(
        expect.objectContaining({
          id: "covered",
          helpUri: expect.stringMatching(/^https:\/\/.*\/docs\/findings\.md#covered$/) as string,
        }),
      );
      expect(stdout).not.toContain(own);
    });
  });

  test("hides its secrets, prints its output to standard error, and findings name its resource", async () => {
    const { code, stdout, stderr } = await cli(["rules", "check", project(), "-c", "key=s3cret-of-ours"]);
    expect(code).toBe(2);
    expect(stdout).toContain("index.js:7, custom rules[0].expression:");
    expect(stdout).toContain('("partner")');
    expect(stdout).not.toContain("s3cret");
    expect(stdout).not.toContain("a line of the program");
    expect(stderr).toContain("a line of the program");
  });

  test("gets an error for a missing setting, which says that the stack has it encrypted", async () => {
    const path = project({ "Pulumi.dev.yaml": "config:\n  p:zoneId: z2\n  p:key: { secure: v1:abc }\n" });
    const { code, stderr } = await cli(["rules", "check", path]);
    expect(code).toBe(1);
    expect(stderr).toContain("Missing required configuration variable 'p:key'");
    expect(stderr).toContain("It is encrypted in Pulumi.dev.yaml");
    expect(stderr).toContain("To continue: pass --config p:key=<value>");
  });

  test("is reported when it throws, exits, or does not exist", async () => {
    const broken = await cli(["rules", "check", project({ "index.js": 'throw new Error("no such thing");' })]);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining("failed: no such thing")]);
    const bare = await cli(["rules", "check", project({ "index.js": 'require("@nobody/package");' })]);
    expect(bare.stderr).toMatch(/Cannot find module '@nobody[^]*To continue: install its packages/);
    const failing = `const { output } = require("@pulumi/pulumi");
      for (const name of ["first", "second"]) {
        const failed = output(name).apply((text) => { throw new Error("no " + text); });
        failed.apply(() => "depends on it");
      }`;
    const several = await cli(["rules", "check", project({ "index.js": failing })]);
    expect([several.code, several.stderr]).toEqual([1, expect.stringContaining("failed: no first\nno second\n")]);
    const gone = await cli(["rules", "check", project({ "index.js": "process.exit(7);" })]);
    expect(gone.stderr).toContain("ended with exit code 7 before it declared its rules");
    const none = await cli(["rules", "check", folder({ "a.txt": "" })]);
    expect(none.stderr).toContain("is not a Pulumi project: it has no Pulumi.yaml");
    const python = await cli(["rules", "check", folder({ "Pulumi.yaml": "name: p\nruntime: python" })]);
    expect(python.stderr).toContain("only nodejs programs can be run here, not python");
  });

  test("can also use ES modules", async () => {
    const program = `
      import { PhaseEntrypoint } from "pulumi-rulesets";
      new PhaseEntrypoint("custom", {
        zoneId: "z1", phase: "http_request_firewall_custom",
        rules: [{ action: "block", expression: "ip.src eq 1" }],
      });`;
    const path = installed({
      "Pulumi.yaml": "name: p\nruntime: nodejs",
      "package.json": { name: "p", main: "index.mjs" },
      "index.mjs": program,
    });
    const { code, stdout } = await cli(["rules", "check", path]);
    expect(stdout).toContain("error[type]");
    expect(code).toBe(2);
  });
});

test.each<[string[], string]>([
  [["check", "--plan", "gold"], "Allowed choices are free, pro, business, enterprise"],
  [
    ["try", "--ip", "192.0.2.1"],
    'no request is given. To continue: pass it with --request "GET https://shop.example.com/login"',
  ],
  [["try", "x.json", "-r", "nowhere"], '"nowhere" is not a request'],
  [["try", "x.json", "-r", "nowhere"], "with --ip 203.0.113.9 --country DE for its client"],
  [["explain"], "missing required argument 'expression'"],
  [["test", "nowhere"], "nowhere does not exist"],
  [["check", "-z", "shop.example.com"], "no credentials: set CLOUDFLARE_API_TOKEN, or RULESETS_API_TOKEN."],
])("rules %j is refused with a message", async (args, message) => {
  const { code, stderr } = await cli(["rules", ...args], { CLOUDFLARE_API_TOKEN: "", RULESETS_API_TOKEN: "" });
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test("the command has been built", () => {
  expect(existsSync(join(root, "dist", "tools", "cli", "rules", "source", "run-program.js"))).toBe(true);
});
