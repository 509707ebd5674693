import type { Bytes } from "../../language/value.js";
import type { Intervals } from "../values/intervals.js";

/** A deterministic automaton over bytes, whose states are created when first reached. */
export interface Automaton {
  readonly start: number;
  readonly step: (state: number, byte: number) => number;
  readonly accepts: (state: number) => boolean;
  /** Whether every string with this prefix is accepted, or none; undefined if that depends on the rest. */
  readonly settled: (state: number) => boolean | undefined;
  /** The class of each of the 256 bytes: bytes of one class lead from every state to the same one. */
  readonly classes: Uint8Array;
}

/** A set of strings. */
export interface TextBase {
  /** Equal keys mean equal sets. */
  readonly key: string;
  has(bytes: Bytes): boolean;
  /** All members, if they are few and known. */
  readonly values?: ReadonlySet<Bytes>;
  /** What every member begins with, if that is known. */
  readonly start?: Bytes;
  /** The lengths of its members, if it contains all strings of these lengths. */
  readonly lengths?: Intervals;
  /** Created on first use: most sets only need `has`. */
  automaton(): Automaton;
}

/** Runs an automaton over a whole string. */
export function accepts(automaton: Automaton, bytes: Bytes): boolean {
  return automaton.accepts(runOver(automaton, automaton.start, bytes));
}

/** The state to which a string leads from another one. */
export function runOver({ step }: Pick<Automaton, "step">, from: number, bytes: Bytes): number {
  let state = from;
  for (let at = 0; at < bytes.length; at += 1) state = step(state, bytes.charCodeAt(at));
  return state;
}

/** Gives every byte that occurs in one of the strings its own class; all others share one. */
export function classesOf(texts: Iterable<Bytes>): Uint8Array {
  const classes = new Uint8Array(256);
  let next = 1;
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) {
      const byte = text.charCodeAt(at);
      if (classes[byte] === 0 && next < 256) classes[byte] = next++;
    }
  }
  return classes;
}

/** Caches the result of the first call. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
