import type { Bytes } from "../../language/value.js";

/** A deterministic automaton over bytes, whose states are made when they are first reached. */
export interface Automaton {
  readonly start: number;
  readonly step: (state: number, byte: number) => number;
  readonly accepts: (state: number) => boolean;
  /** Whether all that begins like this is accepted, or none of it; undefined where that depends on the rest. */
  readonly settled: (state: number) => boolean | undefined;
  /** For each of the 256 bytes a class: bytes of one class lead from every state to the same one. */
  readonly classes: Uint8Array;
}

/** A set of texts. */
export interface TextBase {
  /** The same key, the same set. */
  readonly key: string;
  readonly has: (bytes: Bytes) => boolean;
  /** All members, where they are few and known. */
  readonly values?: ReadonlySet<Bytes>;
  /** Made on first use: most sets are only asked `has`. */
  readonly automaton: () => Automaton;
}

/** Runs an automaton over a whole text. */
export function accepts({ start, step, accepts: ends }: Automaton, bytes: Bytes): boolean {
  let state = start;
  for (let at = 0; at < bytes.length; at += 1) state = step(state, bytes.charCodeAt(at));
  return ends(state);
}

/** Gives every byte that occurs in one of the texts a class of its own; all others share one. */
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

/** Remembers what is made on the first call. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
