import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, delimiter, join } from "node:path";
import { symlinkSync, writeFileSync } from "node:fs";
import * as library from "../../provider/index.js";
import { root } from "../cli/support.js";
import { TOKEN } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const lookups = Object.keys(library).filter((name) => /^(get|list|diff|effective)/.test(name));

/** Arguments with which each lookup makes a request. */
const argumentsOf = (lookup: string): string => {
  const phase = 'zoneId: ZONE, phase: "http_ratelimit"';
  const name = lookup.replace(/Output$/, "");
  if (name === "getZone") return '{ name: "a.example.com" }';
  if (name === "listZones") return "{}";
  if (name === "getEntrypoint" || name === "listRulesetVersions") return `{ ${phase} }`;
  if (name === "getRulesetVersion") return `{ ${phase}, version: "1" }`;
  if (name === "diffRulesetVersions") return `{ ${phase}, from: "1", to: "2" }`;
  if (name === "getManagedRuleset") return '{ zoneId: ZONE, name: "Cloudflare Managed Ruleset" }';
  if (name === "listManagedRules") return '{ zoneId: ZONE, ruleset: "Cloudflare Managed Ruleset" }';
  if (name === "effectiveRules") return "{ zoneId: ZONE, rule: lib.owasp({ paranoiaLevel: 2 }) }";
  return "{ zoneId: ZONE }";
};

/** One failure per line, each of which nobody catches. */
const failures = [
  ...lookups.map((name) => `void lib.${name}(${argumentsOf(name)} as any)`),
  ...lookups.map((name) => `void lib.${name}({ nme: "a" } as any)`),
  "lib.getZoneOutput({ name }).apply((zone) => zone.id).apply((id) => id.length)",
  "pulumi.interpolate`${pulumi.all([lib.getZoneOutput({ name }), 1]).apply(([zone]) => zone.id)}`",
  'new lib.PhaseEntrypoint("a", { zoneId: lib.getZoneOutput({ name }).id, phase: "http_ratelimit", rules: [] })',
  'new lib.PhaseEntrypoint("b", { zoneId: ZONE, phase: "http_ratelimit", rules: lib.listRulesets({ zoneId: ZONE }) as any })',
  'new lib.Provider("c", { apiToken: lib.getZoneOutput({ name }).id })',
  'new pulumi.StackReference("d", { name: lib.getZoneOutput({ name }).id })',
  'new Component("e")',
  'later(() => new lib.PhaseEntrypoint("f", undefined as any))',
  'later(() => new lib.Ruleset("g", { rulesetId: "x" } as any, { import: "x" }))',
  'later(() => new lib.TotalTlsCa("h", { __x: 1 } as any))',
  'later(() => new lib.Provider("i", { apiTokn: "x" } as any))',
  'later(() => lib.PhaseEntrypoint.get("j", ""))',
  'later(() => lib.expression`ip.src in ${["x y"]}`)',
  'lib.expression`ip.src in ${pulumi.output(["x y"])}`',
  'lib.and(pulumi.output(""))',
];
const program = `
import * as pulumi from "@pulumi/pulumi";
import * as lib from "pulumi-rulesets";
const ZONE = "${ZONE}";
const name = "a.example.com";
const later = (make: () => unknown) => pulumi.output(1).apply(() => { make(); });
class Component extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:index:Component", name);
    this.registerOutputs({ zone: lib.getZoneOutput({ name: "a.example.com" }) });
  }
}
console.log(process.version);
${failures.map((line) => `${line};`).join("\n")}
`;

/** The folder of Node 24, which npm installs into its own cache. */
const node24 = (): string => {
  const args = ["--yes", "--package=node@24", "--", "node", "--print", "process.execPath"];
  return dirname(execFileSync("npx", args, { cwd: tmpdir(), encoding: "utf8" }).trim());
};

/** Limits the memory: when an error had frames of the SDK, Node 22 needed minutes and gigabytes to print it. */
const LIMIT = "--max-old-space-size=400";

const unreachable = "ApiError: GET /zones: no response (connect ECONNREFUSED 127.0.0.1:9)";
const withoutToken = "RulesetsError: no credentials: ";

test.each([
  ["Node 22 with source maps", "v22.", () => ({ NODE_OPTIONS: `${LIMIT} --enable-source-maps` }), unreachable],
  [
    "Node 24",
    "v24.",
    () => ({ NODE_OPTIONS: LIMIT, PATH: [node24(), process.env.PATH].join(delimiter) }),
    withoutToken,
  ],
])(
  "failures that nobody catches are printed with lines of the program only, in %s",
  async (_, version, env, failure) => {
    const project = new ProjectStack(env());
    project.checksTypes = false;
    writeFileSync(join(project.folder, "Pulumi.yaml"), "name: failing\nruntime: nodejs\n");
    writeFileSync(join(project.folder, "package.json"), '{ "main": "index.ts" }');
    writeFileSync(join(project.folder, "index.ts"), program);
    symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
    await project.initStack();
    await project.mustRun("config", "set", "rulesets:maxRetries", "0");
    const token = failure === unreachable ? TOKEN : "";
    const service = { RULESETS_BASE_URL: "http://127.0.0.1:9/client/v4", RULESETS_API_TOKEN: token };
    const { ok, text } = await project.runWith(service, "preview");
    expect([ok, text]).toEqual([false, expect.stringMatching(new RegExp(`${version}[^]*Resources:`))]);
    // The colours are those of util.inspect.
    const lines = text.replace(/\x1b\[\d+m/g, "").split("\n");
    const frames = lines.filter((line) => /^ +at .*:\d+/.test(line));
    expect(frames.length).toBeGreaterThan(lookups.length / 2);
    expect(frames.filter((line) => !/index\.ts:\d+:\d+\)?( \{)?$/.test(line))).toEqual([]);
    for (const name of lookups.filter((one) => !one.endsWith("Output")))
      expect([name, text.split(`RulesetsError: ${name}: `).length - 1]).toEqual([name, 2]);
    // Lookups that ask the same question share one failure.
    expect(text.split(failure).length).toBeGreaterThan(failure === unreachable ? 1 : lookups.length / 2);
  },
);
