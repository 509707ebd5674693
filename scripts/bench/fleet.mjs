// A fleet of 10,000 zones against the emulator, which enforces the quota of one token on its own clock: requests, simulated time, real
// time and memory of a rollout and of what comes after it, beside the least that is possible. Some shards run on the real engine, to
// show that the others, which make the same calls without it, send the same requests. Usage: `npm run bench -- fleet [ZONES]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureLanguageHost, ensurePulumi } from "../pulumi-cli.mjs";
import { SimulatedClock } from "./fleet/clock.mjs";
import { PHASE, Shard } from "./fleet/shard.mjs";
import { TOKEN } from "./engine/service.mjs";

const require = createRequire(import.meta.url);
const { connect } = require("../../dist/provider/connect.js");
const { readSettings } = require("../../dist/provider/settings.js");

const ZONES = Number(process.argv[2] ?? 10_000);
const SHARD = 100;
const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const count = (number) => Math.round(number).toLocaleString("en-US");
/** Under the quota of one token, which can be spent at the beginning of a window. */
const secondsFor = (requests) => Math.max(0, Math.ceil(requests / 1200) - 1) * 300;
const hours = (seconds) => (seconds < 5400 ? `${count(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`);

const child = fork(fileOf("fleet/emulator.mjs"), [String(ZONES)], { execArgv: ["--expose-gc", "--no-warnings"] });
const [{ url, milliseconds, bytesPerZone }] = await once(child, "message");
console.log(
  `${count(ZONES)} zones, one entry point of three rules in each, in shards of ${String(SHARD)}; one token, 1,200 requests in 5 minutes`,
);
console.log(`emulator: started in ${count(milliseconds)} ms, ${count(bytesPerZone)} bytes for an empty zone`);

let sent = 0;
const { subscribe } = await import("node:diagnostics_channel");
subscribe("http.client.request.start", ({ request }) => {
  if (request.path.startsWith("/client/")) sent += 1;
});
const clock = new SimulatedClock(url);

/** The zones of the fleet, as the client reads them: in pages of fifty. */
async function listZones() {
  const settings = readSettings(() => undefined, { RULESETS_BASE_URL: url, RULESETS_API_TOKEN: TOKEN });
  return (await connect(settings, { clock }).zones.list()).map(({ id }) => id);
}

async function memory() {
  child.send({});
  const [{ rss }] = await once(child, "message");
  return `${count(process.memoryUsage().rss / 2 ** 20)} MB here, ${count(rss / 2 ** 20)} MB emulator`;
}

async function measure(label, least, work) {
  const [requests, simulated, real] = [sent, clock.now(), performance.now()];
  const result = await work();
  const all = sent - requests;
  console.log(
    `${label.padEnd(26)}${count(all).padStart(7)} requests (least ${count(least)}), ` +
      `${hours((clock.now() - simulated) / 1000)} simulated (least ${hours(secondsFor(least))}), ` +
      `${count((performance.now() - real) / 1000)} s real; ${await memory()}`,
  );
  return { result, requests: all };
}

const pages = Math.ceil(ZONES / 50);
const { result: zones } = await measure("list the zones", pages, listZones);
const shards = Array.from({ length: Math.ceil(ZONES / SHARD) }, (_, index) => {
  return new Shard(zones.slice(index * SHARD, (index + 1) * SHARD), { url, clock });
});
const each = async (work) => {
  for (const shard of shards) await work(shard);
};
const applied = (edition) => () =>
  each(async (shard) => {
    await shard.preview(edition);
    await shard.up(edition);
  });
/** `fleet plan` reads what changes once, and `run-shard` before and at the write. */
const planned = (edition) => () => each((shard) => shard.preview(edition));
await measure("plan the first rollout", ZONES, planned(1));
const first = await measure("first rollout", ZONES, applied(1));
await measure("plan when nothing changes", 0, planned(1));
await measure("silent run", 0, applied(1));
await measure("plan an edit everywhere", ZONES, planned(2));
const edit = await measure("an edit everywhere", ZONES, applied(2));
await measure("drift check", ZONES, () => each((shard) => shard.refresh()));
await measure("rollback", 2 * ZONES, () => each((shard) => shard.rollBack()));
child.disconnect();

console.log("\nWhere the wall is: the quota. The same requests with more tokens, of users with their own quotas:");
for (const tokens of [1, 4, 16]) {
  const time = (requests) => hours(secondsFor(requests / tokens));
  console.log(
    `  ${String(tokens).padStart(2)} ${tokens === 1 ? "token: " : "tokens:"} first rollout ${time(first.requests)}, an edit everywhere ${time(edit.requests)}`,
  );
}

/** The first shard on the engine, against an emulator of its own. */
async function onEngine() {
  await ensurePulumi();
  ensureLanguageHost();
  const folder = mkdtempSync(join(tmpdir(), "fleet-bench-"));
  const emulator = fork(fileOf("fleet/emulator.mjs"), [String(SHARD)], { execArgv: ["--expose-gc", "--no-warnings"] });
  const [service] = await once(emulator, "message");
  const control = service.url.replace("/client/v4", "/__emulator");
  const own = [];
  for (let page = 1; page <= Math.ceil(SHARD / 50); page += 1) {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${service.url}/zones?per_page=50&page=${String(page)}`, { headers });
    own.push(...(await answer.json()).result.map(({ id }) => id));
  }
  console.log(`\nA shard of ${String(SHARD)} zones on the real engine (preview, then up):`);
  for (const [label, edition, operations] of [
    ["first rollout", 1, ["preview", "up"]],
    ["silent run", 1, ["preview", "up"]],
    ["an edit everywhere", 2, ["preview", "up"]],
    ["drift check", 2, ["refresh"]],
  ]) {
    const start = performance.now();
    let most = 0;
    let requests = 0;
    for (const operation of operations) {
      // A new window: a wait for the quota would be real here.
      const headers = { "Content-Type": "application/json" };
      await fetch(`${control}/clock`, { method: "POST", headers, body: JSON.stringify({ advanceSeconds: 300 }) });
      const run = fork(fileOf("engine/operation.mjs"), ["rulesets", operation, String(edition)], {
        execArgv: ["--no-warnings"],
      });
      const before = await counted(service.url);
      run.send({ folder, zones: own, url: service.url, phases: [PHASE] });
      const [cost] = await Promise.race([once(run, "message"), once(run, "exit").then(([code]) => [undefined, code])]);
      if (cost === undefined) throw new Error(`${operation} failed`);
      most = Math.max(most, cost.megabytes);
      requests += (await counted(service.url)) - before - 1;
    }
    console.log(
      `  ${label.padEnd(22)}${count(requests).padStart(5)} requests, ${((performance.now() - start) / 1000).toFixed(1)} s, ${count(most)} MB in the provider`,
    );
  }
  emulator.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

/** How many requests the service has counted: its answers are numbered. */
async function counted(address) {
  const answer = await fetch(`${address}/zones?per_page=5`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  await answer.text();
  return Number.parseInt(answer.headers.get("cf-ray"), 16);
}

await onEngine();
process.exit();
