import type { Emulator, Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { pluginProject } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

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
let limits: string;
let hostname: string;
let list: string;
beforeEach(async () => {
  emulator = await emulatorWith({ seed });
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
  await service.create(`zones/${shop}`, { name: "default", kind: "zone", phase, rules });
  const executing = [
    { ref: "all", action: "execute", expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: custom } },
  ];
  await service.create(`accounts/${account}`, { name: "default", kind: "root", phase, rules: executing });
  const limit = {
    ...{ ref: "limit", action: "block", expression: "true" },
    ratelimit: {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requests_per_period: 100,
      mitigation_timeout: 60,
    },
  };
  const limiting = { name: "Limits", kind: "zone", phase: "http_ratelimit", rules: [limit] };
  limits = (await service.create(`zones/${shop}`, limiting)).id;
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
  const up = await project.run("up", "--yes", "--skip-preview", "--diff");
  expect([code, up.text]).toEqual([code, expect.stringContaining(`${String(resources + 1)} unchanged`)]);
  expect(up.text).not.toMatch(/warning:.*(import|match)/);
  expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(await everything()).toEqual(before);
  return code;
}

test("every kind is imported by the forms of its ID, and the program that Pulumi writes changes nothing", async () => {
  const resources = {
    account: ["PhaseEntrypoint", `accounts/${account}/phases/${phase}`],
    limits: ["Ruleset", `zones/${NAME}/rulesets/${limits}`],
    custom: ["Ruleset", `accounts/${account}/${custom}`],
    admin: ["RulesetRule", `zones/${NAME}/phases/${phase}/rules/admin`],
    sale: ["RulesetRule", `zones/${NAME}/phases/${phase}/rules/sale`],
    authority: ["CustomHostnameCa", `zones/${NAME}/custom-hostnames/${hostname}/certificate-authority`],
    certificate: ["CustomHostnameCertificate", `zones/${shop}/custom-hostnames/${hostname}/certificate`],
    tls: ["TotalTlsCa", `zones/${NAME}/total-tls`],
    list: ["RulesList", `accounts/${account}/lists/office`],
    migration: ["ZoneWafMigration", `zones/${old}/waf-migration`],
  };
  const entries = Object.entries(resources).map(([name, [kind, id]]) => ({
    type: `rulesets:index:${kind ?? ""}`,
    name,
    id,
  }));
  project.write("forms.json", JSON.stringify({ resources: entries }));
  const imported = await project.run("import", "--file", "forms.json", "--yes", "--protect=false", "--out", "it.yaml");
  expect(imported).toMatchObject({ ok: true });
  expect(imported.text).not.toMatch(/failed to validate|has a problem/);
  await expectUnchanged("it.yaml", entries.length);
});

describe("the option import", () => {
  const own = { ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' };
  const tls = { action: "log", expression: "not ssl", description: "No TLS", enabled: false };
  const sale = {
    ...{ ref: "sale", action: "block" },
    expression: `ssl and ${ENDS} and hash_in_range(0, 100, cf.random_seed) lt 5`,
  };
  const declare = (resources: Readonly<Record<string, object>>) => {
    project.write("Pulumi.yaml", JSON.stringify({ name: "imported", runtime: "yaml", resources }));
  };
  const waf = (rules: readonly object[], more: object = {}) => ({
    type: "rulesets:PhaseEntrypoint",
    properties: { zoneId: shop, phase, rules, ...more },
    options: { import: `zones/${shop}/phases/${phase}` },
  });
  const office = (items: readonly object[], options: object = { import: `accounts/${account}/lists/office` }) => ({
    type: "rulesets:RulesList",
    properties: { accountId: account, name: "office", kind: "ip", description: "Offices", items },
    options,
  });
  const ITEMS = [{ value: "192.0.2.0/24" }, { value: "198.51.100.7", comment: "Berlin" }];
  const items = () => service.ask("GET", `/accounts/${account}/rules/lists/${list}/items`);
  const there = async () => [await everything(), await service.rules(shop, phase), await items()];

  test("takes over what is equal without a write, and the next run finds it unchanged", async () => {
    const before = await there();
    const shared = { ownership: "shared", onDelete: "keep" };
    declare({ waf: waf([own, tls, sale], shared), office: office(ITEMS) });
    await service.forget();
    const taken = await project.run("up", "--yes", "--skip-preview");
    expect([taken.text, taken.ok]).toEqual([taken.text, true]);
    expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
    declare({ waf: { ...waf([own, tls, sale], shared), options: {} }, office: office(ITEMS, {}) });
    await service.forget();
    expect((await project.run("up", "--yes", "--skip-preview")).text).toContain("3 unchanged");
    expect(await service.requests()).toEqual([]);
    expect(await there()).toEqual(before);
  });

  test("stops before it changes rules of others in a shared entry point", async () => {
    declare({ it: waf([own], { ownership: "shared" }) });
    const before = await there();
    await service.forget();
    const run = await project.run("up", "--yes", "--skip-preview");
    expect([run.text, run.ok]).toEqual([expect.stringMatching(/declares other values .* No request was sent/), false]);
    expect(/than \S+ has \((.*)\), and/.exec(run.text)?.[1]?.split(", ")).toContain("rules");
    expect((await service.requests()).filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(await there()).toEqual(before);
  });
});

test("a ruleset's ID alone is refused with the form to write", async () => {
  const bare = await project.run("import", "rulesets:index:Ruleset", "it", custom, "--yes", "--out", "it.yaml");
  expect(bare.ok).toBe(false);
  expect(bare.text).toContain("rulesets/");
});
