import type { Bytes } from "../../language/value.js";
import type { TextBase } from "../text/automaton.js";
import { fitsClause, type Clause } from "../formula/formula.js";
import type { Budget } from "./budget.js";
import { findByLength } from "./find-by-length.js";
import { lettersOf } from "./letters.js";
import { GIVEN_UP, NONE, type FoundText } from "./found-text.js";

export type { FoundText } from "./found-text.js";

interface TextPreferences {
  readonly examples: readonly Bytes[];
  readonly readable?: TextBase;
}

/** The strings of the shortest list that a clause consists of, and the first of them that is not ruled out. */
export interface ListedTexts {
  readonly texts: readonly Bytes[];
  readonly at: number;
}

/** The shorter list: of the clauses so far, or of another one. */
export function shorterList(known: ListedTexts | undefined, clause: Clause): ListedTexts | undefined {
  if (!clause.every(({ base, positive }) => positive && base.values !== undefined)) return known;
  const size = clause.reduce((sum, { base }) => sum + (base.values?.size ?? 0), 0);
  if (known !== undefined && known.texts.length <= size) return known;
  return { texts: clause.flatMap(({ base }) => Array.from(base.values ?? [])), at: 0 };
}

/** The first string of a list that satisfies all clauses and reads well, or the first that satisfies them. */
export function findListed(
  { texts, at: from }: ListedTexts,
  clauses: readonly Clause[],
  { readable }: TextPreferences,
  budget: Budget,
): { readonly found: FoundText; readonly list: ListedTexts } {
  const fits = (text: Bytes): boolean => clauses.every((clause) => fitsClause(clause, text));
  for (let at = from; at < texts.length; at += 1) {
    const text = texts[at] as Bytes;
    budget.spend(clauses.length);
    if (fits(text) && readable?.has(text) !== false) return { found: { kind: "text", text }, list: { texts, at } };
  }
  budget.spend(texts.length * clauses.length);
  const text = texts.find(fits);
  return { found: text === undefined ? NONE : { kind: "text", text }, list: { texts, at: texts.length } };
}

/** A string that satisfies all clauses, none of which is a list, preferably one that reads well. */
export function findText(clauses: readonly Clause[], wish: TextPreferences, budget: Budget): FoundText {
  const fits = (text: Bytes): boolean => clauses.every((clause) => fitsClause(clause, text));
  const example = wish.examples.find(fits);
  if (example !== undefined) return { kind: "text", text: example };
  const found = search(clauses, budget);
  if (found.kind !== "text" || wish.readable === undefined || wish.readable.has(found.text)) return found;
  const readable = search([...clauses, [{ base: wish.readable, positive: true }]], budget);
  return readable.kind === "text" ? readable : found;
}

const MAX_STATES = 4000;

interface Visited {
  readonly states: readonly number[];
  readonly from: number;
  readonly byte: number;
}

/** The shortest string, found by breadth-first search over the product of all automata. */
function search(clauses: readonly Clause[], budget: Budget): FoundText {
  try {
    const isCounted = clauses.some((clause) => clause.some(({ base }) => base.lengths !== undefined));
    return isCounted ? findByLength(clauses, budget) : walk(clauses, budget);
  } catch (error) {
    // An automaton that grew too large.
    if (error instanceof RangeError) return GIVEN_UP;
    throw error;
  }
}

function walk(clauses: readonly Clause[], budget: Budget): FoundText {
  const bases = Array.from(new Set(clauses.flatMap((clause) => clause.map(({ base }) => base))));
  const automata = bases.map((base) => base.automaton());
  const checks = clauses.map((clause) =>
    clause.map(({ base, positive }) => ({ index: bases.indexOf(base), positive })),
  );
  const letters = lettersOf(automata);
  const visited: Visited[] = [{ states: automata.map(({ start }) => start), from: -1, byte: 0 }];
  const seen = new Set<string>();
  for (let at = 0; at < visited.length; at += 1) {
    const { states } = visited[at] as Visited;
    const ends = checks.every((clause) =>
      clause.some(({ index, positive }) => automata[index]?.accepts(states[index] ?? 0) === positive),
    );
    if (ends) return { kind: "text", text: textTo(visited, at) };
    budget.spend(letters.length * automata.length);
    if (visited.length > MAX_STATES || budget.isSpent) return GIVEN_UP;
    for (const byte of letters) {
      const next = automata.map((automaton, index) => automaton.step(states[index] ?? 0, byte));
      const key = next.join(" ");
      if (seen.has(key)) continue;
      seen.add(key);
      const isOpen = checks.every((clause) =>
        clause.some(({ index, positive }) => automata[index]?.settled(next[index] ?? 0) !== !positive),
      );
      if (isOpen) visited.push({ states: next, from: at, byte });
    }
  }
  return NONE;
}

function textTo(visited: readonly Visited[], end: number): Bytes {
  const bytes: number[] = [];
  for (let at = end; at > 0; at = visited[at]?.from ?? 0) bytes.push(visited[at]?.byte ?? 0);
  return String.fromCharCode(...bytes.reverse());
}
