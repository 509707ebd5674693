import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { cli, folder, root as project } from "./support.js";

let emulator: Emulator;
let service: Service;
let zoneId: string;
let root: string;
beforeEach(async () => {
  emulator = await freshEmulator({});
  service = new Service(emulator);
  zoneId = await service.zone();
  root = `/accounts/${await service.account()}/rules/lists`;
  await list("attackers", "ip", [{ ip: "192.0.2.0/24", comment: "bot" }]);
  await service.ask("PUT", `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ ref: "attackers", action: "block", expression: "ip.src in $attackers" }],
  });
});

async function list(name: string, kind: string, items: readonly object[]): Promise<void> {
  const { id } = await service.ask<{ id: string }>("POST", root, { name, kind });
  await service.ask("POST", `${root}/${id}/items`, items);
}

/** A program with the rule of the zone, and the list. */
const program = (items: readonly string[], expression?: string, kind?: string): string =>
  programWith({ items }, { expression, kind });

/** The same with items in a file beside it. */
const programOf = (itemsFile: string, text: string): string =>
  programWith({ itemsFile }, { files: { [itemsFile]: text } });

interface Others {
  readonly expression?: string | undefined;
  readonly kind?: string | undefined;
  readonly files?: Readonly<Record<string, string>>;
}

function programWith(items: object, { expression = "ip.src in $attackers", kind = "ip", files = {} }: Others): string {
  const path = folder({
    ...files,
    "package.json": { name: "p", main: "index.js" },
    "Pulumi.yaml": "name: p\nruntime: { name: nodejs, options: { typescript: false } }",
    "index.js": `
      const { PhaseEntrypoint, RulesList } = require("pulumi-rulesets");
      new RulesList("attackers", ${JSON.stringify({ accountId: "a1", name: "attackers", kind, ...items })});
      new PhaseEntrypoint("custom", { zoneId: "${zoneId}", phase: "http_request_firewall_custom", rules: [
        { ref: "attackers", action: "block", expression: ${JSON.stringify(expression)} },
      ] });`,
  });
  symlinkSync(join(project, "node_modules"), join(path, "node_modules"));
  return path;
}
const rules = (...args: string[]) =>
  cli(["rules", ...args], { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" });
const request = (ip: string) => ["--request", `{ url: "https://example.com/", ip: ${ip} }`];

test("rules try decides by the items of a zone's lists", async () => {
  const { code, stdout } = await rules("try", "--zone", zoneId, ...request("192.0.2.9"));
  expect(stdout).toContain('blocked by "attackers"');
  expect(code).toBe(0);
});

test("rules try says that the items of a list could not be read", async () => {
  await service.fault({ method: "GET", path: "/rules/lists$", status: 403, times: 5 });
  const { code, stdout } = await rules("try", "--zone", zoneId, ...request("192.0.2.9"));
  expect(stdout).toContain("the items of $attackers could not be read");
  expect(code).toBe(2);
});

test("rules try and rules test decide by the items of a program's lists", async () => {
  const path = program(["198.51.100.0/24"]);
  const { code, stdout } = await rules("try", path, ...request("198.51.100.9"));
  expect(stdout).toContain('blocked by "attackers"');
  expect(code).toBe(0);
  const tests = folder({
    "lists.firewall.yaml": `
      rules: ${path}
      tests:
        - { request: { url: "https://example.com/", ip: 198.51.100.9 }, expect: { block: attackers } }
        - { request: { url: "https://example.com/", ip: 192.0.2.9 }, expect: allow }
        - { request: { url: "https://example.com/", ip: 192.0.2.9, lists: { attackers: [192.0.2.9] } }, expect: block }`,
  });
  expect((await rules("test", tests)).stdout).toContain("3 tests: 3 passed, 0 failed.");
});

const CSV = ["attackers.csv", "value,comment\n192.0.2.0/25,bot\n198.51.100.0/24,\n"] as const;

test.each([
  [...CSV, "value\n192.0.2.1\n192.0.2.300\n", ":3: value"],
  [
    "attackers.json",
    '["192.0.2.0/25", { "value": "198.51.100.0/24" }]',
    '["192.0.2.1",\n "192.0.2.300"]',
    "[1] (line 2):",
  ],
  ["attackers.txt", "192.0.2.0/25 # bot\n198.51.100.0/24\n", "# seen\n192.0.2.300\n", ":2:"],
])("items in %s decide rules try, and those that are wrong fail with their line", async (file, text, wrong, place) => {
  const tried = await rules("try", programOf(file, text), ...request("198.51.100.9"));
  expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining('blocked by "attackers"')]);
  const { code, stderr } = await rules("check", programOf(file, wrong));
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}${place}`)]);
});

test("items in a file decide rules test and rules diff, and those that are wrong fail each command", async () => {
  const path = programOf(...CSV);
  const testsOf = (program: string, ...tests: string[]): string =>
    folder({ "lists.firewall.yaml": `rules: ${program}\ntests: [${tests.join()}]` });
  const tested = await rules(
    "test",
    testsOf(
      path,
      '{ request: { url: "https://example.com/", ip: 192.0.2.127 }, expect: { block: attackers } }',
      '{ request: { url: "https://example.com/", ip: 192.0.2.128 }, expect: allow }',
    ),
  );
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("2 tests: 2 passed, 0 failed.")]);
  const fewer = await rules("diff", path, "--zone", zoneId, "--no-looser");
  expect(fewer.stdout).toMatch(/from 192[.]0[.]2[.]\d+: blocked by "attackers" → allowed/);
  expect(fewer.code).toBe(2);

  const wrong = programOf(CSV[0], "value\n192.0.2.1\n192.0.2.300\n");
  for (const args of [
    ["try", wrong, ...request("192.0.2.9")],
    ["diff", wrong, "--zone", zoneId],
    ["test", testsOf(wrong, '{ request: { url: "https://example.com/" }, expect: allow }')],
  ]) {
    const { code, stdout, stderr } = await rules(...args);
    expect([args[0], code, stdout + stderr]).toEqual([args[0], 1, expect.stringContaining("attackers.csv:3: value")]);
  }
});

test("rules diff shows what a change of items does", async () => {
  const fewer = await rules("diff", program(["192.0.2.0/25"]), "--zone", zoneId, "--no-looser");
  expect(fewer.stdout).toMatch(/from 192[.]0[.]2[.]\d+: blocked by "attackers" → allowed/);
  expect(fewer.code).toBe(2);
  const more = await rules("diff", program(["192.0.2.0/24", "203.0.113.7"]), "--zone", zoneId, "--no-looser");
  expect(more.code).toBe(0);
});

test("rules check finds a list of a kind that does not fit", async () => {
  const { code, stdout } = await rules("check", program(["example.com"], "ip.src in $attackers", "hostname"));
  expect(stdout).toContain("`ip.src` needs a list of the kind ip, but $attackers is a list of the kind hostname");
  expect(code).toBe(2);
});

test("a list of a kind that this version does not know is named, and the others are read", async () => {
  await list("future", "hostname", [{ hostname: { url_hostname: "a.example.com" } }]);
  await service.ask("PUT", `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: ["ip.src in $attackers", "http.host in $future"].map((expression) => ({ action: "block", expression })),
  });
  const known = await service.ask<{ name: string }[]>("GET", root);
  const result = known.map((one) => (one.name === "future" ? { ...one, kind: "tls_fingerprint" } : one));
  const body = { success: true, errors: [], messages: [], result };
  await service.fault({ method: "GET", path: "/rules/lists$", times: 9, body });
  const why = 'its kind "tls_fingerprint" is not known to this version';
  const expected = `the list future could not be read: ${why}`;
  const tried = await rules("try", "--zone", zoneId, ...request("192.0.2.9"));
  expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining("blocked by")]);
  const access = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" };
  const report = await cli(["report", "--zone", zoneId], access);
  expect(report.stdout).toContain(`the items of the list future: ${why}`);
  const generated = await cli(["generate", "--account", await service.account()], access);
  expect(generated.stdout).toContain('name: "attackers"');
  expect(generated.stdout).toContain('kind: pulumi.output("tls_fingerprint")');
  expect(generated.stdout).toContain('items: [{ wire: { hostname: { url_hostname: "a.example.com" } } }]');
  expect([generated.code, generated.stderr]).toEqual([0, expect.stringContaining('does not know the kind "tls_fing')]);
  const unknown = await rules("try", "--zone", zoneId, ...request("203.0.113.9"));
  expect([unknown.code, unknown.stdout]).toEqual([2, expect.stringContaining(expected)]);
});

test("items that are wrong, or that cannot be read, fail the commands for rules instead of deciding nothing", async () => {
  const wrong = program(["192.0.2.0/24", "192.0.2.300"]);
  for (const args of [["check"], ["try", "--request", "https://example.com/"]]) {
    const { code, stderr } = await cli(["rules", ...args, wrong]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/RulesList attackers: items\[1\].*192\.0\.2\.300/)]);
  }
});
