import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { InvariantsPolicyOptions } from "../../policy/index.js";
import { EngineStack, type Library } from "./support/stack.js";

/* Invariants on the real engine as policies, mandatory or advisory, for both front ends. */

const FILE = `invariants:
  - name: admin only from the office
    requests: starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}
    must: be-stopped
`;
const CLOSED = 'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}';

interface Args {
  readonly zoneId: string;
  readonly isPlugin: boolean;
  readonly rules: readonly (typeof block | typeof skip | typeof log)[];
}

/** The expressions of skip rules are secrets. */
const program = ({ PhaseEntrypoint, pulumi }: Library, { zoneId, isPlugin, rules }: Args) => {
  class Any extends pulumi.CustomResource {}
  const args = {
    zoneId,
    phase: "http_request_firewall_custom" as const,
    rules: rules.map((rule) =>
      rule.action === "skip" ? { ...rule, expression: pulumi.secret(rule.expression) } : rule,
    ),
  };
  return isPlugin ? new Any("rulesets:index:PhaseEntrypoint", "waf", args) : new PhaseEntrypoint("waf", args);
};

interface ListArgs extends Omit<Args, "rules"> {
  readonly accountId: string;
  readonly items: readonly string[];
  readonly description: string;
  readonly ignores: boolean;
}

/** A list of the program, whose addresses may reach what the rule closes. */
const exempting = (
  { PhaseEntrypoint, RulesList, pulumi }: Library,
  { accountId, zoneId, isPlugin, items, description, ignores }: ListArgs,
) => {
  class Any extends pulumi.CustomResource {}
  const options = { ignoreChanges: ignores ? ["items"] : [] };
  const list = { accountId, name: "office", kind: "ip" as const, description };
  const office = isPlugin
    ? new Any("rulesets:index:RulesList", "office", { ...list, items: items.map((value) => ({ value })) }, options)
    : new RulesList("office", { ...list, items }, options);
  const expression = 'starts_with(http.request.uri.path, "/admin") and not ip.src in $office';
  const phase = "http_request_firewall_custom" as const;
  const args = { zoneId, phase, rules: [{ action: "block" as const, expression }] };
  const dependsOn = { dependsOn: [office] };
  return isPlugin
    ? new Any("rulesets:index:PhaseEntrypoint", "waf", args, dependsOn)
    : new PhaseEntrypoint("waf", args, dependsOn);
};

/** A zone that the program creates, with rules in two phases. */
const creating = ({ PhaseEntrypoint, pulumi }: Library, { isPlugin, rules }: Args) => {
  class Any extends pulumi.CustomResource {}
  const zone = new Any("cloudflare:index/zone:Zone", "shop", { name: "shop.example.org" }, { version: "6.22.1" });
  const of = { http_request_firewall_custom: rules, http_request_late_transform: [] };
  for (const [phase, each] of Object.entries(of)) {
    const args = { zoneId: zone.id, phase, rules: each };
    if (isPlugin) new Any("rulesets:index:PhaseEntrypoint", phase, args);
    else new PhaseEntrypoint(phase, args);
  }
};

const block = { action: "block" as const, expression: CLOSED };
const log = { action: "log" as const, expression: "ssl" };
const skip = {
  action: "skip" as const,
  expression: "ip.src eq 198.51.100.77",
  actionParameters: { ruleset: "current" },
};

const folders: string[] = [];

/** The folder of a policy pack, as a user has it. */
function pack(options: Partial<InvariantsPolicyOptions>, invariants = FILE): string {
  const folder = mkdtempSync(join(tmpdir(), "policy-pack-"));
  folders.push(folder);
  symlinkSync(join(__dirname, "..", "..", "node_modules"), join(folder, "node_modules"));
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  write("PulumiPolicy.yaml", "runtime: nodejs\n");
  write("package.json", JSON.stringify({ name: "firewall", version: "1.0.0", main: "index.js" }));
  write("zones.invariants.yaml", invariants);
  write(
    "index.js",
    `const { PolicyPack } = require("@pulumi/policy");
const { invariants } = require("pulumi-rulesets/policy");
new PolicyPack("firewall", {
  policies: [invariants(${JSON.stringify({ files: "zones.invariants.yaml", ...options })})],
});
`,
  );
  return folder;
}

describe.each([
  ["dynamic resources", false],
  ["the plugin", true],
])("a policy pack and %s", (_, isPlugin) => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterAll(async () => {
    await stack.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const preview = (rules: Args["rules"], options: Partial<InvariantsPolicyOptions> = {}) =>
    stack.preview(program, { zoneId, isPlugin, rules }, { policyPacks: [pack(options)] });

  test("a stack in which every invariant is proved passes", async () => {
    const { ok, text } = await preview([block]);
    expect(text).not.toContain("[mandatory]");
    expect(ok).toBe(true);
  });

  test("a violation fails the preview before anything is sent, and shows no secret", async () => {
    const { ok, text, requests } = await preview([skip, block], { enforcementLevel: "mandatory" });
    expect(text).toContain(`"admin only from the office" is violated in zone ${zoneId}`);
    expect(text).toContain("GET https://www.example.com/admin from …");
    expect(text).not.toContain("198.51.100.77");
    expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(ok).toBe(false);
  });

  test("an advisory violation is shown, and does not fail", async () => {
    const { ok, text } = await preview([], { enforcementLevel: "advisory" });
    expect(text).toContain(`"admin only from the office" is violated in zone ${zoneId}`);
    expect(ok).toBe(true);
  });

  test("a zone that the program creates is judged with all of its rules, and by its name", async () => {
    stack.setEnv({ PATH: [join(__dirname, "support", "cloudflare-plugin"), process.env.PATH].join(delimiter) });
    const named = `${FILE}    zones: { name: shop.example.org }\n`;
    const run = (rules: Args["rules"]) => {
      const policyPacks = [pack({ enforcementLevel: "mandatory" }, named)];
      return stack.preview(creating, { zoneId, isPlugin, rules }, { policyPacks });
    };
    expect(await run([block])).toMatchObject({ ok: true });
    const { ok, text } = await run([]);
    expect(text).toContain('"admin only from the office" is violated in the new zone shop.example.org');
    expect(ok).toBe(false);
  });

  test("what is in the state after `up` is judged as well", async () => {
    const up = (rules: Args["rules"]) =>
      stack.up(program, { zoneId, isPlugin, rules }, { policyPacks: [pack({ enforcementLevel: "advisory" })] });
    expect((await up([block])).text).not.toContain("is violated");
    expect((await up([skip, block])).text).toContain(`"admin only from the office" is violated in zone ${zoneId}`);
  });

  test("a stack that was deployed passes as well", async () => {
    const given = { zoneId, isPlugin, rules: [block, log] };
    const policyPacks = [pack({ enforcementLevel: "mandatory" })];
    expect(await stack.up(program, given, { policyPacks })).toMatchObject({ ok: true });
    expect(await stack.preview(program, given, { policyPacks })).toMatchObject({ ok: true, changes: { same: 2 } });
  });

  test("items of lists decide, also those that the program ignores, however many there are", async () => {
    const policyPacks = [pack({ enforcementLevel: "mandatory" })];
    const some = { accountId: await stack.service.account(), zoneId, isPlugin, description: "One", ignores: false };
    const admin = Array.from({ length: 100 }, (_, at) => `192.0.2.${String(at)}`);
    const few = { ...some, items: ["192.0.2.0/24"] };
    expect(await stack.up(exempting, few, { policyPacks })).toMatchObject({ ok: true });
    const ignored = { ...some, items: ["198.51.100.0/24"], description: "Two", ignores: true };
    expect(await stack.preview(exempting, ignored, { policyPacks })).toMatchObject({ ok: true });
    const other = await stack.preview(exempting, { ...ignored, ignores: false }, { policyPacks });
    expect([other.ok, other.text]).toEqual([false, expect.stringContaining("is violated in zone")]);
    const many = { ...some, items: [...admin, "192.0.2.100"] };
    expect(await stack.up(exempting, many, { policyPacks })).toMatchObject({ ok: true });
    const open = await stack.preview(exempting, { ...many, items: [...admin, "198.51.100.7"] }, { policyPacks });
    expect([open.ok, open.text]).toEqual([false, expect.stringContaining("is violated in zone")]);
  });

  test("what is not decided fails, unless that is allowed", async () => {
    const open = [{ action: "block" as const, expression: `${CLOSED} and not ip.src in $cf.anonymizer` }];
    const mandatory = { enforcementLevel: "mandatory" } as const;
    const { ok, text } = await preview(open, mandatory);
    expect(text).toContain(`"admin only from the office" is not proved in zone ${zoneId}`);
    expect(ok).toBe(false);
    expect((await preview(open, { ...mandatory, allowUnknown: true })).ok).toBe(true);
  });
});

/** The files of the page's policy pack, by path, and its invariants beside them. */
function packOfPage(): string {
  const page = readFileSync(join(__dirname, "..", "..", "docs", "invariants.md"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "policy-pack-"));
  folders.push(folder);
  symlinkSync(join(__dirname, "..", "..", "node_modules"), join(folder, "node_modules"));
  const written = [...page.matchAll(/^`(policies\/[\w.]+)`:\n\n```\w+\n([^]*?)```$/gm)];
  expect(written.map(([, path]) => path)).toEqual([
    "policies/PulumiPolicy.yaml",
    "policies/package.json",
    "policies/index.js",
  ]);
  mkdirSync(join(folder, "policies"));
  for (const [, path = "", text = ""] of written) writeFileSync(join(folder, path), text);
  const [, invariants = ""] = /`zones\.invariants\.yaml`:\n\n```yaml\n([^]*?)```/.exec(page) ?? [];
  writeFileSync(join(folder, "zones.invariants.yaml"), invariants);
  return join(folder, "policies");
}

test("the policy pack of the page starts, lets a closed zone pass and stops the preview of an open one", async () => {
  const stack = await EngineStack.start();
  try {
    const zoneId = await stack.service.zone();
    const policyPacks = [packOfPage()];
    const preview = (rules: Args["rules"]) =>
      stack.preview(program, { zoneId, isPlugin: false, rules }, { policyPacks });
    expect(await preview([block])).toMatchObject({ ok: true });
    const { ok, text } = await preview([]);
    expect([ok, text]).toEqual([
      false,
      expect.stringContaining(`"admin only from the office" is violated in zone ${zoneId}`),
    ]);
  } finally {
    await stack.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
});
