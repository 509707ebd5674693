import type { Emulator } from "../../../emulator/index.js";
import { Plugin } from "../../../provider/border/grpc/plugin.js";
import { ProviderProcess } from "../../../provider/border/dynamic/process.js";
import { Service, TOKEN } from "../../support/emulator.js";
import { freshEmulator } from "../../support/emulators.js";

/* What the engine asks the plugin for in `pulumi do … list`. */

const phase = "http_request_firewall_custom";

let emulator: Emulator;
let service: Service;
let account: string;
let shop: string;
let old: string;
beforeEach(async () => {
  emulator = await freshEmulator({
    seed: {
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
    },
  });
  service = new Service(emulator);
  account = await service.account();
  shop = await service.zoneNamed("shop.example.com");
  old = await service.zoneNamed("old.example.com");
});

const list = async (kind: string, query: object = {}): Promise<string[]> => {
  const plugin = new Plugin(
    new ProviderProcess({ RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN }, undefined),
  );
  const ids: string[] = [];
  for await (const { id } of plugin.list(`rulesets:index:${kind}`, { ...query })) ids.push(id);
  return ids;
};

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
  for (const [kind, all] of Object.entries(expected))
    expect([kind, await list(kind)]).toEqual([kind, expect.arrayContaining(all)]);
});

test("a zone, by its name, or an account limits the list, and both are refused", async () => {
  for (const zone of [shop, old])
    await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase, rules: [] });
  await service.create(`accounts/${account}`, { name: "default", kind: "root", phase, rules: [] });
  expect(await list("PhaseEntrypoint", { zoneId: "shop.example.com" })).toEqual([`zones/${shop}/phases/${phase}`]);
  expect(await list("PhaseEntrypoint", { accountId: account })).toHaveLength(3);
  await expect(list("PhaseEntrypoint", { zoneId: shop, accountId: account })).rejects.toThrow(
    "zoneId or accountId, not both",
  );
});
