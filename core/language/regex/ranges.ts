import type { Range } from "./tree.js";

const MAX_BYTE = 0xff;
const MAX_POINT = 0x10ffff;

/** Sorted, merged where they overlap or touch. */
export function normaliseRanges(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function complement(ranges: readonly Range[], unicode: boolean): readonly Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [first, last] of normaliseRanges(ranges)) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  const max = unicode ? MAX_POINT : MAX_BYTE;
  return next > max ? gaps : [...gaps, [next, max]];
}

export function intersect(a: readonly Range[], b: readonly Range[]): readonly Range[] {
  const common: Range[] = [];
  for (const [first, last] of a) {
    for (const [from, to] of b) {
      if (from <= last && to >= first) common.push([Math.max(first, from), Math.min(last, to)]);
    }
  }
  return normaliseRanges(common);
}

export function subtract(a: readonly Range[], b: readonly Range[], unicode: boolean): readonly Range[] {
  return intersect(a, complement(b, unicode));
}

/** Adds the other case of every letter: of ASCII letters, or of all letters with Unicode. */
export function foldCase(ranges: readonly Range[], unicode: boolean): readonly Range[] {
  const folded: Range[] = [...ranges];
  for (const [first, last] of ranges) {
    addShifted(folded, Math.max(first, 0x41), Math.min(last, 0x5a), 32);
    addShifted(folded, Math.max(first, 0x61), Math.min(last, 0x7a), -32);
    if (unicode) addOtherCases(folded, Math.max(first, 0), last);
  }
  return normaliseRanges(folded);
}

function addShifted(to: Range[], first: number, last: number, by: number): void {
  if (first <= last) to.push([first + by, last + by]);
}

/** Non-ASCII letters that fold to one another, and the two that fold to ASCII letters. */
function addOtherCases(to: Range[], first: number, last: number): void {
  for (const [a, b] of casePairs()) {
    if (a >= first && a <= last) to.push([b, b]);
    if (b >= first && b <= last) to.push([a, a]);
  }
}

let pairs: readonly (readonly [number, number])[] | undefined;

/** All pairs of code points that differ only in case; one pair covers both directions. */
function casePairs(): readonly (readonly [number, number])[] {
  if (pairs !== undefined) return pairs;
  const found: [number, number][] = [];
  for (let point = 0x80; point <= 0x1e943; point += 1) {
    const character = String.fromCodePoint(point);
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      const code = other.codePointAt(0) ?? point;
      if (other !== character && other.length === String.fromCodePoint(code).length) found.push([point, code]);
    }
  }
  pairs = found;
  return pairs;
}
