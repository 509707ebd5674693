// What a list of 10,000 addresses costs: the CPU time of the provider for whole calls of the engine, through the adapter, each in
// a new run, how it grows with the items, the requests, and the sizes of states. The emulator is another process.
import { createRequire } from "node:module";
import { startService, TOKEN } from "./engine/service.mjs";

const require = createRequire(import.meta.url);
const { KINDS } = require("../../dist/provider/kinds/index.js");
const { adapt } = require("../../dist/provider/border/dynamic/adapter.js");
const { ProviderProcess } = require("../../dist/provider/border/process.js");

/** More are given as arguments: `node scripts/bench/lists.mjs 10000 40000 160000`. */
const [, , ...GIVEN] = process.argv;
const SIZES = GIVEN.length > 0 ? GIVEN.map(Number) : [5_000, 10_000];
const ROUNDS = 5;
const SILENT = { info() {}, warn() {}, status() {} };
const RUN = {
  __urn: "urn:pulumi:bench::bench::RulesList::many",
  __program: JSON.stringify({ preview: true, resources: 1 }),
};
/** As in `up`, whose inputs and outputs the engine stores. */
const STORED = { ...RUN, __program: JSON.stringify({ preview: false, resources: 1 }) };

const service = await startService(1);
try {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${service.url}/accounts`, { headers });
  const accountId = (await answer.json()).result[0].id;
  const addresses = (size) => Array.from({ length: size }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
  const args = (size, items) => ({ accountId, name: `many_${size}`, kind: "ip", items, ...RUN });
  const kept = new Map();
  for (const size of SIZES) {
    const [{ inputs }, created] = await create({ ...args(size, addresses(size)), ...STORED });
    kept.set(size, { inputs, ...created });
  }

  const moved = (size) => addresses(size).map((address, at) => (at % 2 === 0 ? address : address.replace(/^10/, "11")));
  const edited = (size) => args(size, [...addresses(size).slice(1), "192.0.2.7"]);
  const cases = {
    "preview of a new list": async (size) =>
      passed(await provider().check({}, { ...args(size, addresses(size)), name: `new_${size}` })),
    "preview of an unchanged list": async (size) => {
      const { id, inputs, outs } = copyOf(kept.get(size));
      const run = provider();
      await run.diff(id, outs, passed(await run.check(inputs, args(size, addresses(size)))).inputs);
    },
    "preview of an edit, which reads all items": async (size) => {
      const { id, inputs, outs } = copyOf(kept.get(size));
      const run = provider();
      await run.diff(id, outs, { ...passed(await run.check(inputs, edited(size))).inputs, ...RUN });
    },
    "preview of an edit of every second item": async (size) => {
      const { id, inputs, outs } = copyOf(kept.get(size));
      const run = provider();
      const wanted = { ...args(size, moved(size)), maxRemovedPercent: 100 };
      await run.diff(id, outs, { ...passed(await run.check(inputs, wanted)).inputs, ...RUN });
    },
  };
  console.log(row("CPU time in ms", [...SIZES.map((size) => `${size} items`), "growth"]));
  for (const [name, call] of Object.entries(cases)) {
    const times = [];
    for (const size of SIZES) times.push(await median(() => call(size)));
    console.log(row(name, [...times.map((ms) => ms.toFixed(0)), (times.at(-1) / times[0]).toFixed(1)]));
  }
  for (const size of SIZES) console.log(`\nA new list of ${size} items takes ${kept.get(size).requests} requests.`);
  for (const size of SIZES) {
    const { inputs, outs } = kept.get(size);
    // Pulumi keeps inputs and outputs; a list has the same ones whether it is shared or not.
    const [inState, given] = [[inputs, outs], addresses(size)].map((value) => JSON.stringify(value).length / 1000);
    console.log(`A state of ${size} items takes ${inState.toFixed(0)} kB; the items as JSON, ${given.toFixed(0)} kB.`);
  }

  /** Creates a list, and counts its requests. */
  async function create(given) {
    const run = provider();
    const before = (await service.requests()).length;
    const checked = passed(await run.check({}, given));
    const created = await run.create(copyOf(checked.inputs));
    return [checked, { ...created, requests: (await service.requests()).length - before }];
  }

  function provider() {
    const env = { RULESETS_BASE_URL: service.url, RULESETS_API_TOKEN: TOKEN };
    const made = adapt(KINDS.RulesList(), new ProviderProcess(env, undefined, { reporter: SILENT }));
    void made.configure({ config: { get: () => undefined } });
    return made;
  }
} finally {
  service.close();
}

async function median(call) {
  await call();
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return times.toSorted((a, b) => a - b)[ROUNDS >> 1];
}

function copyOf(value) {
  return JSON.parse(JSON.stringify(value));
}

function passed(checked) {
  if ((checked.failures ?? []).length > 0) throw new Error(checked.failures[0].reason);
  return checked;
}

function row(name, columns) {
  return `${name.padEnd(46)}${columns.map((column) => String(column).padStart(14)).join("")}`;
}
