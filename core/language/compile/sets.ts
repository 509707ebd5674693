import type { IpAddress, IpRange } from "../ip.js";
import type { Integer } from "../value.js";

type Bound = number | bigint;

/** Sorted ranges, merged where they touch or overlap. */
export function mergeRanges<T extends Bound>(
  ranges: readonly (readonly [first: T, last: T])[],
): readonly (readonly [first: T, last: T])[] {
  const sorted = ranges.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const merged: [T, T][] = [];
  for (const [first, last] of sorted) {
    const previous = merged.at(-1);
    if (previous === undefined || isGap(previous[1], first)) merged.push([first, last]);
    else if (last > previous[1]) previous[1] = last;
  }
  return merged;
}

function isGap(last: Bound, first: Bound): boolean {
  return BigInt(first) - BigInt(last) > 1n;
}

export function compileIntegerSet(ranges: readonly (readonly [Integer, Integer])[]): (value: Integer) => boolean {
  return searcher(mergeRanges<Bound>(ranges));
}

/** Compiles the addresses of each version separately. */
export function compileAddressSet(ranges: readonly IpRange[]): (address: IpAddress) => boolean {
  const v4 = numberSearcher(mergeRanges(bounds(ranges, 4)).map(([first, last]) => [Number(first), Number(last)]));
  const v6 = searcher(mergeRanges(bounds(ranges, 6)));
  return (address) => (address.version === 4 ? v4(address.value) : v6(address.value));
}

function bounds(ranges: readonly IpRange[], version: 4 | 6): (readonly [Bound, Bound])[] {
  return ranges
    .filter((range) => range.first.version === version)
    .map(({ first, last }) => [first.value, last.value] as const);
}

/** Binary search over numbers alone: it takes a fraction of the time. */
function numberSearcher(ranges: readonly (readonly [number, number])[]): (value: number) => boolean {
  const firsts = Float64Array.from(ranges, ([first]) => first);
  const lasts = Float64Array.from(ranges, ([, last]) => last);
  return (value) => {
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= (lasts[low - 1] as number);
  };
}

/** Binary search: the last range that begins at or before the value. */
function searcher(ranges: readonly (readonly [Bound, Bound])[]): (value: Bound) => boolean {
  const firsts = ranges.map(([first]) => first);
  const lasts = ranges.map(([, last]) => last);
  return (value) => {
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] as Bound) <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= (lasts[low - 1] as Bound);
  };
}
