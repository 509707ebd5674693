import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { InvariantsPolicyOptions } from "../../tools/policy/index.js";
import { EngineStack, type Library } from "./support/stack.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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

interface ListArgs {
  readonly zoneId: string;
  readonly accountId: string;
  readonly items: readonly string[];
  readonly ignores?: boolean;
}

/** A list of the program, whose addresses may reach what the rule closes. */
const exempting = ({ PhaseEntrypoint, RulesList }: Library, { accountId, zoneId, items, ignores }: ListArgs) => {
  const options = { ignoreChanges: ignores === true ? ["items"] : [] };
  const office = new RulesList("office", { accountId, name: "office", kind: "ip", items: [...items] }, options);
  const expression = 'starts_with(http.request.uri.path, "/admin") and not ip.src in $office';
  const rules = [{ action: "block" as const, expression }];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules }, { dependsOn: [office] });
};

/** A zone that the program creates, with rules in two phases. */
const creating = ({ PhaseEntrypoint, pulumi }: Library, { rules }: Pick<Args, "rules">) => {
  class Zone extends pulumi.CustomResource {}
  const zone = new Zone("cloudflare:index/zone:Zone", "shop", { name: "shop.example.org" }, { version: "6.22.1" });
  const of = { http_request_firewall_custom: rules, http_request_late_transform: [] };
  for (const [phase, each] of Object.entries(of))
    new PhaseEntrypoint(phase, { zoneId: zone.id, phase, rules: [...each] });
};

const block = { action: "block" as const, expression: CLOSED };
const log = { action: "log" as const, expression: "ssl" };
const skip = {
  action: "skip" as const,
  expression: "ip.src eq 198.51.100.77",
  actionParameters: { ruleset: "current" },
};

/** The folder of a policy pack, as a user has it. */
function pack(options: Partial<InvariantsPolicyOptions>, invariants = FILE): string {
  const folder = temporaryFolder();
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

let stack: EngineStack;
let zoneId: string;
beforeEach(async () => {
  stack = await EngineStack.start();
  zoneId = await stack.service.zone();
});
const mandatory = (more: Partial<InvariantsPolicyOptions> = {}, invariants = FILE) => ({
  policyPacks: [pack({ enforcementLevel: "mandatory", ...more }, invariants)],
});
const VIOLATED = "is violated in zone";

const VIOLATED_HERE = (): string => `"admin only from the office" ${VIOLATED} ${zoneId}`;

test("a policy pack judges previews, what stays and what was written, and shows no secret", async () => {
  const given = (...rules: Args["rules"]): Args => ({ zoneId, isPlugin: false, rules });
  const up = await stack.up(program, given(block, log), mandatory());
  expect([up.ok, up.text]).toEqual([true, expect.not.stringContaining(VIOLATED)]);
  expect(await stack.preview(program, given(block, log), mandatory())).toMatchObject({
    ok: true,
    changes: { same: 2 },
  });

  const stopped = await stack.preview(program, given(skip, block), mandatory());
  expect([stopped.ok, stopped.text]).toEqual([false, expect.stringContaining(VIOLATED_HERE())]);
  expect(stopped.text).toContain("GET https://www.example.com/admin from …");
  expect(stopped.text).not.toContain("198.51.100.77");
  expect(stopped.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);

  // An advisory policy shows it, and does not fail.
  const policyPacks = [pack({ enforcementLevel: "advisory" })];
  const written = await stack.up(program, given(skip, block), { policyPacks });
  expect([written.ok, written.text]).toEqual([true, expect.stringContaining(VIOLATED_HERE())]);
});

test("a policy pack judges the resources of the plugin", async () => {
  const stopped = await stack.preview(program, { zoneId, isPlugin: true, rules: [skip, block] }, mandatory());
  expect([stopped.ok, stopped.text]).toEqual([false, expect.stringContaining(VIOLATED_HERE())]);
  expect(stopped.text).not.toContain("198.51.100.77");
});

test("a zone that the program creates is judged with all of its rules, and by its name", async () => {
  stack.setEnv({ PATH: [join(__dirname, "support", "cloudflare-plugin"), process.env.PATH].join(delimiter) });
  const named = mandatory({}, `${FILE}    zones: { name: shop.example.org }\n`);
  const { ok, text } = await stack.preview(creating, { rules: [] }, named);
  expect([ok, text]).toEqual([
    false,
    expect.stringContaining('"admin only from the office" is violated in the new zone shop.example.org'),
  ]);
});

test("items of lists decide, also those that the program ignores, however many there are", async () => {
  const admin = Array.from({ length: 100 }, (_, at) => `192.0.2.${String(at)}`);
  const args = { accountId: await stack.service.account(), zoneId, items: [...admin, "192.0.2.100"] };
  const up = await stack.up(exempting, args, mandatory());
  expect([up.text, up.ok]).toEqual([up.text, true]);
  const other = { ...args, items: [...admin, "198.51.100.7"] };
  expect(await stack.preview(exempting, { ...other, ignores: true }, mandatory())).toMatchObject({ ok: true });
  const { ok, text } = await stack.preview(exempting, other, mandatory());
  expect([ok, text]).toEqual([false, expect.stringContaining(VIOLATED)]);
});

test("what is not decided fails, unless that is allowed", async () => {
  const rules = [{ action: "block" as const, expression: `${CLOSED} and not ip.src in $cf.anonymizer` }];
  const given = { zoneId, isPlugin: false, rules };
  const { ok, text } = await stack.preview(program, given, mandatory());
  expect([ok, text]).toEqual([
    false,
    expect.stringContaining(`"admin only from the office" is not proved in zone ${zoneId}`),
  ]);
  expect((await stack.preview(program, given, mandatory({ allowUnknown: true }))).ok).toBe(true);
});

/** The files of the page's policy pack, by path, and its invariants beside them. */
function packOfPage(): string {
  const page = readFileSync(join(__dirname, "..", "..", "docs", "invariants.md"), "utf8");
  const folder = temporaryFolder();
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

test("the policy pack of the page starts, and stops the preview of an open zone", async () => {
  const policyPacks = [packOfPage()];
  const { ok, text } = await stack.preview(program, { zoneId, isPlugin: false, rules: [] }, { policyPacks });
  expect([ok, text]).toEqual([false, expect.stringContaining(`"admin only from the office" ${VIOLATED} ${zoneId}`)]);
});
