import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { copyOf, rulesOf } from "./rules.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const ROUNDS = 9;
/** Short work is repeated for about so long. */
const LEAST_MS = 40;
const MOST_REPETITIONS = 50;

/** Of the process, with all its threads: other processes do not count. */
async function cpuMs(works) {
  collectGarbage({ type: "minor" });
  const start = process.cpuUsage();
  for (const work of works) await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / works.length;
}

let edition = 100;

/** Measures work on new rules, so that nothing is known from an earlier repetition. Preparing them does not count. */
async function measure(prepare, size, repetitions) {
  const works = [];
  for (let at = 0; at < repetitions; at += 1) works.push(await prepare(size, (edition += 1)));
  return cpuMs(works);
}

/**
 * Starts a round without garbage, but with compiled code: with the garbage, Node discards the code that it compiled for objects
 * of which none is left, and a run would not compile it again.
 */
async function warmUp(prepare, sizes, repetitions) {
  collectGarbage();
  for (const [at, size] of sizes.entries()) await measure(prepare, size, repetitions[at]);
}

const repetitionsFor = (ms) => Math.min(Math.max(Math.ceil(LEAST_MS / ms), 1), MOST_REPETITIONS);

/** One JSON round trip of the rules, which every call makes several times. */
function prepareFloor(size, word) {
  const rules = rulesOf(size, `old${word}`);
  return () => copyOf(rules);
}

/**
 * The CPU time of a case at each size in milliseconds, how it grows with each doubling, and its ratio to the floor. In each
 * round every size and its floor have their turn, the floors first, while the last code is compiled, so both meet the same
 * load, and quotients are taken within a round. Each number is the median of all rounds.
 */
export async function measureCase(prepare, sizes, once) {
  const repetitions = [];
  const floorRepetitions = [];
  for (const size of sizes) {
    repetitions.push(once ? 1 : repetitionsFor(await measure(prepare, size, 1)));
    floorRepetitions.push(repetitionsFor(await measure(prepareFloor, size, 1)));
  }
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await warmUp(prepare, sizes, repetitions);
    const [times, floors] = [[], []];
    for (const [at, size] of sizes.entries()) floors.push(await measure(prepareFloor, size, floorRepetitions[at]));
    // What runs first after the floors takes longer, whatever its size, so that does not count.
    await measure(prepare, sizes.at(-1), 1);
    for (const [at, size] of sizes.entries()) times.push(await measure(prepare, size, repetitions[at]));
    rounds.push({ times, floors });
  }
  const medianOver = (value) => medianOf(rounds.map(value));
  return {
    times: sizes.map((_, at) => medianOver(({ times }) => times[at])),
    floors: sizes.map((_, at) => medianOver(({ floors }) => floors[at])),
    growth: sizes.slice(1).map((_, at) => medianOver(({ times }) => times[at + 1] / times[at])),
    ratios: sizes.map((_, at) => medianOver(({ times, floors }) => times[at] / floors[at])),
  };
}

function medianOf(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
