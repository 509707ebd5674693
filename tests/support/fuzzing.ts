/**
 * The seed of all random cases. It is the same in every run, so that a run cannot fail by chance. The environment variable
 * FUZZ_SEED chooses another one, and `FUZZ_SEED=random` chooses new cases for every run.
 */
export const SEED = seedIn(process.env.FUZZ_SEED);

/** How many times as many random cases to play: the environment variable FUZZ_TIMES. */
export const TIMES = positive("FUZZ_TIMES", process.env.FUZZ_TIMES ?? "1");

/** The number of random cases to play where a usual run plays `usual`. */
export const runs = (usual: number): number => usual * TIMES;

/**
 * The cases of a matrix to play: all of them with FUZZ_FAULTS=all, only those whose JSON contains a text with FUZZ_FAULTS=<text>,
 * otherwise a part that the seed chooses.
 */
export function faultCases<T>(all: readonly T[], usual: number): readonly T[] {
  const chosen = process.env.FUZZ_FAULTS ?? "";
  if (chosen === "all") return all;
  if (chosen !== "") return all.filter((each) => JSON.stringify(each).includes(chosen));
  // A prime distance visits every case once, and is in step with no dimension of the matrix.
  return all.filter((_, index) => (index * 7919 + SEED) % all.length < runs(usual));
}

function seedIn(chosen = "20261122"): number {
  return chosen === "random" ? Math.floor(Math.random() * 2 ** 31) : positive("FUZZ_SEED", chosen);
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`${name} must be a whole number above 0, not "${text}"`);
  return number;
}
