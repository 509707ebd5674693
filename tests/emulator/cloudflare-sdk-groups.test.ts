import { readFileSync } from "node:fs";
import { join } from "node:path";
import Cloudflare from "cloudflare";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { all, idOf } from "../support/cloudflare-sdk.js";

const file = (name: string): string => readFileSync(join(__dirname, "..", "support", "files", name), "utf8");

describe("Cloudflare's own SDK handles", () => {
  let emulator: Emulator;
  let service: Service;
  let sdk: Cloudflare;
  let zone_id: string;
  let account_id: string;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: "a.example.com" }] } });
    service = new Service(emulator);
    zone_id = await service.zone();
    account_id = await service.account();
    sdk = new Cloudflare({ baseURL: emulator.url, maxRetries: 0, apiToken: TOKEN });
  });
  afterAll(() => emulator.close());

  test("zones, their plans and related resources", async () => {
    const created = await sdk.zones.create({ name: "New.Example.org", account: { id: account_id }, type: "full" });
    expect(created).toMatchObject({ name: "new.example.org", status: "pending", plan: { legacy_id: "free" } });
    const zone = { zone_id: created.id };
    await sdk.zones.activationCheck.trigger(zone);
    await sdk.zones.subscriptions.update({ ...zone, rate_plan: { id: "business" } });
    expect(await sdk.zones.subscriptions.get(zone)).toMatchObject({ rate_plan: { id: "business" } });
    expect(await sdk.zones.edit({ ...zone, paused: true })).toMatchObject({
      paused: true,
      status: "active",
      plan: { legacy_id: "business" },
    });
    expect(await all(sdk.zones.list({ name: "contains:example.org" }))).toMatchObject([{ id: created.id }]);
    expect(await all(sdk.zones.list({ name: "starts_with:a.", order: "name", direction: "desc" }))).toHaveLength(1);
    const body = { name: "default", rules: [{ action: "block", expression: "ssl" } as const] };
    await sdk.rulesets.phases.update("http_request_firewall_custom", { ...zone, ...body });
    await sdk.zones.delete(zone);
    await expect(sdk.zones.get(zone)).rejects.toMatchObject({ status: 403 });
    await expect(sdk.zones.create({ name: "a.example.com", account: { id: account_id } })).rejects.toMatchObject({
      status: 400,
    });
    await expect(sdk.zones.create({ name: "nowhere", account: { id: account_id } })).rejects.toMatchObject({
      status: 400,
    });
    // The content of the zone is deleted with it.
    const again = await sdk.zones.create({ name: "new.example.org", account: { id: account_id } });
    const left = (await all(sdk.rulesets.list({ zone_id: again.id }))) as { kind: string }[];
    expect(left.filter(({ kind }) => kind === "zone")).toEqual([]);
    await sdk.zones.delete({ zone_id: again.id });
  });

  test("accounts and tokens", async () => {
    expect(await all(sdk.accounts.list())).toMatchObject([{ id: account_id }]);
    await sdk.accounts.update({ account_id, id: account_id, name: "Another Ltd", type: "standard" });
    expect(await sdk.accounts.get({ account_id })).toMatchObject({ name: "Another Ltd" });
    expect(await sdk.zones.get({ zone_id })).toMatchObject({ account: { name: "Another Ltd" } });
    expect(await sdk.user.tokens.verify()).toMatchObject({ status: "active" });
    expect(JSON.stringify(await sdk.user.tokens.verify())).not.toContain(TOKEN);
    const keyed = new Cloudflare({
      baseURL: emulator.url,
      maxRetries: 0,
      apiToken: null,
      apiEmail: "a@example.com",
      apiKey: "key-0123456789",
    });
    await expect(keyed.user.tokens.verify()).rejects.toMatchObject({ status: 401 });
  });

  test("settings of a zone", async () => {
    expect(await sdk.zones.settings.get("ssl", { zone_id })).toMatchObject({
      id: "ssl",
      value: "full",
      editable: true,
    });
    await sdk.zones.settings.edit("ssl", { zone_id, value: "strict" });
    expect(await sdk.zones.settings.get("ssl", { zone_id })).toMatchObject({ value: "strict" });
    await expect(sdk.zones.settings.edit("ssl", { zone_id, value: "loose" })).rejects.toMatchObject({
      status: 400,
    });
    await expect(sdk.zones.settings.get("nothing", { zone_id })).rejects.toMatchObject({ status: 400 });
    expect(await service.ask<object[]>("GET", `/zones/${zone_id}/settings`)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: "ssl", value: "strict" })]),
    );
    const items = [
      { id: "min_tls_version", value: "1.2" },
      { id: "http3", value: "off" },
    ];
    expect(await service.ask("PATCH", `/zones/${zone_id}/settings`, { items })).toMatchObject(items);
  });

  test("DNS records", async () => {
    const created = await sdk.dns.records.create({
      zone_id,
      type: "A",
      name: "www",
      content: "192.0.2.1",
      ttl: 1,
      proxied: true,
    });
    expect(created).toMatchObject({ name: "www.a.example.com", proxied: true, proxiable: true, ttl: 1 });
    await sdk.dns.records.create({
      zone_id,
      type: "MX",
      name: "@",
      content: "mail.example.org",
      priority: 10,
      ttl: 300,
    });
    const caa = { flags: 0, tag: "issue", value: "pki.goog" };
    expect(
      await sdk.dns.records.create({ zone_id, type: "CAA", name: "a.example.com", ttl: 1, data: caa }),
    ).toMatchObject({ content: '0 issue "pki.goog"' });
    expect(
      await sdk.dns.records.edit(idOf(created), { zone_id, type: "A", name: "www", ttl: 1, content: "192.0.2.2" }),
    ).toMatchObject({ content: "192.0.2.2", proxied: true });
    expect(
      await sdk.dns.records.update(idOf(created), { zone_id, type: "A", name: "www", ttl: 120, content: "192.0.2.3" }),
    ).toMatchObject({ proxied: false, ttl: 120 });
    expect(await all(sdk.dns.records.list({ zone_id, type: "A", name: { contains: "www" } }))).toHaveLength(1);
    expect(await all(sdk.dns.records.list({ zone_id, content: { startswith: "mail" } }))).toHaveLength(1);
    const refused: [object, number][] = [
      [{ type: "A", name: "x", content: "x" }, 9005],
      [{ type: "AAAA", name: "x", content: "192.0.2.1" }, 9006],
      [{ type: "A", name: "www", content: "192.0.2.3" }, 81058],
      [{ type: "CNAME", name: "www", content: "a.test" }, 81053],
      [{ type: "TXT", name: "x", content: "x", proxied: true }, 9004],
      [{ type: "A", name: "x", content: "192.0.2.1", ttl: 5 }, 1004],
    ];
    for (const [body, code] of refused)
      await expect(
        sdk.dns.records.create({ zone_id, ttl: 1, ...body } as Parameters<typeof sdk.dns.records.create>[0]),
      ).rejects.toMatchObject({ status: 400, errors: [{ code }] });
    const batch = await sdk.dns.records.batch({
      zone_id,
      deletes: [{ id: idOf(created) }],
      posts: [{ type: "CNAME", name: "www", content: "a.test", ttl: 1 }],
    });
    expect(batch).toMatchObject({ deletes: [{ id: idOf(created) }], posts: [{ type: "CNAME" }] });
    // A batch that fails halfway changes nothing.
    const [cname] = await all(sdk.dns.records.list({ zone_id, type: "CNAME" }));
    const half = {
      zone_id,
      deletes: [{ id: idOf(cname) }],
      posts: [{ type: "A" as const, name: "x", content: "x", ttl: 1 }],
    };
    await expect(sdk.dns.records.batch(half)).rejects.toMatchObject({ status: 400 });
    expect(await sdk.dns.records.get(idOf(cname), { zone_id })).toMatchObject({ type: "CNAME" });
    await sdk.dns.records.delete(idOf(cname), { zone_id });
    await expect(sdk.dns.records.get(idOf(cname), { zone_id })).rejects.toMatchObject({ status: 404 });
  });

  test("lists with their items, which rules refer to", async () => {
    const created = await sdk.rules.lists.create({
      account_id,
      name: "office",
      kind: "ip",
      description: "Where we sit",
    });
    const put = async (name: string) =>
      sdk.rulesets.phases.update("http_request_firewall_custom", {
        zone_id,
        rules: [{ action: "block", expression: `ip.src in $${name}` }],
      });
    await put("office");
    await put("cf.malware");
    await put("office");
    await expect(put("home")).rejects.toMatchObject({ status: 400, errors: [{ code: 20127 }] });
    expect(await sdk.rules.lists.get(created.id, { account_id })).toMatchObject({
      num_items: 0,
      num_referencing_filters: 1,
    });
    await expect(sdk.rules.lists.delete(created.id, { account_id })).rejects.toMatchObject({ status: 400 });

    await service.ask("POST", `/accounts/${account_id}/rules/lists/${created.id}/items`, [{ ip: "192.0.2.1" }]);
    const control = emulator.url.replace("/client/v4", `/__emulator/accounts/${account_id}/lists`);
    await fetch(control, { method: "POST", body: JSON.stringify({ pace: { reads: 1 } }) });
    const body = [{ ip: "198.51.100.0/24", comment: "branch" }, { ip: "2001:DB8::1" }, { ip: "192.0.2.1" }];
    const { operation_id } = await sdk.rules.lists.items.create(created.id, { account_id, body });
    const items = () => all(sdk.rules.lists.items.list(created.id, { account_id }));
    expect(await items()).toHaveLength(1);
    await expect(sdk.rules.lists.items.create(created.id, { account_id, body })).rejects.toMatchObject({ status: 400 });
    for (const status of ["pending", "running"])
      expect(await sdk.rules.lists.bulkOperations.get(operation_id, { account_id })).toMatchObject({ status });
    expect(await sdk.rules.lists.bulkOperations.get(operation_id, { account_id })).toMatchObject({
      status: "completed",
    });
    expect(await items()).toMatchObject([
      { ip: "192.0.2.1" },
      { ip: "198.51.100.0/24", comment: "branch" },
      { ip: "2001:db8::1" },
    ]);
    await fetch(control, { method: "POST", body: JSON.stringify({ pace: "at-once" }) });
    expect(await all(sdk.rules.lists.items.list(created.id, { account_id, search: "198.51" }))).toHaveLength(1);
    const [first] = await items();
    expect(await sdk.rules.lists.items.get(idOf(first), { account_id, list_id: created.id })).toMatchObject({
      ip: "192.0.2.1",
    });
    await sdk.rules.lists.items.delete(created.id, { account_id, items: [{ id: idOf(first) }] });
    expect(await items()).toHaveLength(2);
    const many = Array.from({ length: 600 }, (_, index) => ({
      ip: `10.0.${String(index >> 8)}.${String(index & 255)}`,
    }));
    await sdk.rules.lists.items.update(created.id, { account_id, body: many });
    // The SDK expects the cursor of the next page elsewhere than the API description.
    expect(await sdk.rules.lists.get(created.id, { account_id })).toMatchObject({ num_items: 600 });
    await expect(
      sdk.rules.lists.items.create(created.id, { account_id, body: [{ ip: "10.0.0.300" }] }),
    ).rejects.toMatchObject({ status: 400 });
    await expect(sdk.rules.lists.create({ account_id, name: "office", kind: "ip" })).rejects.toMatchObject({
      status: 400,
    });
    await expect(sdk.rules.lists.create({ account_id, name: "Not this", kind: "ip" })).rejects.toMatchObject({
      status: 400,
    });
    await sdk.rulesets.phases.update("http_request_firewall_custom", { zone_id, rules: [] });
    await sdk.rules.lists.delete(created.id, { account_id });
    expect(await all(sdk.rules.lists.list({ account_id }))).toEqual([]);
  });

  test("lists of other kinds", async () => {
    const kinds = {
      asn: { asn: 64500 },
      hostname: { hostname: { url_hostname: "a.example.com" } },
      redirect: {
        redirect: { source_url: "example.com/a", target_url: "https://example.com/b", status_code: 301 as const },
      },
    };
    for (const [kind, item] of Object.entries(kinds)) {
      const created = await sdk.rules.lists.create({ account_id, name: `l_${kind}`, kind: kind as "asn" });
      await sdk.rules.lists.items.create(created.id, { account_id, body: [item] });
      expect(await all(sdk.rules.lists.items.list(created.id, { account_id }))).toMatchObject([item]);
      const wrong = kind === "asn" ? { ip: "192.0.2.1" } : { asn: 1 };
      await expect(sdk.rules.lists.items.create(created.id, { account_id, body: [wrong] })).rejects.toMatchObject({
        status: 400,
      });
      expect(await sdk.rules.lists.update(created.id, { account_id, description: "x" })).toMatchObject({
        description: "x",
      });
    }
    await expect(
      sdk.rulesets.phases.update("http_request_firewall_custom", {
        zone_id,
        rules: [{ action: "block", expression: "http.host in $l_redirect" }],
      }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test("custom hostnames, packs, uploaded certificates and settings", async () => {
    const hostname = await sdk.customHostnames.create({
      zone_id,
      hostname: "a.customer.test",
      ssl: { method: "txt", type: "dv" },
    });
    await sdk.customHostnames.edit(hostname.id, {
      zone_id,
      ssl: { method: "http", type: "dv", certificate_authority: "google" },
    });
    expect(await sdk.customHostnames.get(hostname.id, { zone_id })).toMatchObject({
      ssl: { certificate_authority: "google" },
    });
    expect(await all(sdk.customHostnames.list({ zone_id, per_page: 1000 }))).toHaveLength(1);
    expect(await sdk.customHostnames.quota.get({ zone_id })).toMatchObject({ used: 1, exceeded: false });
    await sdk.customHostnames.delete(hostname.id, { zone_id });
    await sdk.customHostnames.fallbackOrigin.update({ zone_id, origin: "origin.a.example.com" });
    await sdk.customHostnames.fallbackOrigin.get({ zone_id });
    await sdk.customHostnames.fallbackOrigin.delete({ zone_id });

    const pack = await sdk.ssl.certificatePacks.create({
      zone_id,
      type: "advanced",
      hosts: ["a.example.com"],
      validation_method: "txt",
      validity_days: 90,
      certificate_authority: "google",
    });
    await sdk.ssl.certificatePacks.edit(idOf(pack), { zone_id, cloudflare_branding: true });
    expect(await sdk.ssl.certificatePacks.get(idOf(pack), { zone_id })).toMatchObject({
      status: "active",
      cloudflare_branding: true,
    });
    expect(await sdk.ssl.certificatePacks.quota.get({ zone_id })).toMatchObject({ advanced: { used: 1 } });
    expect(await all(sdk.ssl.certificatePacks.list({ zone_id, status: "all" }))).toHaveLength(2);
    expect(await sdk.ssl.verification.get({ zone_id })).toHaveLength(2);
    await sdk.ssl.verification.edit(idOf(pack), { zone_id, validation_method: "http" });
    await sdk.ssl.certificatePacks.delete(idOf(pack), { zone_id });
    await sdk.ssl.universal.settings.edit({ zone_id, enabled: false });
    expect(await sdk.ssl.universal.settings.get({ zone_id })).toEqual({ enabled: false });
    await sdk.acm.totalTLS.update({ zone_id, enabled: true, certificate_authority: "ssl_com" });
    expect(await sdk.acm.totalTLS.get({ zone_id })).toMatchObject({ enabled: true, certificate_authority: "ssl_com" });

    const custom = await sdk.customCertificates.create({ zone_id, certificate: file("rsa-a.pem"), private_key: "key" });
    await sdk.customCertificates.edit(custom.id, { zone_id, bundle_method: "optimal" });
    expect(await sdk.customCertificates.get(custom.id, { zone_id })).toMatchObject({ bundle_method: "optimal" });
    expect(await all(sdk.customCertificates.list({ zone_id, status: "active" }))).toHaveLength(1);
    expect(
      await all(sdk.customCertificates.prioritize.update({ zone_id, certificates: [{ id: custom.id, priority: 5 }] })),
    ).toMatchObject([{ priority: 5 }]);
    await sdk.customCertificates.delete(custom.id, { zone_id });
  });
});
