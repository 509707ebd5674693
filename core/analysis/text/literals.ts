import type { Bytes } from "../../language/value.js";
import { classesOf, lazily, type Automaton, type TextBase } from "./automaton.js";

const REJECTED = -1;
const ACCEPTED = -2;

const settledAt = (state: number): boolean | undefined =>
  state === ACCEPTED ? true : state === REJECTED ? false : undefined;

/** Exactly these strings. */
export function oneOf(values: ReadonlySet<Bytes>): TextBase {
  return new Listed(values);
}

/** Most sets are only asked what they contain, so they are not sorted until the key or the automaton is needed. */
class Listed implements TextBase {
  private made: Automaton | undefined;

  constructor(readonly values: ReadonlySet<Bytes>) {}

  get key(): string {
    return `in ${JSON.stringify(Array.from(this.values).sort())}`;
  }

  has(bytes: Bytes): boolean {
    return this.values.has(bytes);
  }

  automaton(): Automaton {
    return (this.made ??= trie(Array.from(this.values).sort()));
  }
}

function trie(values: readonly Bytes[]): Automaton {
  const edges = [new Map<number, number>()];
  const ends = new Set<number>();
  for (const value of values) {
    let state = 0;
    for (let at = 0; at < value.length; at += 1) {
      const byte = value.charCodeAt(at);
      let next = edges[state]?.get(byte);
      if (next === undefined) {
        next = edges.length;
        edges.push(new Map<number, number>());
        edges[state]?.set(byte, next);
      }
      state = next;
    }
    ends.add(state);
  }
  return {
    start: values.length === 0 ? REJECTED : 0,
    step: (state, byte) => edges[state]?.get(byte) ?? REJECTED,
    accepts: (state) => ends.has(state),
    settled: settledAt,
    classes: classesOf(values),
  };
}

export function startingWith(start: Bytes): TextBase {
  return {
    key: `starts ${JSON.stringify(start)}`,
    start,
    has: (bytes) => bytes.startsWith(start),
    automaton: lazily(() => ({
      start: start === "" ? ACCEPTED : 0,
      step: (state, byte) => {
        if (state < 0) return state;
        if (start.charCodeAt(state) !== byte) return REJECTED;
        return state + 1 === start.length ? ACCEPTED : state + 1;
      },
      accepts: (state) => state === ACCEPTED,
      settled: settledAt,
      classes: classesOf([start]),
    })),
  };
}

export function endingWith(end: Bytes): TextBase {
  return {
    key: `ends ${JSON.stringify(end)}`,
    has: (bytes) => bytes.endsWith(end),
    automaton: lazily(() => {
      const follow = searching(end);
      return {
        start: 0,
        step: follow,
        accepts: (state) => state === end.length,
        settled: () => (end === "" ? true : undefined),
        classes: classesOf([end]),
      };
    }),
  };
}

export function containing(part: Bytes): TextBase {
  return {
    key: `contains ${JSON.stringify(part)}`,
    has: (bytes) => bytes.includes(part),
    automaton: lazily(() => {
      const follow = searching(part);
      return {
        start: 0,
        step: (state, byte) => (state === part.length ? state : follow(state, byte)),
        accepts: (state) => state === part.length,
        settled: (state) => (state === part.length ? true : undefined),
        classes: classesOf([part]),
      };
    }),
  };
}

/**
 * The transitions of the Knuth–Morris–Pratt algorithm: the state is the length of the part's prefix that ends at the current
 * position.
 */
export function searching(part: Bytes): (state: number, byte: number) => number {
  const failure = [0];
  for (let at = 1, length = 0; at < part.length; at += 1) {
    while (length > 0 && part[at] !== part[length]) length = failure[length - 1] ?? 0;
    if (part[at] === part[length]) length += 1;
    failure.push(length);
  }
  return (state, byte) => {
    let length = state;
    while (length > 0 && (length === part.length || part.charCodeAt(length) !== byte))
      length = failure[length - 1] ?? 0;
    return length < part.length && part.charCodeAt(length) === byte ? length + 1 : length;
  };
}

/** Strings before or after a given one in byte order. */
export function ordered(op: "lt" | "le" | "gt" | "ge", bound: Bytes): TextBase {
  const before = op === "lt" || op === "le";
  const withBound = op === "le" || op === "ge";
  const verdict = (less: boolean): number => (less === before ? ACCEPTED : REJECTED);
  return {
    key: `${op} ${JSON.stringify(bound)}`,
    has: (bytes) => (bytes === bound ? withBound : bytes < bound === before),
    automaton: lazily(() => ({
      start: 0,
      step: (state, byte) => {
        if (state < 0) return state;
        if (state === bound.length) return verdict(false);
        const wanted = bound.charCodeAt(state);
        return byte === wanted ? state + 1 : verdict(byte < wanted);
      },
      accepts: (state) => state === ACCEPTED || (state === bound.length ? withBound : state >= 0 && before),
      settled: settledAt,
      classes: orderClasses(bound),
    })),
  };
}

/** Bytes between two neighbouring bytes of the bound behave alike. */
function orderClasses(bound: Bytes): Uint8Array {
  const own = new Set(Array.from(bound, (byte) => byte.charCodeAt(0)));
  let current = 0;
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (own.has(byte)) current += 1;
    const found = current;
    if (own.has(byte)) current += 1;
    return Math.min(found, 255);
  });
}
