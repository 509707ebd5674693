// Compares the same program on the real engine with this package, on the SDK's host and as a provider plugin,
// and with two dynamic providers that do nothing. Prints times, ratios, requests, and the peak memory of the provider
// process. Usage: `node scripts/bench/engine.mjs ZONES [ROUNDS]`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePulumi } from "../pulumi-cli.mjs";
import { PHASES } from "./engine/program.mjs";
import { formsOf, startService } from "./engine/service.mjs";

const ZONES = Number(process.argv[2] ?? 200);
const STACKS = ["same-state", "inputs-only", "rulesets", "plugin"];
const ROUNDS = Number(process.argv[3] ?? 8);
/** As a dynamic provider, and as a plugin. */
const GOALS = {
  preview: [1.1, 0.9],
  up: [1.3, 1],
  "silent up": [1.1, 0.9],
  "one edit in each": [1.3, 1],
  refresh: [1.3, 1],
  destroy: [1.3, 1],
};

/** Stacks that write have zones of their own; the others make no request. */
const WRITING = ["rulesets", "plugin"];
const service = await startService(ZONES * WRITING.length);
const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-bench-"));
let edition = 0;

/** Every third zone of the account: a page of zones contains as many of each stack, so none has an advantage. */
function zonesOf(stack) {
  const first = Math.max(0, WRITING.indexOf(stack));
  return service.zones.filter((_, index) => index % WRITING.length === first);
}

/** Runs an operation in a new process, as `pulumi` runs a program: nothing is compiled or cached from an earlier operation. */
async function run(name, operation) {
  await service.forget();
  const file = fileURLToPath(new URL("engine/operation.mjs", import.meta.url));
  const child = fork(file, [name, operation, String(edition)], { execArgv: ["--no-warnings"] });
  child.send({ folder, zones: zonesOf(name), url: service.url });
  const [cost] = await Promise.race([once(child, "message"), once(child, "exit").then(([code]) => [undefined, code])]);
  if (cost === undefined) throw new Error(`${operation} of ${name} failed`);
  return { ...cost, requests: await service.requests() };
}

/**
 * What an operation costs: the mean of several rounds, in each of which every stack has its turn. So a phase in which the machine
 * is slower, which can be by a third, affects all of them, and the ratios of the means little.
 */
async function measure(operation, rounds) {
  const costs = Object.fromEntries(STACKS.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of STACKS) costs[name].push(await run(name, operation));
  return Object.fromEntries(STACKS.map((name) => [name, meanOf(costs[name])]));
}

/** Of each number, the mean; other values are those of the last round. */
function meanOf(costs) {
  const [first] = costs;
  if (typeof first === "number") return costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  if (Array.isArray(first)) return costs.at(-1);
  return Object.fromEntries(Object.keys(first).map((key) => [key, meanOf(costs.map((cost) => cost[key]))]));
}

const number = (value, digits) => value.toFixed(digits).padStart(5);
/** `12.3 s, 1.22 times  10.1 s, 1.34 times   9.2 s`: compared with each of the two other providers. */
const against = (ours, ...floors) =>
  [`${number(ours, 1)} s`, ...floors.map((floor) => `${(ours / floor).toFixed(2)} times ${number(floor, 1)} s`)].join(
    ", ",
  );

await ensurePulumi();
console.log(
  `${String(ZONES)} zones, ${String(PHASES.length)} entry points of 3 rules in each; machine load at the start ` +
    `${loadavg()[0].toFixed(1)}. Each time is compared with an empty dynamic provider that keeps the same state, then ` +
    `with one that returns its inputs. Operations that change nothing run ${String(ROUNDS)} times; the mean counts.`,
);
for (const [label, operation, { rounds = 1, edited = false }] of [
  ["preview", "preview", { rounds: ROUNDS }],
  ["up", "up", {}],
  ["silent up", "up", { rounds: ROUNDS }],
  ["one edit in each", "up", { edited: true }],
  ["refresh", "refresh", { rounds: ROUNDS }],
  ["destroy", "destroy", {}],
]) {
  if (edited) edition += 1;
  const costs = await measure(operation, rounds);
  const floors = [costs["same-state"], costs["inputs-only"]];
  const { rulesets: mine, plugin } = costs;
  const [goal, pluginGoal] = GOALS[label];
  console.log(`${label} (goal ${String(goal)}; plugin ${String(pluginGoal)})`);
  console.log(`  wall clock      ${against(mine.wall, ...floors.map(({ wall }) => wall))}`);
  console.log(`  CPU             ${against(mine.whole, ...floors.map(({ whole }) => whole))}`);
  for (const name of Object.keys(mine.processors))
    console.log(
      `    ${name.padEnd(14)}${against(mine.processors[name], ...floors.map(({ processors }) => processors[name]))}`,
    );
  console.log(`  plugin, wall    ${against(plugin.wall, ...floors.map(({ wall }) => wall))}`);
  console.log(`  plugin, CPU     ${against(plugin.whole, ...floors.map(({ whole }) => whole))}`);
  for (const name of Object.keys(plugin.processors))
    console.log(
      `    ${name.padEnd(14)}${against(plugin.processors[name], ...floors.map(({ processors }) => processors[name]))}`,
    );
  const megabytes = [plugin, mine, ...floors].map((cost) => `${cost.megabytes.toFixed(0)} MB`);
  const [ofPlugin, ...onSdks] = megabytes;
  console.log(`  provider memory ${ofPlugin} as a plugin; on the SDK's host ${onSdks.join(", against ")}`);
  console.log(`  requests        ${String(mine.requests.length)}: ${formsOf(mine.requests).join(", ")}`);
  console.log(`  of the plugin   ${String(plugin.requests.length)}: ${formsOf(plugin.requests).join(", ")}`);
  if (label !== "silent up") continue;
  const bytes = (name) => statSync(join(folder, ".pulumi", "stacks", name, "bench.json")).size;
  const each = ["plugin", "rulesets", "same-state", "inputs-only"].map((name) =>
    (bytes(name) / (ZONES * PHASES.length)).toFixed(0),
  );
  console.log(`  state           ${each.join(" bytes per resource, against ")}`);
}
service.close();
rmSync(folder, { recursive: true, force: true });
process.exit();
