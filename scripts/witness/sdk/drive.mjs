// Drives every group of operations of the emulator with Cloudflare's SDK for Node, and prints how many of its calls pass. Each
// answer must also have the fields that the test expects.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import Cloudflare from "cloudflare";

const PHASE = "http_request_firewall_custom";
const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const CORE = "a25a9a7e9c00afc1fb2e0245519d725b";
const counts = { calls: 0, failed: 0 };

/** A resource of the SDK; counts the calls of its methods, and those that fail. */
function counted(resource) {
  return new Proxy(resource, {
    get(target, name) {
      const found = target[name];
      if (typeof found !== "function") return typeof found === "object" && found !== null ? counted(found) : found;
      return (...args) => {
        counts.calls += 1;
        const answer = found.apply(target, args);
        answer.then(undefined, () => (counts.failed += 1));
        return answer;
      };
    },
  });
}

async function all(pages) {
  const items = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** The refusal is the answer that the call is to get. */
async function refused(status, call) {
  await assert.rejects(Promise.resolve(call), { status });
  counts.failed -= 1;
}

async function rulesets(sdk, owner) {
  const rule = { action: "block", expression: "ssl", ref: "a" };
  const made = await sdk.rulesets.create({ ...owner, kind: "custom", name: "c", phase: PHASE, rules: [rule] });
  const inside = { ...owner, ruleset_id: made.id };
  await sdk.rulesets.update(made.id, { ...owner, description: "twice", rules: [rule] });
  assert.equal((await sdk.rulesets.get(made.id, owner)).version, "2");
  assert.equal((await all(sdk.rulesets.versions.list(made.id, owner))).length, 2);
  assert.equal((await sdk.rulesets.versions.get("1", inside)).description, "");
  const added = await sdk.rulesets.rules.create(made.id, { ...owner, action: "log", expression: "not ssl" });
  const last = added.rules.at(-1).id;
  const moved = { action: "log", expression: "not ssl", position: { index: 1 } };
  assert.equal((await sdk.rulesets.rules.edit(last, { ...inside, ...moved })).rules[0].id, last);
  await sdk.rulesets.rules.delete(last, inside);
  await sdk.rulesets.versions.delete("1", inside);
  const expression = "zone_id" in owner ? "true" : 'cf.zone.plan eq "ENT"';
  const execute = { action: "execute", expression, action_parameters: { id: made.id } };
  await sdk.rulesets.phases.update(PHASE, { ...owner, rules: [execute] });
  assert.equal((await sdk.rulesets.phases.get(PHASE, owner)).rules.length, 1);
  assert.equal((await all(sdk.rulesets.phases.versions.list(PHASE, owner))).length, 1);
  await sdk.rulesets.phases.versions.get("1", { ...owner, ruleset_phase: PHASE });
  await refused(400, sdk.rulesets.delete(made.id, owner));
  await sdk.rulesets.phases.update(PHASE, { ...owner, rules: [] });
  await sdk.rulesets.delete(made.id, owner);
  await refused(404, sdk.rulesets.get(made.id, owner));
  await refused(400, sdk.rulesets.phases.update(PHASE, { ...owner, rules: [{ ...rule, expression: "nothing.such" }] }));
  assert.ok((await all(sdk.rulesets.list(owner))).some(({ id }) => id === MANAGED));
  assert.equal((await sdk.rulesets.get(MANAGED, owner)).kind, "managed");
  await refused(403, sdk.rulesets.update(MANAGED, { ...owner, rules: [] }));
}

async function zones(sdk, account_id) {
  const made = await sdk.zones.create({ name: "new.example.org", account: { id: account_id }, type: "full" });
  const zone = { zone_id: made.id };
  await sdk.zones.activationCheck.trigger(zone);
  await sdk.zones.subscriptions.update({ ...zone, rate_plan: { id: "business" } });
  await sdk.zones.subscriptions.get(zone);
  assert.equal((await sdk.zones.edit({ ...zone, paused: true })).paused, true);
  assert.equal((await sdk.zones.get(zone)).plan.legacy_id, "business");
  assert.equal((await all(sdk.zones.list({ name: "new.example.org" }))).length, 1);
  for (const [id, value] of Object.entries({ http2: "off", ssl: "strict", min_tls_version: "1.2" })) {
    await sdk.zones.settings.edit(id, { ...zone, value });
    assert.equal((await sdk.zones.settings.get(id, zone)).value, value);
  }
  await refused(400, sdk.zones.settings.edit("ssl", { ...zone, value: "loose" }));
  await sdk.zones.delete(zone);
  await refused(403, sdk.zones.get(zone));
}

async function accounts(sdk, account_id) {
  assert.equal((await all(sdk.accounts.list())).length, 1);
  assert.equal((await sdk.accounts.get({ account_id })).id, account_id);
  await sdk.accounts.update({ account_id, id: account_id, name: "Another Ltd", type: "standard" });
  assert.equal((await sdk.user.tokens.verify()).status, "active");
}

async function dns(sdk, zone_id) {
  const www = { zone_id, name: "www", type: "A", ttl: 60 };
  const made = await sdk.dns.records.create({ ...www, content: "192.0.2.1" });
  await sdk.dns.records.edit(made.id, { ...www, content: "192.0.2.2" });
  await sdk.dns.records.update(made.id, { ...www, content: "192.0.2.3" });
  assert.equal((await sdk.dns.records.get(made.id, { zone_id })).content, "192.0.2.3");
  assert.equal((await all(sdk.dns.records.list({ zone_id, type: "A", name: { contains: "www" } }))).length, 1);
  const posts = [{ type: "MX", name: "@", content: "mail.example.org", priority: 10, ttl: 300 }];
  const batch = await sdk.dns.records.batch({ zone_id, deletes: [{ id: made.id }], posts });
  await sdk.dns.records.delete(batch.posts[0].id, { zone_id });
  await refused(400, sdk.dns.records.create({ ...www, content: "x" }));
  await refused(404, sdk.dns.records.get(made.id, { zone_id }));
}

async function lists(sdk, account_id) {
  const owner = { account_id };
  const items = {
    ip: { ip: "192.0.2.1" },
    asn: { asn: 64500 },
    hostname: { hostname: { url_hostname: "a.example.com" } },
    redirect: { redirect: { source_url: "example.com/a", target_url: "https://example.com/b" } },
  };
  for (const [kind, item] of Object.entries(items)) {
    const { id: list_id } = await sdk.rules.lists.create({ ...owner, kind, name: `of_${kind}` });
    const begun = await sdk.rules.lists.items.create(list_id, { ...owner, body: [item] });
    const operation = await sdk.rules.lists.bulkOperations.get(begun.operation_id, owner);
    assert.equal(operation.status, "completed");
    const [first] = await all(sdk.rules.lists.items.list(list_id, owner));
    await sdk.rules.lists.items.get(first.id, { ...owner, list_id });
    await sdk.rules.lists.items.update(list_id, { ...owner, body: [item] });
    const [again] = await all(sdk.rules.lists.items.list(list_id, owner));
    await sdk.rules.lists.items.delete(list_id, { ...owner, items: [{ id: again.id }] });
    assert.equal((await sdk.rules.lists.update(list_id, { ...owner, description: "x" })).description, "x");
    await sdk.rules.lists.get(list_id, owner);
    await refused(400, sdk.rules.lists.create({ ...owner, kind, name: `of_${kind}` }));
    await sdk.rules.lists.delete(list_id, owner);
  }
  assert.equal((await all(sdk.rules.lists.list(owner))).length, 0);
}

async function certificates(sdk, zone_id) {
  const zone = { zone_id };
  const ssl = { method: "txt", type: "dv", certificate_authority: "google" };
  const made = await sdk.customHostnames.create({ ...zone, hostname: "shop.customer.test", ssl });
  await sdk.customHostnames.edit(made.id, { ...zone, ssl: { ...ssl, certificate_authority: "lets_encrypt" } });
  await sdk.customHostnames.edit(made.id, { ...zone, custom_metadata: { tag: "a", beta: true } });
  assert.deepEqual((await sdk.customHostnames.get(made.id, zone)).custom_metadata, { tag: "a", beta: true });
  assert.equal((await all(sdk.customHostnames.list(zone))).length, 1);
  assert.equal((await sdk.customHostnames.quota.get(zone)).used, 1);
  await sdk.customHostnames.fallbackOrigin.update({ ...zone, origin: "origin.shop.example.com" });
  await sdk.customHostnames.fallbackOrigin.get(zone);
  await sdk.customHostnames.fallbackOrigin.delete(zone);
  await sdk.customHostnames.delete(made.id, zone);
  await refused(404, sdk.customHostnames.get(made.id, zone));
  const order = { type: "advanced", hosts: ["shop.example.com"], validation_method: "txt", validity_days: 90 };
  const pack = await sdk.ssl.certificatePacks.create({ ...zone, ...order, certificate_authority: "google" });
  await sdk.ssl.certificatePacks.edit(pack.id, { ...zone, cloudflare_branding: true });
  assert.equal((await sdk.ssl.certificatePacks.get(pack.id, zone)).status, "active");
  await sdk.ssl.certificatePacks.quota.get(zone);
  await all(sdk.ssl.certificatePacks.list({ ...zone, status: "all" }));
  await sdk.ssl.verification.get(zone);
  await sdk.ssl.verification.edit(pack.id, { ...zone, validation_method: "http" });
  await sdk.ssl.certificatePacks.delete(pack.id, zone);
  await sdk.ssl.universal.settings.edit({ ...zone, enabled: false });
  assert.equal((await sdk.ssl.universal.settings.get(zone)).enabled, false);
  await sdk.acm.totalTLS.update({ ...zone, enabled: true, certificate_authority: "google" });
  assert.equal((await sdk.acm.totalTLS.get(zone)).certificate_authority, "google");
  const certificate = readFileSync(process.argv[3], "utf8");
  const custom = await sdk.customCertificates.create({ ...zone, certificate, private_key: "key" });
  await sdk.customCertificates.get(custom.id, zone);
  await sdk.customCertificates.edit(custom.id, { ...zone, bundle_method: "optimal" });
  await all(sdk.customCertificates.prioritize.update({ ...zone, certificates: [{ id: custom.id, priority: 5 }] }));
  assert.equal((await all(sdk.customCertificates.list(zone))).length, 1);
  await sdk.customCertificates.delete(custom.id, zone);
}

async function previous(sdk, zone_id) {
  const zone = { zone_id };
  const inside = { ...zone, package_id: CORE };
  const { packages } = sdk.firewall.waf;
  assert.equal((await all(packages.list(zone))).length, 2);
  await packages.get(CORE, zone);
  const [group] = await all(packages.groups.list(CORE, zone));
  await packages.groups.edit(group.id, { ...inside, mode: "off" });
  assert.equal((await packages.groups.get(group.id, inside)).mode, "off");
  const [rule] = await all(packages.rules.list(CORE, zone));
  await packages.rules.get(rule.id, inside);
  await refused(400, packages.rules.edit(rule.id, { ...inside, mode: "block" }));
  const sent = [{ expression: "ip.src eq 192.0.2.9", description: "one" }];
  const [filter] = await all(sdk.filters.create({ ...zone, body: sent }));
  assert.equal((await sdk.filters.get(filter.id, zone)).description, "one");
  assert.equal((await all(sdk.filters.list({ ...zone, description: "one" }))).length, 1);
  const two = { id: filter.id, expression: "ip.src eq 192.0.2.8", description: "two" };
  assert.equal((await sdk.filters.update(filter.id, { ...zone, ...two })).description, "two");
  const action = { mode: "simulate" };
  const [made] = await all(sdk.firewall.rules.create({ ...zone, filter: { id: filter.id }, action }));
  assert.equal((await all(sdk.firewall.rules.list(zone))).length, 1);
  await sdk.firewall.rules.update(made.id, { ...zone, action: { mode: "challenge" }, filter: two });
  await sdk.firewall.rules.delete(made.id, zone);
  await sdk.filters.delete(filter.id, zone);
  const targets = [{ target: "url", constraint: { operator: "matches", value: "shop.example.com/*" } }];
  const page = await sdk.pageRules.create({ ...zone, targets, actions: [{ id: "ssl", value: "full" }] });
  await sdk.pageRules.get(page.id, zone);
  await sdk.pageRules.edit(page.id, { ...zone, status: "active" });
  await sdk.pageRules.update(page.id, { ...zone, targets, actions: [{ id: "ssl", value: "strict" }] });
  assert.equal((await sdk.pageRules.list(zone)).length, 1);
  await sdk.pageRules.delete(page.id, zone);
}

async function tracer(sdk, account_id) {
  const sent = { account_id, method: "GET", url: "https://shop.example.com/" };
  assert.equal((await sdk.requestTracers.traces.create(sent)).status_code, 200);
}

const sdk = counted(new Cloudflare({ apiToken: "t".repeat(40), baseURL: process.argv[2], maxRetries: 0 }));
const zone = (await all(sdk.zones.list())).find(({ name }) => name === "shop.example.com");
const account = zone.account.id;
for (const [name, drive] of Object.entries({
  "rulesets of a zone": () => rulesets(sdk, { zone_id: zone.id }),
  "rulesets of an account": () => rulesets(sdk, { account_id: account }),
  "zones and settings": () => zones(sdk, account),
  "accounts and tokens": () => accounts(sdk, account),
  "DNS records": () => dns(sdk, zone.id),
  lists: () => lists(sdk, account),
  certificates: () => certificates(sdk, zone.id),
  "the previous APIs": () => previous(sdk, zone.id),
  "the request tracer": () => tracer(sdk, account),
})) {
  await drive();
  process.stdout.write(`ok  ${name}\n`);
}
process.stdout.write(`node: ${String(counts.calls - counts.failed)} of ${String(counts.calls)} calls pass\n`);
