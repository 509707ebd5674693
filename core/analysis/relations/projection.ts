import { lowerAscii } from "../../language/bytes.js";
import type { Bytes } from "../../language/value.js";
import { splitClasses } from "../text/preimages.js";
import { lazily, type Automaton, type TextBase } from "../text/automaton.js";

/** What a byte of a URL means for one of its parts: it belongs to it, does not, or the part begins anew after it. */
type Reading = "take" | "skip" | "restart";

/** How a part is read from a URL, byte by byte. */
export interface Projection {
  readonly name: string;
  readonly start: number;
  readonly step: (state: number, byte: number) => { readonly state: number; readonly reading: Reading };
  /** Whether the bytes up to here belong to the part; otherwise it is empty. */
  readonly counts: (state: number) => boolean;
  /** Whether nothing after this state belongs to the part. */
  readonly isOver: (state: number) => boolean;
  /** Bytes that are read in their own way. */
  readonly special: Bytes;
  readonly toLower: boolean;
}

const [SLASH, DOT] = [0x2f, 0x2e];

const TAKES_ALL = { start: 0, counts: () => true, isOver: () => false, toLower: false } as const;

/** Reads a text before the first occurrence of a byte, that byte, and what follows in their own ways. */
function aroundFirst(
  name: string,
  special: Bytes,
  [before, at, after]: readonly [Reading, Reading, Reading],
): Projection {
  const own = special.charCodeAt(0);
  return {
    ...TAKES_ALL,
    ...{ name, special },
    step: (state, byte) => {
      if (state === 1) return { state: 1, reading: after };
      return byte === own ? { state: 1, reading: at } : { state: 0, reading: before };
    },
    isOver: (state) => state === 1 && after === "skip",
  };
}

export const PATH_OF_URI = aroundFirst("path", "?", ["take", "skip", "skip"]);
export const QUERY_OF_URI = aroundFirst("query", "?", ["skip", "skip", "take"]);
/** The query with its `?`. */
export const SEARCH_OF_URI = aroundFirst("search", "?", ["skip", "take", "take"]);
/** `http` or `https`. */
export const SCHEME_OF_URL = aroundFirst("scheme", ":", ["take", "skip", "skip"]);

/** Reads a URL by the number of slashes so far, the third of which begins the URI. */
function bySlashes(
  name: string,
  isTaken: (slashes: number, byte: number) => boolean,
  isOver: (slashes: number) => boolean,
): Projection {
  return {
    ...TAKES_ALL,
    ...{ name, isOver, special: "/" },
    step: (state, byte) => {
      const next = byte === SLASH ? Math.min(state + 1, 3) : state;
      return { state: next, reading: isTaken(next, byte) ? "take" : "skip" };
    },
  };
}

/** `https://` and the host. */
export const ORIGIN_OF_URL = bySlashes(
  "origin",
  (slashes) => slashes < 3,
  (slashes) => slashes === 3,
);
/** After `https://` and the host. */
export const URI_OF_URL = bySlashes(
  "uri",
  (slashes) => slashes === 3,
  () => false,
);
/** Between `https://` and the next slash. */
export const HOST_OF_URL = bySlashes(
  "host",
  (slashes, byte) => slashes === 2 && byte !== SLASH,
  (slashes) => slashes === 3,
);

/** After the last slash. */
export const BASENAME_OF_PATH: Projection = {
  ...TAKES_ALL,
  name: "basename",
  step: (_, byte) => ({ state: 0, reading: byte === SLASH ? "restart" : "take" }),
  special: "/",
};

/** After the last dot of the last segment, unless that is its first byte. */
export const EXTENSION_OF_PATH: Projection = {
  ...TAKES_ALL,
  name: "extension",
  // 0: at the beginning of a segment, or after a dot there. 1: inside it, without a dot. 2: after a dot.
  step: (state, byte) => {
    if (byte === SLASH) return { state: 0, reading: "restart" };
    if (byte === DOT) return { state: state === 0 ? 1 : 2, reading: "restart" };
    return { state: state === 2 ? 2 : 1, reading: state === 2 ? "take" : "skip" };
  },
  counts: (state) => state === 2,
  special: "/.",
  toLower: true,
};

/** The part of a URL. */
export function project({ start, step, counts, toLower }: Projection, whole: Bytes): Bytes {
  let [state, part] = [start, ""];
  for (let at = 0; at < whole.length; at += 1) {
    const { state: next, reading } = step(state, whole.charCodeAt(at));
    state = next;
    if (reading === "restart") part = "";
    else if (reading === "take") part += whole.charAt(at);
  }
  if (!counts(state)) return "";
  return toLower ? lowerAscii(part) : part;
}

const made = new WeakMap<TextBase, Map<string, TextBase>>();

/** The strings whose part is in a set. */
export function ofProjection(projection: Projection, base: TextBase): TextBase {
  const known = made.get(base) ?? new Map<string, TextBase>();
  made.set(base, known);
  const found = known.get(projection.name) ?? makeBase(projection, base);
  known.set(projection.name, found);
  return found;
}

function makeBase(projection: Projection, base: TextBase): TextBase {
  return {
    key: `${projection.name} of (${base.key})`,
    has: (bytes) => base.has(project(projection, bytes)),
    automaton: lazily(() => makeAutomaton(projection, base.automaton())),
  };
}

function makeAutomaton({ start, step, counts, isOver, special, toLower }: Projection, inner: Automaton): Automaton {
  const numbers = new Map<string, number>();
  const states: (readonly [own: number, inner: number])[] = [];
  const pack = (own: number, at: number): number => {
    const key = `${String(own)} ${String(at)}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    return states.push([own, at]) - 1;
  };
  const fold = (byte: number): number => (toLower && byte >= 65 && byte <= 90 ? byte + 32 : byte);
  const ends = ([own, at]: readonly [number, number]): boolean => inner.accepts(counts(own) ? at : inner.start);
  return {
    start: pack(start, inner.start),
    step: (packed, byte) => {
      const [own, at] = states[packed] ?? [start, inner.start];
      const { state, reading } = step(own, byte);
      return pack(state, reading === "take" ? inner.step(at, fold(byte)) : reading === "skip" ? at : inner.start);
    },
    accepts: (packed) => ends(states[packed] ?? [start, inner.start]),
    settled: (packed) => {
      const state = states[packed] ?? [start, inner.start];
      return isOver(state[0]) ? ends(state) : undefined;
    },
    classes: splitClasses(inner, special, fold),
  };
}
