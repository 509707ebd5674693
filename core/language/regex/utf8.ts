import type { Range } from "./tree.js";

const LIMITS = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/** The code points from `first` to `last` as sequences of byte ranges that cover their UTF-8 encodings. */
export function utf8Sequences(first: number, last: number): readonly (readonly Range[])[] {
  if (first > last) return [];
  // Surrogates are not characters.
  if (first < 0xd800 && last >= 0xd800) return [...utf8Sequences(first, 0xd7ff), ...utf8Sequences(0xd800, last)];
  if (first >= 0xd800 && first <= 0xdfff) return utf8Sequences(0xe000, last);
  const limit = LIMITS.find((one) => first <= one) ?? 0x10ffff;
  if (last > limit) return [...utf8Sequences(first, limit), ...utf8Sequences(limit + 1, last)];
  return split(first, last, LIMITS.indexOf(limit));
}

/** Splits until only the last bytes differ, or whole blocks are covered. */
function split(first: number, last: number, continuation: number): readonly (readonly Range[])[] {
  for (let level = 1; level <= continuation; level += 1) {
    const mask = (1 << (6 * level)) - 1;
    if ((first & ~mask) === (last & ~mask)) continue;
    if ((first & mask) !== 0) {
      return [...split(first, first | mask, continuation), ...split((first | mask) + 1, last, continuation)];
    }
    if ((last & mask) !== mask) {
      return [...split(first, (last & ~mask) - 1, continuation), ...split(last & ~mask, last, continuation)];
    }
  }
  const from = encode(first);
  const to = encode(last);
  return [from.map((byte, index) => [byte, to[index] ?? byte] as const)];
}

function encode(point: number): number[] {
  return Array.from(Buffer.from(String.fromCodePoint(point), "utf8"));
}
