import { compileRegex } from "../../language/regex/engine.js";
import { parseRegex } from "../../language/regex/parse.js";
import type { Range, RegexNode } from "../../language/regex/tree.js";
import { utf8Sequences } from "../../language/regex/utf8.js";
import { accepts, lazily, type Automaton, type TextBase } from "./automaton.js";

/** Larger patterns stay opaque. */
const MAX_NODES = 1500;
const MAX_STATES = 3000;

/** An edge consumes a byte, is free, or is free only at the start or the end of the string. */
type Edge =
  | { readonly kind: "byte"; readonly ranges: readonly Range[]; readonly to: number }
  | { readonly kind: "free" | "text-start" | "text-end"; readonly to: number };

interface Graph {
  readonly edges: Edge[][];
}

class TooLarge extends Error {}

/**
 * Strings in which a pattern matches anywhere. Undefined for patterns without a small automaton: word and line boundaries, and
 * large counts.
 */
export function matching(pattern: string): TextBase | undefined {
  const parsed = parseRegex(pattern);
  if (!("kind" in parsed)) return undefined;
  const graph: Graph = { edges: [[]] };
  let end: number;
  try {
    end = append(graph, parsed, 0);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  const automaton = lazily(() => determinise(graph, end));
  const engine = lazily(() => compileRegex(pattern));
  return {
    key: `matches ${JSON.stringify(pattern)}`,
    has: (bytes) => {
      try {
        return accepts(automaton(), bytes);
      } catch {
        return engine()?.test(bytes) === true;
      }
    },
    automaton,
  };
}

function fresh({ edges }: Graph): number {
  if (edges.length >= MAX_NODES) throw new TooLarge();
  return edges.push([]) - 1;
}

/** Adds a node after `from` and returns where it ends. */
function append(graph: Graph, node: RegexNode, from: number): number {
  switch (node.kind) {
    case "flags":
      return from;
    case "capture":
      return append(graph, node.of, from);
    case "concat":
      return node.items.reduce((at, item) => append(graph, item, at), from);
    case "class":
      return appendClass(graph, node.ranges, node.unicode, from);
    case "assertion": {
      const { what } = node;
      if (what !== "text-start" && what !== "text-end") throw new TooLarge();
      const to = fresh(graph);
      graph.edges[from]?.push({ kind: what, to });
      return to;
    }
    case "alternate": {
      const to = fresh(graph);
      for (const item of node.items) {
        const begin = fresh(graph);
        free(graph, from, begin);
        free(graph, append(graph, item, begin), to);
      }
      return to;
    }
    case "repeat":
      return appendRepeat(graph, node, from);
  }
}

function free(graph: Graph, from: number, to: number): void {
  graph.edges[from]?.push({ kind: "free", to });
}

function appendClass(graph: Graph, ranges: readonly Range[], unicode: boolean, from: number): number {
  const to = fresh(graph);
  if (!unicode) {
    graph.edges[from]?.push({ kind: "byte", ranges, to });
    return to;
  }
  for (const sequence of ranges.flatMap(([first, last]) => utf8Sequences(first, last))) {
    let at = from;
    sequence.forEach((range, index) => {
      const next = index === sequence.length - 1 ? to : fresh(graph);
      graph.edges[at]?.push({ kind: "byte", ranges: [range], to: next });
      at = next;
    });
  }
  return to;
}

function appendRepeat(graph: Graph, { of, min, max }: Extract<RegexNode, { kind: "repeat" }>, from: number): number {
  let at = from;
  for (let count = 0; count < min; count += 1) at = append(graph, of, at);
  if (max === undefined) {
    const loop = fresh(graph);
    free(graph, at, loop);
    const body = fresh(graph);
    free(graph, loop, body);
    free(graph, append(graph, of, body), loop);
    return loop;
  }
  const to = fresh(graph);
  free(graph, at, to);
  for (let count = min; count < max; count += 1) {
    const body = fresh(graph);
    free(graph, at, body);
    at = append(graph, of, body);
    free(graph, at, to);
  }
  return to;
}

const FOUND = 0;
const UNKNOWN = -1;

/** Subset construction. The pattern may begin anywhere; once it has matched, the rest of the string does not matter. */
function determinise({ edges }: Graph, end: number): Automaton {
  const classes = byteClasses(edges);
  /** The next state by the class of a byte; `UNKNOWN` where nobody asked yet. */
  const newNext = (): Int16Array => new Int16Array((classes[255] ?? 0) + 1).fill(UNKNOWN);
  const states: { readonly places: readonly number[]; readonly ends: boolean; readonly next: Int16Array }[] = [
    { places: [], ends: true, next: newNext() },
  ];
  const known = new Map<string, number>();
  const begin = closure([0], edges, false);

  const intern = (places: readonly number[], atStart: boolean): number => {
    const reached = closure(places, edges, atStart);
    if (reached.has(end)) return FOUND;
    const sorted = Array.from(reached).sort((a, b) => a - b);
    const key = `${sorted.join(" ")}${atStart ? "^" : ""}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (states.length >= MAX_STATES) throw new RangeError("too many states");
    const ends = closure(sorted, edges, atStart, true).has(end);
    known.set(key, states.length);
    return states.push({ places: sorted, ends, next: newNext() }) - 1;
  };

  const step = (state: number, byte: number): number => {
    const from = states[state];
    if (state === FOUND || from === undefined) return FOUND;
    const label = classes[byte] ?? 0;
    const cached = from.next[label] ?? UNKNOWN;
    if (cached !== UNKNOWN) return cached;
    const places = new Set<number>(begin);
    for (const place of from.places) {
      for (const edge of edges[place] ?? []) {
        if (edge.kind === "byte" && edge.ranges.some(([first, last]) => first <= byte && byte <= last))
          places.add(edge.to);
      }
    }
    const to = intern(Array.from(places), false);
    from.next[label] = to;
    return to;
  };
  return {
    start: intern([0], true),
    step,
    accepts: (state) => states[state]?.ends === true,
    settled: (state) => (state === FOUND ? true : undefined),
    classes,
  };
}

/** All places that free edges lead to; edges for the end are only taken there. */
function closure(places: readonly number[], edges: readonly Edge[][], atStart: boolean, atEnd = false): Set<number> {
  const reached = new Set(places);
  for (const place of reached) {
    for (const edge of edges[place] ?? []) {
      const open =
        edge.kind === "free" || (edge.kind === "text-start" && atStart) || (edge.kind === "text-end" && atEnd);
      if (open) reached.add(edge.to);
    }
  }
  return reached;
}

/** Groups bytes that all ranges treat alike. */
function byteClasses(edges: readonly Edge[][]): Uint8Array {
  const cuts = new Uint8Array(257);
  for (const edge of edges.flat()) {
    if (edge.kind !== "byte") continue;
    for (const [first, last] of edge.ranges) {
      cuts[first] = 1;
      cuts[last + 1] = 1;
    }
  }
  let current = 0;
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte > 0 && cuts[byte] === 1) current += 1;
    return current;
  });
}
