import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { cli } from "../cli/support.js";
import { Service } from "../support/emulator.js";
import { pluginProject } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";

/* What exists is imported, and the code that Pulumi writes for it finds nothing to change. */

const phase = "http_request_firewall_custom";
const NAME = "shop.example.com";
const seed: Seed = {
  zones: [
    {
      name: NAME,
      plan: "enterprise",
      certificates: {
        hostnames: [
          { hostname: "a.customer.test", certificateAuthority: "google" },
          { hostname: "b.customer.test", certificateAuthority: "lets_encrypt" },
        ],
        totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
      },
    },
    { name: "old.example.com", plan: "enterprise", previousWaf: { state: "validation" } },
    { name: "empty.example.com" },
  ],
};

/** The end of 2099. */
const ENDS = "http.request.timestamp.sec lt 4102444800";

let emulator: Emulator;
let service: Service;
let project: ProjectStack;
let account: string;
let shop: string;
let old: string;
/** IDs of what exists. */
let custom: string;
let entry: string;
let hostname: string;
let list: string;
beforeEach(async () => {
  emulator = await startEmulator({ seed });
  service = new Service(emulator);
  project = pluginProject(service);
  account = await service.account();
  shop = await service.zoneNamed(NAME);
  old = await service.zoneNamed("old.example.com");
  const rules = [
    { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' },
    { action: "log", expression: "not ssl", description: "No TLS", enabled: false },
    { ref: "sale", action: "block", expression: `ssl and ${ENDS} and hash_in_range(0, 100, cf.random_seed) lt 5` },
  ];
  custom = (await service.create(`accounts/${account}`, { name: "Shared", kind: "custom", phase, rules })).id;
  entry = (await service.create(`zones/${shop}`, { name: "default", kind: "zone", phase, rules })).id;
  const executing = [
    { ref: "all", action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom } },
  ];
  await service.create(`accounts/${account}`, { name: "default", kind: "root", phase, rules: executing });
  const limits = {
    ...{ ref: "limit", action: "block", expression: "true" },
    ratelimit: {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requests_per_period: 100,
      mitigation_timeout: 60,
    },
  };
  await service.create(`zones/${shop}`, { name: "Limits", kind: "zone", phase: "http_ratelimit", rules: [limits] });
  [{ id: hostname }] = await service.ask<[{ id: string }]>("GET", `/zones/${shop}/custom_hostnames`);
  const office = { name: "office", kind: "ip", description: "Offices" };
  list = (await service.ask<{ id: string }>("POST", `/accounts/${account}/rules/lists`, office)).id;
  await service.ask("POST", `/accounts/${account}/rules/lists/${list}/items`, [
    { ip: "192.0.2.0/24" },
    { ip: "198.51.100.7", comment: "Berlin" },
  ]);
  project.write("Pulumi.yaml", "name: imported\nruntime: yaml\n");
  await project.initStack();
});
afterEach(async () => {
  project.close();
  await emulator.close();
});

const everything = async () => ({
  shop: await service.list(`zones/${shop}`),
  account: await service.list(`accounts/${account}`),
  hostnames: await service.ask("GET", `/zones/${shop}/custom_hostnames`),
});
/** The program is what the import wrote; another run changes nothing. */
async function expectUnchanged(file: string, resources: number): Promise<string> {
  const code = project.read(file);
  project.write("Pulumi.yaml", `name: imported\nruntime: yaml\n${code}`);
  const before = await everything();
  await service.forget();
  const up = await project.run("up", "--yes", "--diff");
  expect([code, up.text]).toEqual([code, expect.stringContaining(`${String(resources + 1)} unchanged`)]);
  expect(up.text).not.toMatch(/warning:.*(import|match)/);
  expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(await everything()).toEqual(before);
  return code;
}

const KINDS: readonly (readonly [kind: string, what: string, id: () => string])[] = [
  ["PhaseEntrypoint", "by the zone's name", () => `zones/${NAME}/phases/${phase}`],
  ["PhaseEntrypoint", "of an account", () => `accounts/${account}/phases/${phase}`],
  ["PhaseEntrypoint", "with rate limits", () => `zones/${shop}/phases/http_ratelimit`],
  ["Ruleset", "of an account", () => `accounts/${account}/rulesets/${custom}`],
  ["Ruleset", "in the form of @pulumi/cloudflare", () => `accounts/${account}/${custom}`],
  ["Ruleset", "an entry point by its ID", () => `zones/${NAME}/rulesets/${entry}`],
  ["RulesetRule", "of an entry point, by its ref", () => `zones/${NAME}/phases/${phase}/rules/admin`],
  ["RulesetRule", "of a share of the requests, with an end", () => `zones/${NAME}/phases/${phase}/rules/sale`],
  ["RulesetRule", "of a custom ruleset", () => `accounts/${account}/rulesets/${custom}/rules/admin`],
  ["CustomHostnameCa", "by the zone's name", () => `zones/${NAME}/custom-hostnames/${hostname}/certificate-authority`],
  ["CustomHostnameCertificate", "by the zone's ID", () => `zones/${shop}/custom-hostnames/${hostname}/certificate`],
  ["TotalTlsCa", "by the zone's name", () => `zones/${NAME}/total-tls`],
  ["RulesList", "by its name", () => `accounts/${account}/lists/office`],
  ["RulesList", "of an account", () => `accounts/${account}/lists/${list}`],
  ["ZoneWafMigration", "by the zone's ID", () => `zones/${old}/waf-migration`],
];

test.each(KINDS)("%s %s", async (kind, _what, id) => {
  const imported = await project.run(
    "import",
    `rulesets:index:${kind}`,
    "it",
    id(),
    "--yes",
    "--protect=false",
    "--out",
    "it.yaml",
  );
  expect(imported).toMatchObject({ ok: true });
  expect(imported.text).not.toMatch(/failed to validate|has a problem/);
  await expectUnchanged("it.yaml", 1);
});

test.each([
  ["by its ID", () => `accounts/${account}/lists/${list}`],
  ["by its name", () => `accounts/${account}/lists/office`],
])("the option import takes over a list %s, without a write", async (_how, id) => {
  const properties = {
    ...{ accountId: account, name: "office", kind: "ip", description: "Offices" },
    items: [{ value: "192.0.2.0/24" }, { value: "198.51.100.7", comment: "Berlin" }],
  };
  const declare = (options: object) => {
    const resources = { it: { type: "rulesets:RulesList", properties, options } };
    project.write("Pulumi.yaml", JSON.stringify({ name: "imported", runtime: "yaml", resources }));
  };
  const items = () => service.ask("GET", `/accounts/${account}/rules/lists/${list}/items`);
  const before = await items();
  declare({ import: id() });
  await service.forget();
  const taken = await project.run("up", "--yes", "--skip-preview");
  expect([taken.text, taken.ok]).toEqual([taken.text, true]);
  expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
  declare({});
  await service.forget();
  expect((await project.run("up", "--yes", "--skip-preview")).text).toContain("2 unchanged");
  expect(await service.requests()).toEqual([]);
  expect(await items()).toEqual(before);
});

describe("the option import", () => {
  const own = { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' };
  const tls = { action: "log", expression: "not ssl", description: "No TLS", enabled: false };
  const sale = {
    ...{ ref: "sale", action: "block" },
    expression: `ssl and ${ENDS} and hash_in_range(0, 100, cf.random_seed) lt 5`,
  };
  const declare = (type: string, properties: object, id: string) => {
    const resources = { it: { type: `rulesets:${type}`, properties, options: { import: id } } };
    project.write("Pulumi.yaml", JSON.stringify({ name: "imported", runtime: "yaml", resources }));
  };
  const waf = (more: object) => {
    declare("PhaseEntrypoint", { zoneId: shop, phase, ...more }, `zones/${shop}/phases/${phase}`);
  };
  const items = () => service.ask("GET", `/accounts/${account}/rules/lists/${list}/items`);
  const there = async () => [await everything(), await service.rules(shop, phase), await items()];

  const OTHERS: readonly (readonly [what: string, argument: string, declare: () => void])[] = [
    [
      "rules of others in a shared entry point",
      "rules",
      () => {
        waf({ ownership: "shared", rules: [own] });
      },
    ],
    [
      "rules of an entry point that the program does not have",
      "rules",
      () => {
        waf({ rules: [own] });
      },
    ],
    [
      "another order",
      "rules",
      () => {
        waf({ rules: [tls, own, sale] });
      },
    ],
    [
      "a rule that the program changes",
      "action",
      () => {
        const id = `zones/${shop}/phases/${phase}/rules/admin`;
        declare("RulesetRule", { zoneId: shop, phase, ...own, action: "log" }, id);
      },
    ],
    [
      "items of a list",
      "items",
      () => {
        const id = `accounts/${account}/lists/office`;
        const properties = { accountId: account, name: "office", kind: "ip", description: "Offices" };
        declare("RulesList", { ...properties, items: ["192.0.2.0/24"] }, id);
      },
    ],
    [
      "an authority",
      "certificateAuthority",
      () => {
        declare("TotalTlsCa", { zoneId: shop, certificateAuthority: "google" }, `zones/${shop}/total-tls`);
      },
    ],
    [
      "a migration that the program finishes",
      "mode",
      () => {
        const properties = { zoneId: old, mode: "pending", acknowledgeIrreversible: true };
        declare("ZoneWafMigration", properties, `zones/${old}/waf-migration`);
      },
    ],
  ];
  test.each(OTHERS)("stops before it changes %s", async (_what, argument, declareOther) => {
    declareOther();
    const before = await there();
    await service.forget();
    for (const how of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const run = await project.run(...how);
      expect([run.text, run.ok]).toEqual([
        expect.stringMatching(/declares other values .* No request was sent/),
        false,
      ]);
      expect(/than \S+ has \((.*)\), and/.exec(run.text)?.[1]?.split(", ")).toContain(argument);
    }
    expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(await there()).toEqual(before);
  });

  const SAME: readonly (readonly [what: string, declare: () => void])[] = [
    [
      "the ownership of all rules",
      () => {
        waf({ ownership: "shared", onDelete: "keep", rules: [own, tls, sale] });
      },
    ],
    [
      "a position that the rule has",
      () => {
        const id = `zones/${shop}/phases/${phase}/rules/admin`;
        declare("RulesetRule", { zoneId: shop, phase, ...own, position: { index: 1 } }, id);
      },
    ],
  ];
  test.each(SAME)("writes only the state for %s", async (_what, declareSame) => {
    declareSame();
    const before = await there();
    await service.forget();
    expect(await project.run("up", "--yes")).toMatchObject({ ok: true });
    expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(await there()).toEqual(before);
    expect((await project.run("up", "--yes", "--skip-preview")).text).toContain("2 unchanged");
  });

  test("does not call itself a refresh where the program has a mistake", async () => {
    waf({ rules: [{ ...own, action: "blok" }] });
    const preview = await project.run("preview");
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain("blok");
    expect(preview.text).not.toContain("the refresh succeeded");
  });
});

test("a ruleset's ID alone is refused with the form to write", async () => {
  const bare = await project.run("import", "rulesets:index:Ruleset", "it", custom, "--yes", "--out", "it.yaml");
  expect(bare.ok).toBe(false);
  expect(bare.text).toContain("rulesets/");
});

test("generate --import-file lists a whole account for pulumi import, and its program changes nothing", async () => {
  const file = `${project.folder}/all.json`;
  const env = { RULESETS_API_TOKEN: project.variables.RULESETS_API_TOKEN, RULESETS_BASE_URL: emulator.url };
  const made = await cli(
    ["generate", "--account", account, "--all-zones", "--import-file", file],
    env as Record<string, string>,
  );
  expect(made.stderr).toContain("8 resources in");
  const imported = await project.run("import", "--file", file, "--yes", "--protect=false", "--out", "all.yaml");
  expect(imported).toMatchObject({ ok: true });
  const code = await expectUnchanged("all.yaml", 8);
  expect(code).not.toMatch(/enabled: true|onExisting|ownership/);
});
