import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { cli, folder, root } from "./support.js";

/* What the commands for rules say of a program whose rules depend on outputs that only the engine knows. */

const MOCKS = `exports.newResource = ({ name, inputs }) => ({ id: name, state: { ...inputs, domain: "a.test" } });`;
const host = 'pulumi.interpolate`http.host eq "${bucket.domain}"`';
const waf = (rules: string): string =>
  `new PhaseEntrypoint("waf", { zoneId: "z1", phase: "http_request_firewall_custom", rules: ${rules} });`;

const project = (declared: string): string => {
  const path = folder({
    "Pulumi.yaml": "name: p\nruntime: { name: nodejs, options: { typescript: false } }",
    "index.js": `const pulumi = require("@pulumi/pulumi");
      const { PhaseEntrypoint } = require("pulumi-rulesets");
      const bucket = new pulumi.CustomResource("aws:s3/bucket:Bucket", "b", { acl: "private", domain: undefined });
      ${declared}`,
    "mocks.js": MOCKS,
    "a.firewall.yaml": {
      rules: ".",
      tests: [
        { name: "closed", request: "GET https://undefined/", expect: { block: "host" } },
        { name: "open", request: "GET https://undefined/", expect: "allow" },
      ],
    },
    "a.invariants.yaml": {
      invariants: [
        { name: "closed", requests: 'http.host eq "undefined"', must: "be-stopped" },
        { name: "open", requests: 'http.host eq "undefined"', must: "be-allowed" },
      ],
    },
  });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  return path;
};
const rule = (more: string): string => waf(`[{ ref: "host", action: "block", expression: ${host}, ${more} }]`);
const part = (name: string): string =>
  `waf rules[0]${name} ("host"): not known without the engine. To continue: use mocks (--mocks)`;

test("a value that is not known is named by every command, and never taken for another one", async () => {
  const path = project(rule(""));
  const run = (...args: string[]) => cli(["rules", ...args], {}, path);
  const checked = await run("check", ".");
  expect([checked.code, checked.stdout]).toEqual([3, expect.stringContaining(`Not checked: ${part(".expression")}`)]);
  const tried = await run("try", ".", "-r", "https://undefined/");
  expect([tried.code, tried.stdout]).toEqual([2, expect.stringContaining(part(".expression"))]);
  expect(tried.stdout).toContain("cannot be determined here");
  const tested = await run("test");
  expect([tested.code, tested.stdout]).toEqual([2, expect.stringContaining("0 passed, 2 failed")]);
  expect(tested.stdout).toContain(part(".expression"));
  const proved = await run("prove", "--program", ".");
  expect([proved.code, proved.stdout]).toEqual([2, expect.stringContaining("2 unknown")]);
  expect(proved.stdout).toContain(part(".expression"));
  const compared = await run("diff", ".", project(rule("")), "--no-looser");
  expect([compared.code, compared.stdout]).toEqual([2, expect.stringContaining('whether "host" makes it looser')]);
  for (const { stdout } of [checked, tried, proved, compared]) expect(stdout).not.toContain("04da6b54");
});

test("a value that mocks give is taken", async () => {
  const path = project(rule(""));
  const run = (...args: string[]) => cli(["rules", ...args, "--mocks", "mocks.js"], {}, path);
  expect((await run("check", ".")).code).toBe(0);
  expect((await run("try", ".", "-r", "https://a.test/")).stdout).toContain('blocked by "host"');
  expect((await run("prove", "--program", ".")).stdout).toContain("1 violated, 1 proved");
});

test("a parameter that is not known may be another one in another version", async () => {
  const version = () => {
    const fromValue = "{ targetUrl: { value: bucket.domain }, statusCode: 308 }";
    const rules = `[{ ref: "to", action: "redirect", expression: "ssl", actionParameters: { fromValue: ${fromValue} } }]`;
    return project(waf(rules).replace("http_request_firewall_custom", "http_request_dynamic_redirect"));
  };
  const { code, stdout } = await cli(["rules", "diff", version(), version()]);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("Equivalent")]);
});

test.each<[string, string, string]>([
  ["action", waf("[{ action: bucket.domain, expression: 'ssl' }]"), ", except its expression"],
  ["parameter", rule("actionParameters: { response: { content: bucket.domain } }"), ".expression"],
  ["rule", waf("[bucket.domain]"), ""],
])("rules check names an unknown %s, and checks the rest", async (_, declared, name) => {
  const { stdout } = await cli([
    ...["rules", "check"],
    project(declared + waf("[{ action: 'block', expression: 'ip.src eq 1' }]")),
  ]);
  expect(stdout).toContain(`Not checked: waf rules[0]${name}`);
  expect(stdout).toContain("error[type]");
});

test("a phase that is not known is an error", async () => {
  const { code, stderr } = await cli([
    ...["rules", "check"],
    project('new PhaseEntrypoint("waf", { zoneId: "z1", phase: bucket.domain, rules: [] });'),
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("waf: the phase is not known without the engine")]);
});

test("code that waits for such a value, and may declare rules, is something that could not be read", async () => {
  const path = project(`${waf("[]")}\nbucket.domain.apply((name) => { ${waf("[]").replace('"waf"', "name")} });`);
  const run = (...args: string[]) => cli(["rules", ...args], {}, path);
  const code = /what `apply` declares at index\.js:5 could not be read|what `apply` declares at index\.js:5: it waits/;
  for (const args of [["check", "."], ["try", ".", "-r", "https://a.test/"], ["prove", "--program", "."], ["test"]]) {
    const { code: exit, stdout, stderr } = await run(...args);
    expect([args[0], exit, stdout + stderr]).toEqual([args[0], 3, expect.stringMatching(code)]);
  }
  expect((await cli(["rules", "check", ".", "--mocks", "mocks.js"], {}, path)).code).toBe(0);
});

test("what `apply` declares for a known value is loaded", async () => {
  const { stdout } = await cli(["rules", "check", project(`bucket.acl.apply(() => { ${rule("")} });`), "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ sources: [{ rulesets: 1, rules: 1 }] });
});

test("rules of a zone that is not known are those of no other zone, and of two zones not taken together", async () => {
  const inZone = (name: string, zoneId: string): string =>
    `new PhaseEntrypoint("${name}", { zoneId: ${zoneId}, phase: "http_request_firewall_custom",
       rules: [{ ref: "host", action: "block", expression: 'http.host eq "undefined"' }] });`;
  const refused = expect.stringContaining("which rules are of one zone is not known") as string;
  const beside = `new PhaseEntrypoint("shop", { zoneId: "z1", phase: "http_request_firewall_custom", rules: [] });`;
  const path = project(`${inZone("waf", "bucket.domain")} ${beside}`);
  const tested = await cli(["rules", "test"], {}, path);
  expect([tested.code, tested.stdout + tested.stderr]).toEqual([expect.any(Number), refused]);
  expect(tested.code).not.toBe(0);
  const compared = await cli(["rules", "diff", project(waf("[]")), path, "--no-looser"], {}, path);
  expect([compared.code, compared.stderr]).toEqual([1, refused]);
  const alone = await cli(["rules", "test"], {}, project(inZone("waf", "bucket.domain")));
  expect(alone.stdout).toContain("1 passed, 1 failed");
});
