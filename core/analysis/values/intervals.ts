/** Sorted, disjoint intervals of whole numbers, both ends included. */
export type Intervals = readonly (readonly [first: bigint, last: bigint])[];

export const EMPTY: Intervals = [];

/** Intervals in any order, overlapping or not. */
export function toIntervals(ranges: readonly (readonly [first: bigint, last: bigint])[]): Intervals {
  if (ranges.length < 2) return ranges;
  const sorted = ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const merged: [bigint, bigint][] = [];
  for (const [first, last] of sorted) {
    const previous = merged.at(-1);
    if (previous === undefined || first > previous[1] + 1n) merged.push([first, last]);
    else if (last > previous[1]) previous[1] = last;
  }
  return merged;
}

export function union(a: Intervals, b: Intervals): Intervals {
  if (a.length === 0) return b;
  return b.length === 0 ? a : toIntervals([...a, ...b]);
}

export function intersect(a: Intervals, b: Intervals): Intervals {
  const both: (readonly [bigint, bigint])[] = [];
  for (let i = 0, j = 0; ;) {
    const one = a[i];
    const other = b[j];
    if (one === undefined || other === undefined) return both;
    const first = one[0] > other[0] ? one[0] : other[0];
    const last = one[1] < other[1] ? one[1] : other[1];
    if (first <= last) both.push([first, last]);
    if (one[1] < other[1]) i += 1;
    else j += 1;
  }
}

/** The part of the whole that is not in the set. */
export function without(whole: Intervals, set: Intervals): Intervals {
  const gaps: (readonly [bigint, bigint])[] = [];
  let j = 0;
  for (const [first, last] of whole) {
    let from = first;
    while (set[j] !== undefined && (set[j] as readonly [bigint, bigint])[1] < from) j += 1;
    for (let k = j; ; k += 1) {
      const next = set[k];
      if (next === undefined || next[0] > last) break;
      if (next[0] > from) gaps.push([from, next[0] - 1n]);
      if (next[1] >= from) from = next[1] + 1n;
    }
    if (from <= last) gaps.push([from, last]);
  }
  return gaps;
}

export function containsValue(set: Intervals, value: bigint): boolean {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((set[middle]?.[0] ?? 0n) <= value) low = middle + 1;
    else high = middle;
  }
  const found = set[low - 1];
  return found !== undefined && value <= found[1];
}
