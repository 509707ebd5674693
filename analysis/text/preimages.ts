import { lowerAscii, upperAscii } from "../../language/bytes.js";
import type { Bytes } from "../../language/value.js";
import { containsValue, type Intervals } from "../values/intervals.js";
import { lazily, type TextBase } from "./automaton.js";

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

/** `substring(x, from, to)` with positions from the beginning. */
export function ofSubstring(from: number, to: number | undefined): Preimage {
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
  return (base) => ({
    key: `concat(${JSON.stringify([before, after])}, ${base.key})`,
    has: (bytes) => base.has(before + bytes + after),
    automaton: lazily(() => {
      const inner = base.automaton();
      const run = (state: number, bytes: Bytes): number => {
        let at = state;
        for (let index = 0; index < bytes.length; index += 1) at = inner.step(at, bytes.charCodeAt(index));
        return at;
      };
      return { ...inner, start: run(inner.start, before), accepts: (state) => inner.accepts(run(state, after)) };
    }),
  });
}

/** The longest length that is counted exactly. */
export const MAX_LENGTH = 4096;

/** Strings whose length is in a set; the set must not distinguish lengths above `MAX_LENGTH`. */
export function ofLength(lengths: Intervals): TextBase {
  const most = MAX_LENGTH + 1;
  return {
    key: `len ${lengths.join(" ")}`,
    has: (bytes) => containsValue(lengths, BigInt(bytes.length)),
    automaton: lazily(() => {
      const spans = lengths.map(([first, last]) => [Number(first), Number(last)] as const);
      const accepts = (state: number): boolean => spans.some(([first, last]) => state >= first && state <= last);
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
