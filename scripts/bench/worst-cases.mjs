// The worst cases for many rules at once, with 250, 500 and 1,000 rules of about 1 kB: the CPU time, how it grows, and its
// ratio to one JSON round trip of the same rules. `npm run bench -- worst-cases TEXT` runs the cases whose names contain TEXT.
import { Calls } from "./worst-cases/calls.mjs";
import { measureCase } from "./worst-cases/cpu.mjs";
import { DECISIONS } from "./worst-cases/decisions.mjs";

const SIZES = [250, 500, 1000];
const MOST_GROWTH = 2.3;
const MOST_RATIO = 100;

const wanted = process.argv[2] ?? "";
const calls = new Calls();
await calls.start(SIZES);
try {
  console.log(
    `Goals: doubling the rules takes at most ${MOST_GROWTH} times as long, and at most ${MOST_RATIO} round trips.`,
  );
  console.log(line("CPU time in ms", [...SIZES, "round trip", "growth", "round trips"]));
  for (const [cases, once] of [
    [DECISIONS, false],
    [calls.cases, false],
    [calls.writes, true],
  ])
    for (const [name, prepare] of Object.entries(cases))
      if (name.includes(wanted)) report(name, await measureCase(prepare, SIZES, once));
} finally {
  calls.close();
}

function report(name, { times, floors, growth, ratios }) {
  const missed = Math.max(...growth) > MOST_GROWTH || Math.max(...ratios) > MOST_RATIO;
  const columns = [
    ...times.map((ms) => ms.toFixed(1)),
    floors.at(-1).toFixed(2),
    growth.map((factor) => factor.toFixed(1)).join(", "),
    `${Math.max(...ratios).toFixed(0)}${missed ? " *" : "  "}`,
  ];
  console.log(line(name, columns));
}

function line(name, columns) {
  return `${name.padEnd(42)}${columns.map((column) => String(column).padStart(13)).join("")}`;
}
