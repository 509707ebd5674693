import { longestIncreasing } from "../../simulator/moves.js";
import type { FormulaKeys } from "../formula/key.js";
import type { Step } from "../program/steps.js";

/** When and where a step acts, and what it does: steps with the same key do the same to every request that reaches them. */
function stepKey(step: Step, keys: FormulaKeys): string {
  return `${keys.of(step.guard)} ${placeKey(step)}`;
}

/** When and where a step acts, and what it does, without the exceptions from it. */
function entryKey(step: Step, keys: FormulaKeys): string {
  return `${keys.of(step.entry)} ${placeKey(step)}`;
}

function placeKey({ effect, phase, level, isApart }: Step): string {
  return `${phase} ${level} ${String(isApart)} > ${effect.key}`;
}

export interface ChangedSteps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  /** The number of unchanged steps before each changed step. */
  readonly slots: ReadonlyMap<Step, number>;
  /**
   * Changed steps and their counterparts in the other list that differ only in their exceptions. They are in the same order in
   * both lists, among themselves and among the unchanged steps.
   */
  readonly counterparts: ReadonlyMap<Step, Step>;
}

/** The steps of each list without a counterpart in the other, in the same order. */
export function changedSteps(before: readonly Step[], after: readonly Step[], keys: FormulaKeys): ChangedSteps {
  const same = pairsInOrder(before, after, (step) => stepKey(step, keys));
  const kept = new Set(same.flat());
  const isChanged = (step: Step): boolean => !kept.has(step);
  const changed = { before: before.filter(isChanged), after: after.filter(isChanged) };
  const slots = new Map([...slotsOf(before, kept), ...slotsOf(after, kept)]);
  const keyInSlot = (step: Step): string => `${String(slots.get(step))} ${entryKey(step, keys)}`;
  const counterparts = pairsInOrder(changed.before, changed.after, keyInSlot);
  return {
    ...changed,
    slots,
    counterparts: new Map(
      counterparts.flatMap(
        ([a, b]) =>
          [
            [a, b],
            [b, a],
          ] as const,
      ),
    ),
  };
}

/** Pairs of steps with the same key, in the same order in both lists. */
function pairsInOrder(
  before: readonly Step[],
  after: readonly Step[],
  keyOf: (step: Step) => string,
): readonly (readonly [Step, Step])[] {
  const places = Map.groupBy(before.keys(), (index) => keyOf(before[index] as Step));
  const pairs = after.flatMap((step) => {
    const place = places.get(keyOf(step))?.shift();
    return place === undefined ? [] : [{ place, step }];
  });
  return longestIncreasing(pairs.map(({ place }) => place)).flatMap((at) => {
    const [pair, old] = [pairs[at], before[pairs[at]?.place ?? -1]];
    return pair === undefined || old === undefined ? [] : [[old, pair.step] as const];
  });
}

function slotsOf(steps: readonly Step[], kept: ReadonlySet<Step>): readonly (readonly [Step, number])[] {
  let slot = 0;
  return steps.map((step) => {
    if (kept.has(step)) slot += 1;
    return [step, slot] as const;
  });
}
