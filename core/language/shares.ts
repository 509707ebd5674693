import type { CallOperand, Operand } from "./ast.js";
import { isOperand } from "./ast.js";

/** The field whose hash divides requests at random. */
const SEED = "cf.random_seed";

/** A range of numbers over which requests are distributed at random: from `low` to below `high`. */
export interface ShareRange {
  readonly low: number;
  readonly high: number;
}

/**
 * The range of `hash_in_range(low, high, cf.random_seed)`. The seed of a request is random, so every number of the range is as
 * likely as any other; the hash of other fields is fixed, and not public.
 */
export function shareOf(operand: Operand): ShareRange | undefined {
  if (!isHash(operand) || operand.args.length !== 3) return undefined;
  const [first, second, seed] = operand.args;
  if (first?.kind !== "integer" || second?.kind !== "integer" || seed === undefined || !isOperand(seed))
    return undefined;
  const isSeed = seed.kind === "field" && seed.name === SEED && seed.path.length === 0;
  const [low, high] = [Number(first.value), Number(second.value)];
  return isSeed && Number.isSafeInteger(low) && Number.isSafeInteger(high - low) && low < high
    ? { low, high }
    : undefined;
}

function isHash(operand: Operand): operand is CallOperand {
  return operand.kind === "call" && operand.name === "hash_in_range" && operand.path.length === 0 && !operand.mapped;
}

/** The number that a request gets, by where its seed lies among all seeds. */
export function numberOfDraw({ low, high }: ShareRange, draw: number): number {
  return low + Math.floor(draw * (high - low));
}

/** Where the seed of a request lies that gets a number: in the middle of those that do. */
export function drawOfNumber({ low, high }: ShareRange, number: number): number {
  return (number - low + 0.5) / (high - low);
}

/** The fraction of the golden ratio: multiples of it spread more evenly over the numbers from 0 to 1 than random ones. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The draw of the request with a number: of any requests in a row, about as many are in a share as it says. */
export function drawOfRequest(count: number): number {
  return (0.5 + count * GOLDEN) % 1;
}
