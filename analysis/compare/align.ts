import type { FormulaKeys } from "../formula/key.js";
import type { Step } from "../program/steps.js";

/** When and where a step acts, and what it does: steps with the same key do the same to every request that reaches them. */
function stepKey({ guard, effect, phase, level }: Step, keys: FormulaKeys): string {
  return `${phase} ${level} ${keys.of(guard)} > ${effect.key}`;
}

export interface ChangedSteps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  /** The number of unchanged steps before each changed step. */
  readonly slots: ReadonlyMap<Step, number>;
}

/** The steps of each list without a counterpart in the other, in the same order. */
export function changedSteps(before: readonly Step[], after: readonly Step[], keys: FormulaKeys): ChangedSteps {
  const places = new Map<string, number[]>();
  before.forEach((step, index) => {
    const key = stepKey(step, keys);
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  });
  const pairs = after.flatMap((step, index) => {
    const place = places.get(stepKey(step, keys))?.shift();
    return place === undefined ? [] : [{ place, index }];
  });
  const kept = longestIncreasing(pairs.map(({ place }) => place)).flatMap((at) => pairs[at] ?? []);
  const keptBefore = new Set(kept.map(({ place }) => place));
  const keptAfter = new Set(kept.map(({ index }) => index));
  return {
    before: before.filter((_, index) => !keptBefore.has(index)),
    after: after.filter((_, index) => !keptAfter.has(index)),
    slots: new Map([...slotsOf(before, keptBefore), ...slotsOf(after, keptAfter)]),
  };
}

function slotsOf(steps: readonly Step[], kept: ReadonlySet<number>): readonly (readonly [Step, number])[] {
  let slot = 0;
  return steps.map((step, index) => {
    if (kept.has(index)) slot += 1;
    return [step, slot] as const;
  });
}

/** Positions of a longest increasing subsequence. */
function longestIncreasing(values: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const previous: number[] = [];
  values.forEach((value, at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (ends[low - 1] ?? -1));
    ends[low] = at;
  });
  const found: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) found.push(at);
  return found.reverse();
}
