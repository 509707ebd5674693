/** The smallest set of refs that must move to get from one order to the other: all outside a longest increasing subsequence. */
export function movedRefs(before: readonly string[], after: readonly string[]): string[] {
  const position = new Map(before.map((ref, index) => [ref, index]));
  const staying = new Set(longestIncreasing(after.map((ref) => position.get(ref) ?? -1)));
  return after.filter((_, index) => !staying.has(index));
}

/** Indexes of a longest increasing subsequence, by patience sorting. */
export function longestIncreasing(values: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: number[] = [];
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const result: number[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) result.push(index);
  return result.reverse();
}
