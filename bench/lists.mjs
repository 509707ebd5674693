// What a list of 10,000 addresses costs: the CPU time of the provider for whole calls of the engine, through the adapter, each in
// a new run, how it grows with the items, the requests, and the sizes of states. The emulator is another process.
import { createRequire } from "node:module";
import { startService, TOKEN } from "./engine/service.mjs";

const require = createRequire(import.meta.url);
const { KINDS } = require("../dist/provider/kinds/index.js");
const { adapt } = require("../dist/provider/runtime/adapter.js");
const { ProviderProcess } = require("../dist/provider/runtime/process.js");

/** More are given as arguments: `node bench/lists.mjs 10000 40000 160000`. */
const [, , ...GIVEN] = process.argv;
const SIZES = GIVEN.length > 0 ? GIVEN.map(Number) : [5_000, 10_000];
const STATE_SIZE = 10_000;
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
  console.log(`\n${row(`A state of ${STATE_SIZE} items`, ["of a CSV file", "of `items`"])}`);
  for (const [name, kind, item] of itemsFor(addresses(STATE_SIZE))) {
    const items = Array.from({ length: STATE_SIZE }, (_, at) => item(at));
    const [{ inputs }, { id, outs }] = await create({ accountId, name: "sized", kind, items, ...STORED });
    await provider().delete(id, outs);
    // Pulumi keeps inputs and outputs; a list has the same ones whether it is shared or not.
    const size = [inputs, outs].reduce(
      (sum, props) => sum + JSON.stringify({ items: props.items, __packed: props.__packed }).length,
      0,
    );
    const [csv, json] = [items.map(csvLine).join("\n"), JSON.stringify(items)].map(({ length }) => length);
    console.log(
      row(
        name,
        [csv, json].map((text) => `${((100 * size) / text).toFixed(1)} %`),
      ),
    );
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

/** Names, kinds and makers of items that compress well and badly; the random ones are the same in each run. */
function itemsFor(inARow) {
  let seed = 12345;
  const below = (limit) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return Math.floor(((seed >>> 0) / 2 ** 32) * limit);
  };
  const pick = (from, length) => Array.from({ length }, () => from[below(from.length)]).join("");
  const word = (length) => pick("0123456789abcdefghijklmnopqrstuvwxyz", length);
  const anyCase = (length) => pick("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/", length);
  const printable = (length) => pick(String.fromCharCode(...Array.from({ length: 90 }, (_, at) => 35 + at)), length);
  const address = () => [1 + below(223), below(256), below(256), below(256)].join(".");
  const groups = (count) => Array.from({ length: count }, () => below(65_536).toString(16)).join(":");
  const day = () => `2026-${1 + below(12)}-${1 + below(28)}`;
  const commented = (value, comment) => ({ value, comment });
  return [
    ["addresses in a row", "ip", (at) => inARow[at]],
    ["random addresses", "ip", address],
    [
      "…, each seen on a day, in an incident",
      "ip",
      () => commented(address(), `seen ${day()}, incident ${below(100_000)}`),
    ],
    ["…, each with 8 random characters", "ip", () => commented(address(), word(8))],
    ["…, each with 40 random characters", "ip", () => commented(address(), word(40))],
    ["random IPv6 addresses", "ip", () => groups(8)],
    ["random IPv6 networks", "ip", () => `${groups(4)}::/64`],
    ["random numbers of networks", "asn", () => 1 + below(2 ** 32 - 1)],
    ["…, each with 8 random characters", "asn", () => commented(1 + below(2 ** 32 - 1), word(8))],
    ["…, each with 8 of 64 characters", "asn", () => commented(1 + below(2 ** 32 - 1), anyCase(8))],
    ["short numbers, each with 8 random characters", "asn", (at) => commented(1 + 6 * at + below(6), word(8))],
    ["random names in one domain", "hostname", () => `${word(12)}.example.com`],
    ["random domains of 10 characters", "hostname", () => `${word(10)}.com`],
    ["…, each with 8 random characters", "hostname", () => commented(`${word(10)}.com`, word(8))],
    ["…, each with 8 of 64 characters", "hostname", () => commented(`${word(10)}.com`, anyCase(8))],
    ["…, each with 20 of 64 characters", "hostname", () => commented(`${word(10)}.com`, anyCase(20))],
    ["domains of 8, each with 6 random characters", "hostname", () => commented(`${word(8)}.com`, word(6))],
    ["domains of 8, each with 8 of 64 characters", "hostname", () => commented(`${word(8)}.com`, anyCase(8))],
    ["domains of 6, each with 6 random characters", "hostname", () => commented(`${word(6)}.com`, word(6))],
    [
      "domains of 5 to 14 in 5 TLDs, 3 to 12 more",
      "hostname",
      () => commented(`${word(5 + below(10))}.${["com", "net", "org", "de", "io"][below(5)]}`, word(3 + below(10))),
    ],
    ["random names in random domains", "hostname", () => `${word(8)}.${word(8)}.com`],
    [
      "redirects of random paths",
      "redirect",
      () => ({ source: `example.com/${word(8)}`, target: `https://www.example.com/${word(8)}` }),
    ],
    [
      "redirects of short random domains",
      "redirect",
      () => ({ source: `${word(6)}.com/`, target: `https://${word(6)}.com/` }),
    ],
    [
      "…, with paths of 64 characters",
      "redirect",
      () => ({ source: `${word(4)}.de/${anyCase(6)}`, target: `https://${word(4)}.de/${anyCase(12)}` }),
    ],
    ["…, each with 30 printable characters", "hostname", () => commented(`${word(8)}.com`, printable(30))],
  ];
}

function csvLine(item) {
  return typeof item === "object" ? Object.values(item).join(",") : String(item);
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
