/* oxlint-disable typescript/no-deprecated -- the previous APIs are what this drives */
import Cloudflare from "cloudflare";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { all, idOf } from "../support/cloudflare-sdk.js";

const CORE = "a25a9a7e9c00afc1fb2e0245519d725b";

describe("Cloudflare's own SDK handles", () => {
  let emulator: Emulator;
  let sdk: Cloudflare;
  let zone_id: string;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: "a.example.com", previousWaf: {} }] } });
    zone_id = await new Service(emulator).zone();
    sdk = new Cloudflare({ baseURL: emulator.url, maxRetries: 0, apiToken: TOKEN });
  });
  afterAll(() => emulator.close());

  test("the previous WAF, filters, firewall rules and page rules", async () => {
    expect(await all(sdk.firewall.waf.packages.list({ zone_id }))).toHaveLength(2);
    expect(await sdk.firewall.waf.packages.get(CORE, { zone_id })).toBeDefined();
    const [group] = await all(sdk.firewall.waf.packages.groups.list(CORE, { zone_id, mode: "on" }));
    await sdk.firewall.waf.packages.groups.edit(idOf(group), { zone_id, package_id: CORE, mode: "off" });
    expect(await sdk.firewall.waf.packages.groups.get(idOf(group), { zone_id, package_id: CORE })).toMatchObject({
      mode: "off",
    });
    expect(await all(sdk.firewall.waf.packages.groups.list(CORE, { zone_id, mode: "off" }))).toHaveLength(1);
    const [rule] = await all(sdk.firewall.waf.packages.rules.list(CORE, { zone_id, group_id: idOf(group) }));
    const edit = sdk.firewall.waf.packages.rules.edit(idOf(rule), { zone_id, package_id: CORE, mode: "block" });
    await expect(edit).rejects.toMatchObject({ status: 400 });
    expect(await sdk.firewall.waf.packages.rules.get(idOf(rule), { zone_id, package_id: CORE })).toMatchObject({
      mode: "on",
    });

    const [filter] = await all(
      sdk.filters.create({
        zone_id,
        body: [{ expression: "ip.src eq 192.0.2.9", ref: "f", description: "an office" }],
      }),
    );
    expect(await all(sdk.filters.list({ zone_id, expression: "192.0.2.9", description: "office" }))).toHaveLength(1);
    expect(await sdk.filters.get(idOf(filter), { zone_id })).toMatchObject({ ref: "f" });
    const [made] = await all(
      sdk.firewall.rules.create({ zone_id, filter: { id: idOf(filter) } as never, action: { mode: "simulate" } }),
    );
    expect(made).toMatchObject({ action: "log", filter: { ref: "f" } });
    expect(await all(sdk.firewall.rules.list({ zone_id, action: "log" }))).toHaveLength(1);
    expect(await all(sdk.firewall.rules.list({ zone_id, action: "block" }))).toHaveLength(0);
    await expect(sdk.filters.delete(idOf(filter), { zone_id })).rejects.toMatchObject({ status: 400 });
    await sdk.firewall.rules.delete(idOf(made), { zone_id });
    await sdk.filters.delete(idOf(filter), { zone_id });

    const page = await sdk.pageRules.create({
      zone_id,
      targets: [{ target: "url", constraint: { operator: "matches", value: "a.example.com/*" } }],
      actions: [{ id: "waf", value: "off" } as never],
    });
    await sdk.pageRules.edit(idOf(page), { zone_id, status: "active" });
    expect(await sdk.pageRules.list({ zone_id, status: "active" })).toHaveLength(1);
    expect(await sdk.pageRules.list({ zone_id, status: "disabled" })).toHaveLength(0);
    await sdk.pageRules.delete(idOf(page), { zone_id });
  });
});
