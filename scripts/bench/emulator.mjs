// The emulator compared with a bare HTTP server that returns the same bytes. Prints ratios.
import { execFileSync } from "node:child_process";
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Bench } from "tinybench";
import { startEmulator } from "pulumi-rulesets/emulator";

const RULES = 1000;
const headers = { Authorization: "Bearer bench-token-0123456789", "Content-Type": "application/json" };
const emulator = await startEmulator();
const zones = await (await fetch(`${emulator.url}/zones`, { headers })).json();
const path = `${emulator.url}/zones/${zones.result.at(-1).id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
const rules = Array.from({ length: RULES }, (_, index) => ({
  action: "block",
  ref: `rule-${String(index)}`,
  description: `Rule ${String(index)}`,
  expression: `http.host eq "h${String(index)}.example.com"`,
}));
const body = JSON.stringify({ rules });
const answer = await (await fetch(path, { method: "PUT", headers, body })).text();

const floor = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "Content-Type": "application/json" }).end(answer));
});
await new Promise((resolve) => floor.listen(0, "127.0.0.1", resolve));
const bare = `http://127.0.0.1:${String(floor.address().port)}/`;

const bench = new Bench({ time: 1500 })
  .add("floor GET", async () => void (await (await fetch(bare)).text()))
  .add("emulator GET", async () => void (await (await fetch(path, { headers })).text()))
  .add("floor PUT", async () => void (await (await fetch(bare, { method: "PUT", headers, body })).text()))
  .add("emulator PUT", async () => void (await (await fetch(path, { method: "PUT", headers, body })).text()));
await bench.run();
const median = (name) => bench.getTask(name).result.latency.p50;
for (const method of ["GET", "PUT"]) {
  const [ours, least] = [median(`emulator ${method}`), median(`floor ${method}`)];
  console.log(
    `${method} ${String(RULES)} rules: ${ours.toFixed(2)} ms, ${(ours / least).toFixed(1)} times a bare server`,
  );
}
floor.close();
await emulator.close();

// Ten thousand zones, compared with one: the start, and finding a zone by its name instead of its ID.
const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const cpuOf = async (work) => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
};
const zonesOf = (count) => Array.from({ length: count }, (_, index) => ({ name: `z${String(index)}.example.com` }));
const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-bench-"));
/** CPU time of new processes from their first instruction until the emulator listens, and what they leave on disk. */
const startOf = (count) => {
  const [seed, stateFile] = [join(folder, "seed.json"), join(folder, `start-${String(count)}`)];
  writeFileSync(seed, JSON.stringify({ zones: zonesOf(count) }));
  const emulatorPath = JSON.stringify(fileURLToPath(new URL("../../dist/emulator/index.js", import.meta.url)));
  const script = `const [seed, stateFile] = process.argv.slice(1);
    const start = { seed: JSON.parse(fs.readFileSync(seed, "utf8")), ...(stateFile === undefined ? {} : { stateFile }) };
    require(${emulatorPath}).startEmulator(start).then((running) => {
      const { user, system } = process.cpuUsage();
      console.log((user + system) / 1000);
      return running.close();
    });`;
  const started = (...options) =>
    Number(execFileSync(process.execPath, ["--no-warnings", "-e", script, seed, ...options], { encoding: "utf8" }));
  const ms = middle(Array.from({ length: 9 }, () => started()));
  const msFirst = started(stateFile);
  return { ms, msFirst, msAgain: started(stateFile), bytes: statSync(stateFile).size };
};
const [one, ten] = [startOf(1), startOf(10_000)];
console.log(
  `start with 10,000 zones: ${ten.ms.toFixed(0)} ms of CPU time in a new process, ${one.ms.toFixed(0)} ms with one zone; ` +
    `${ten.msFirst.toFixed(0)} ms with a new state file, ${ten.msAgain.toFixed(0)} ms with an existing one`,
);
console.log(`an empty zone on disk: ${((ten.bytes - one.bytes) / 9999).toFixed(0)} bytes`);
const many = await startEmulator({ seed: { zones: zonesOf(10_000) }, edge: {} });
const { url, edgeUrl } = many;
const [wanted] = (await (await fetch(`${url}/zones?name=z9999.example.com`, { headers })).json()).result;
const lookups = new Bench({ time: 1000 })
  .add("id", async () => void (await (await fetch(`${url}/zones/${wanted.id}`, { headers })).text()))
  .add("name", async () => void (await (await fetch(`${url}/zones?name=${wanted.name}`, { headers })).text()));
await lookups.run();
const lookup = (name) => lookups.getTask(name).result.latency.p50;
console.log(`a zone of 10,000 by name: ${(lookup("name") / lookup("id")).toFixed(1)} times by ID`);

// A request to the edge, through one rule and through a thousand.
const agent = new Agent({ keepAlive: true });
const visit = () =>
  new Promise((resolve, reject) => {
    const sent = request(edgeUrl, { agent, headers: { Host: wanted.name } }, (visited) =>
      visited.resume().on("end", resolve),
    );
    sent.on("error", reject).end();
  });
const visits = async (count) => {
  const entrypoint = `${url}/zones/${wanted.id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const deployed = JSON.stringify({ rules: rules.slice(0, count) });
  await (await fetch(entrypoint, { method: "PUT", headers, body: deployed })).text();
  for (let each = 0; each < 100; each += 1) await visit();
  const { ms } = await cpuOf(async () => {
    for (let each = 0; each < 300; each += 1) await visit();
  });
  return ms / 300;
};
const [throughOne, throughMany] = [await visits(1), await visits(RULES)];
console.log(
  `a request to the edge through ${String(RULES)} rules: ${throughMany.toFixed(2)} ms of CPU time, ${(throughMany / throughOne).toFixed(1)} times through one`,
);
agent.destroy();
await many.close();

// Whether writes become slower as more is stored: 600 writes of 100 rules to one ruleset, keeping every version.
const few = JSON.stringify({ rules: rules.slice(0, 100) });
const timed = async (options) => {
  const running = await startEmulator({ keep: { versions: 1000 }, ...options });
  const { result } = await (await fetch(`${running.url}/zones`, { headers })).json();
  const target = `${running.url}/zones/${result.at(-1).id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const times = [];
  for (let write = 0; write < 600; write += 1) {
    const start = performance.now();
    await (await fetch(target, { method: "PUT", headers, body: few })).text();
    times.push(performance.now() - start);
  }
  await running.close();
  return { first: middle(times.slice(50, 150)), last: middle(times.slice(-100)) };
};
const steady = [];
for (const [name, options] of [
  ["in memory", {}],
  ["with a state file", { stateFile: join(folder, "state") }],
]) {
  const { first, last } = await timed(options);
  steady.push(last);
  console.log(
    `600 writes of 100 rules ${name}: ${first.toFixed(2)} ms at the start, ${last.toFixed(2)} ms at the end, ratio ${(last / first).toFixed(2)}`,
  );
}

// What it costs that a write is synchronised with the disk, beside the least that it can cost: one write of its rules.
const log = openSync(join(folder, "log"), "w");
const synchronised = Array.from({ length: 200 }, () => {
  const start = performance.now();
  writeSync(log, few);
  fdatasyncSync(log);
  return performance.now() - start;
});
closeSync(log);
const [inMemory, onDisk] = steady;
console.log(
  `on disk before the response: ${(onDisk / inMemory).toFixed(1)} times a write in memory; a bare synchronised write takes ${(middle(synchronised) / inMemory).toFixed(1)} times as long as one in memory`,
);
rmSync(folder, { recursive: true });
