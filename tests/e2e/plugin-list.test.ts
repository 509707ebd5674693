import { startEmulator, type Emulator, type Seed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { pluginProject, plugin } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";

/* The engine asks the plugin what exists: `pulumi do … list`. */

const seed: Seed = {
  zones: [
    {
      name: "shop.example.com",
      certificates: {
        hostnames: [{ hostname: "a.customer.test", certificateAuthority: "google" }],
        totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
      },
    },
    { name: "old.example.com", plan: "enterprise", previousWaf: { state: "validation" } },
  ],
};
const phase = "http_request_firewall_custom";

let emulator: Emulator;
let service: Service;
let project: ProjectStack;
let account: string;
let shop: string;
let old: string;
beforeEach(async () => {
  emulator = await startEmulator({ seed });
  service = new Service(emulator);
  project = pluginProject(service);
  account = await service.account();
  shop = await service.zoneNamed("shop.example.com");
  old = await service.zoneNamed("old.example.com");
});
afterEach(async () => {
  project.close();
  await emulator.close();
});

const list = async (kind: string, ...options: string[]) => {
  const { ok, text } = await project.run("do", "--package", plugin, `rulesets:index:${kind}`, "list", ...options);
  return { ok, text };
};
const ids = (text: string): string[] => text.match(/(?:zones|accounts)\/[0-9a-f]{32}\/[^\s"|]+/g) ?? [];

test("every kind lists what exists, in zones and accounts, by the IDs to import it by", async () => {
  const rules = [{ ref: "a", action: "block", expression: "ssl", description: "No TLS" }];
  const entry = await service.create(`zones/${shop}`, { name: "default", kind: "zone", phase, rules });
  const custom = await service.create(`accounts/${account}`, { name: "Shared", kind: "custom", phase, rules });
  await service.create(`accounts/${account}`, { name: "default", kind: "root", phase, rules: [] });
  const office = { name: "office", kind: "ip" };
  const offices = await service.ask<{ id: string }>("POST", `/accounts/${account}/rules/lists`, office);
  const [hostname] = await service.ask<{ id: string }[]>("GET", `/zones/${shop}/custom_hostnames`);
  const expected = {
    PhaseEntrypoint: [`accounts/${account}/phases/${phase}`, `zones/${shop}/phases/${phase}`],
    Ruleset: [`accounts/${account}/rulesets/${custom.id}`, `zones/${shop}/rulesets/${entry.id}`],
    RulesetRule: [`accounts/${account}/rulesets/${custom.id}/rules/a`, `zones/${shop}/phases/${phase}/rules/a`],
    CustomHostnameCa: [`zones/${shop}/custom-hostnames/${hostname?.id ?? ""}/certificate-authority`],
    CustomHostnameCertificate: [`zones/${shop}/custom-hostnames/${hostname?.id ?? ""}/certificate`],
    RulesList: [`accounts/${account}/lists/${offices.id}`],
    TotalTlsCa: [`zones/${shop}/total-tls`],
    ZoneWafMigration: [`zones/${old}/waf-migration`],
  };
  for (const [kind, all] of Object.entries(expected)) {
    const { ok, text } = await list(kind, "--all");
    expect([kind, ok, ids(text)]).toEqual([kind, true, expect.arrayContaining(all)]);
  }
});

test("a zone, by its name, or an account limits the list, and so does a number", async () => {
  for (const zone of [shop, old])
    await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase, rules: [] });
  await service.create(`accounts/${account}`, { name: "default", kind: "root", phase, rules: [] });
  expect(ids((await list("PhaseEntrypoint", "--zone-id", "shop.example.com")).text)).toEqual([
    `zones/${shop}/phases/${phase}`,
  ]);
  expect(ids((await list("PhaseEntrypoint", "--account-id", account)).text)).toHaveLength(3);
  expect(ids((await list("PhaseEntrypoint", "--count", "2")).text)).toHaveLength(2);
  const both = await list("PhaseEntrypoint", "--zone-id", shop, "--account-id", account);
  expect([both.ok, both.text]).toEqual([false, expect.stringContaining("zoneId or accountId, not both")]);
});

test("a list that is not complete fails, and names what could not be read", async () => {
  await service.create(`zones/${shop}`, { name: "default", kind: "zone", phase, rules: [] });
  await service.fault({ method: "GET", path: `/zones/${old}/rulesets`, status: 403 });
  const { ok, text } = await list("PhaseEntrypoint");
  expect(ok).toBe(false);
  expect(text).toContain("zone old.example.com:");
});
