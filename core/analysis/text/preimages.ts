import { lowerAscii, upperAscii } from "../../language/bytes.js";
import type { Bytes } from "../../language/value.js";
import { containsValue, toIntervals, type Intervals } from "../values/intervals.js";
import { decodeUrl } from "../../language/compile/functions/encoding.js";
import { percentEncodeBytes } from "../../language/request/target.js";
import { lazily, runOver, type Automaton, type TextBase } from "./automaton.js";

// Maps a set of a function's results to the set of strings that produce them.

export type Preimage = (base: TextBase) => TextBase;

export const ofLower: Preimage = (base) =>
  ofCase(base, "lower", lowerAscii, (byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
export const ofUpper: Preimage = (base) =>
  ofCase(base, "upper", upperAscii, (byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte));

function ofCase(
  base: TextBase,
  name: string,
  fold: (bytes: Bytes) => Bytes,
  foldByte: (byte: number) => number,
): TextBase {
  if (base.lengths !== undefined) return base;
  return {
    key: `${name}(${base.key})`,
    has: (bytes) => base.has(fold(bytes)),
    automaton: lazily(() => {
      const inner = base.automaton();
      return {
        ...inner,
        step: (state, byte) => inner.step(state, foldByte(byte)),
        classes: Uint8Array.from({ length: 256 }, (_, byte) => inner.classes[foldByte(byte)] ?? 0),
      };
    }),
  };
}

/** Numbers for states that consist of several values. */
function numbered<T extends readonly unknown[]>(): { of: (state: T) => number; get: (number: number) => T } {
  const numbers = new Map<string, number>();
  const all: T[] = [];
  return {
    of: (state) => {
      const key = state.join(" ");
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, all.length);
      return all.push(state) - 1;
    },
    get: (number) => all[number] as T,
  };
}

/** `substring(x, from, to)`, without positions from the end. */
export function ofSubstring(from: number, to: number | undefined): Preimage {
  const lengthOf = (length: number): number => Math.max(Math.min(to ?? length, length) - from, 0);
  return onLengths(lengthOf, from + (to ?? 0) + 1, ofPositions(from, to));
}

function ofPositions(from: number, to: number | undefined): Preimage {
  return (base) => ({
    key: `substring(${String(from)}, ${String(to)}, ${base.key})`,
    has: (bytes) => base.has(bytes.slice(from, to)),
    automaton: lazily(() => {
      const inner = base.automaton();
      // Inner states are numbered here, paired with the position as long as it matters.
      const most = to ?? from;
      const width = most + 1;
      const ids = new Map<number, number>();
      const states: number[] = [];
      const pack = (position: number, state: number): number => {
        let id = ids.get(state);
        if (id === undefined) {
          id = states.push(state) - 1;
          ids.set(state, id);
        }
        return id * width + Math.min(position, most);
      };
      const unpack = (packed: number): number => states[Math.floor(packed / width)] ?? 0;
      return {
        start: pack(0, inner.start),
        step: (packed, byte) => {
          const position = packed % width;
          const state = unpack(packed);
          const reads = position >= from && (to === undefined || position < to);
          return pack(position + 1, reads ? inner.step(state, byte) : state);
        },
        accepts: (packed) => inner.accepts(unpack(packed)),
        settled: (packed) => inner.settled(unpack(packed)),
        classes: inner.classes,
      };
    }),
  });
}

/** `concat("before", x, "after")`. */
export function ofConcat(before: Bytes, after: Bytes): Preimage {
  return onLengths((length) => length + before.length + after.length, 0, between(before, after));
}

function between(before: Bytes, after: Bytes): Preimage {
  return (base) => ({
    key: `concat(${JSON.stringify([before, after])}, ${base.key})`,
    has: (bytes) => base.has(before + bytes + after),
    automaton: lazily(() => {
      const inner = base.automaton();
      const run = (state: number, bytes: Bytes): number => runOver(inner, state, bytes);
      return { ...inner, start: run(inner.start, before), accepts: (state) => inner.accepts(run(state, after)) };
    }),
  });
}

/** What was read of an escape: nothing, the percent sign, or its first digit as well, by its code. */
const [NO_ESCAPE, PERCENT] = [0, 1];
const HEX = "0123456789abcdefABCDEF";

/** `url_decode(x)`: `%HH` is a byte, and `+` a space. */
export const ofUrlDecode: Preimage = (base) => ({
  key: `url_decode(${base.key})`,
  has: (bytes) => base.has(decodeUrl(bytes, false, false)),
  automaton: lazily(() => {
    const inner = base.automaton();
    const states = numbered<readonly [at: number, escape: number]>();
    const isHex = (byte: number): boolean => HEX.includes(String.fromCharCode(byte));
    const flush = ([at, escape]: readonly [number, number]): number => {
      if (escape === NO_ESCAPE) return at;
      const after = inner.step(at, 0x25);
      return escape === PERCENT ? after : inner.step(after, escape);
    };
    const begin = (at: number, byte: number): number =>
      byte === 0x25 ? states.of([at, PERCENT]) : states.of([inner.step(at, byte === 0x2b ? 0x20 : byte), NO_ESCAPE]);
    return {
      start: states.of([inner.start, NO_ESCAPE]),
      step: (state, byte) => {
        const [at, escape] = states.get(state);
        if (escape === NO_ESCAPE || !isHex(byte)) return begin(flush([at, escape]), byte);
        if (escape === PERCENT) return states.of([at, byte]);
        const code = parseInt(String.fromCharCode(escape, byte), 16);
        return states.of([inner.step(at, code), NO_ESCAPE]);
      },
      accepts: (state) => inner.accepts(flush(states.get(state))),
      settled: (state) => {
        const [at, escape] = states.get(state);
        return escape === NO_ESCAPE ? inner.settled(at) : undefined;
      },
      // Each digit of an escape is read in its own way.
      classes: splitClasses(inner, `%+${HEX}`),
    };
  }),
});

const [SLASH, QUESTION] = [0x2f, 0x3f];
const ENCODED = Array.from({ length: 256 }, (_, byte) => percentEncodeBytes(String.fromCharCode(byte)));

/** What a rewrite makes of the text of its value. */
export function rewrittenText(part: "path" | "query", bytes: Bytes): Bytes {
  return percentEncodeBytes(part === "query" || bytes.startsWith("/") ? bytes : `/${bytes}`);
}

/** A URI whose path is rewritten to itself: what no URL contains is percent-encoded before the first `?`. */
export const ofRewrittenUri: Preimage = (base) => ({
  key: `rewritten uri(${base.key})`,
  has: (bytes) => {
    const at = bytes.indexOf("?");
    return base.has(at < 0 ? percentEncodeBytes(bytes) : percentEncodeBytes(bytes.slice(0, at)) + bytes.slice(at));
  },
  automaton: lazily(() => {
    const inner = base.automaton();
    const states = numbered<readonly [at: number, isOver: boolean]>();
    return {
      start: states.of([inner.start, false]),
      step: (state, byte) => {
        const [at, isOver] = states.get(state);
        const bytes = isOver ? String.fromCharCode(byte) : (ENCODED[byte] ?? "");
        return states.of([runOver(inner, at, bytes), isOver || byte === QUESTION]);
      },
      accepts: (state) => inner.accepts(states.get(state)[0]),
      settled: (state) => inner.settled(states.get(state)[0]),
      classes: classesBy(
        (byte) => `${encodedClasses(inner, byte)} ${String(inner.classes[byte])} ${String(byte === QUESTION)}`,
      ),
    };
  }),
});

/** What a rewrite makes of a string: it percent-encodes what no URL contains, and a path begins with `/`. */
export function ofRewritten(part: "path" | "query"): Preimage {
  return (base) => ({
    key: `rewritten ${part}(${base.key})`,
    has: (bytes) => base.has(rewrittenText(part, bytes)),
    automaton: lazily(() => {
      const inner = base.automaton();
      const slash = inner.step(inner.start, SLASH);
      const states = numbered<readonly [at: number, isBegun: boolean]>();
      const isBegun = part === "query";
      return {
        start: states.of([inner.start, isBegun]),
        step: (state, byte) => {
          const [at, begun] = states.get(state);
          return states.of([runOver(inner, begun || byte === SLASH ? at : slash, ENCODED[byte] ?? ""), true]);
        },
        accepts: (state) => {
          const [at, begun] = states.get(state);
          return inner.accepts(begun ? at : slash);
        },
        settled: (state) => {
          const [at, begun] = states.get(state);
          return begun ? inner.settled(at) : undefined;
        },
        classes: classesBy((byte) => `${encodedClasses(inner, byte)} ${String(byte === SLASH)}`),
      };
    }),
  });
}

function encodedClasses({ classes }: Automaton, byte: number): string {
  return Array.from(ENCODED[byte] ?? "", (one) => classes[one.charCodeAt(0)]).join(" ");
}

/** The classes of an automaton, where each of some bytes has its own. */
export function splitClasses(
  { classes }: Automaton,
  special: Bytes,
  fold = (byte: number): number => byte,
): Uint8Array {
  return classesBy((byte) => `${String(classes[fold(byte)])} ${String(special.indexOf(String.fromCharCode(byte)))}`);
}

/** Bytes with the same label are in one class. */
function classesBy(labelOf: (byte: number) => string): Uint8Array {
  const numbers = new Map<string, number>();
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    const label = labelOf(byte);
    const number = numbers.get(label) ?? numbers.size;
    numbers.set(label, number);
    return number;
  });
}

/** Strings whose length is in a set. The search counts lengths itself, because an automaton needs a state for each. */
export function ofLength(lengths: Intervals): TextBase {
  return {
    key: `len ${lengths.join(" ")}`,
    lengths,
    has: (bytes) => containsValue(lengths, BigInt(bytes.length)),
    automaton: lazily(() => {
      const most = lastChange(lengths);
      if (most > MOST_COUNTED) throw new RangeError("too many states");
      const accepts = (state: number): boolean => containsValue(lengths, BigInt(state));
      return {
        start: 0,
        step: (state) => Math.min(state + 1, most),
        accepts,
        settled: (state) => (state === most ? accepts(state) : undefined),
        classes: new Uint8Array(256),
      };
    }),
  };
}

const MOST_COUNTED = 5000;
const LONGEST = 2n ** 63n - 1n;

/** The length from which on all lengths are in the set, or none is. */
export function lastChange(lengths: Intervals): number {
  const ends = lengths.flatMap(([first, last]) => (last >= LONGEST ? [first] : [first, last + 1n]));
  return ends.reduce((most, end) => Math.max(most, Number(end)), 0);
}

/**
 * For a set of lengths, the lengths of the strings from which a function makes strings of such a length.
 * @param more how much longer these are at most
 */
function onLengths(lengthOf: (length: number) => number, more: number, others: Preimage): Preimage {
  return (base) => {
    const { lengths } = base;
    if (lengths === undefined) return others(base);
    const most = lastChange(lengths) + more;
    if (most > MOST_COUNTED) return others(base);
    const all = Array.from({ length: most + 1 }, (_, length) => length);
    const fitting = all.filter((length) => containsValue(lengths, BigInt(lengthOf(length))));
    return ofLength(toIntervals(fitting.map((length) => [BigInt(length), length === most ? LONGEST : BigInt(length)])));
  };
}
