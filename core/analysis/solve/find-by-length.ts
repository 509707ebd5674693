import type { Bytes } from "../../language/value.js";
import type { Clause } from "../formula/formula.js";
import type { Automaton } from "../text/automaton.js";
import { lastChange } from "../text/preimages.js";
import { containsValue } from "../values/intervals.js";
import type { Budget } from "./budget.js";
import { GIVEN_UP, NONE, type FoundText } from "./found-text.js";
import { lettersOf } from "./letters.js";

/** The states of all automata after some string. */
interface ReachedStates {
  readonly key: string;
  readonly states: readonly number[];
  readonly before: ReachedStates | undefined;
  readonly byte: number;
}

type Layer = ReadonlyMap<string, ReachedStates>;

const MOST_LENGTH = 20_000;
const MOST_PLACES = 4000;

/**
 * A string that satisfies all clauses, some of which are about its length. Goes through the places that strings of each length
 * lead to: lengths need no states of their own, and places that repeat need no search.
 */
export function findByLength(clauses: readonly Clause[], budget: Budget): FoundText {
  const search = new LengthSearch(clauses, budget);
  return search.run();
}

class LengthSearch {
  private readonly automata: readonly Automaton[];
  private readonly indexes: ReadonlyMap<unknown, number>;
  private readonly letters: readonly number[];

  constructor(
    private readonly clauses: readonly Clause[],
    private readonly budget: Budget,
  ) {
    const counted = clauses.flatMap((clause) => clause.map(({ base }) => base));
    const bases = Array.from(new Set(counted.filter(({ lengths }) => lengths === undefined)));
    this.automata = bases.map((base) => base.automaton());
    this.indexes = new Map(bases.map((base, index) => [base, index]));
    this.letters = lettersOf(this.automata);
  }

  run(): FoundText {
    // From this length on, only the places matter.
    const same = this.clauses.flat().reduce((most, { base }) => Math.max(most, lastChange(base.lengths ?? [])), 0);
    if (same > MOST_LENGTH) return GIVEN_UP;
    const start = this.automata.map((automaton) => automaton.start);
    const first: ReachedStates = { key: start.join(" "), states: start, before: undefined, byte: 0 };
    let layer: Layer = new Map([[first.key, first]]);
    /** How places lead to one another, once strings of every length lead to the same ones. */
    let moves: Layer | undefined;
    const seen = new Set<string>();
    for (let length = 0; layer.size > 0; length += 1) {
      for (const place of layer.values()) if (this.ends(place, length)) return { kind: "text", text: textOf(place) };
      if (length >= same) {
        layer = new Map(Array.from(layer).filter(([key]) => !seen.has(key)));
        for (const key of layer.keys()) seen.add(key);
        moves = undefined;
      }
      this.budget.spend(layer.size);
      if (this.budget.isSpent || seen.size > MOST_PLACES || layer.size > MOST_PLACES) return GIVEN_UP;
      const next: Layer = moves === undefined ? this.after(layer) : moveOn(layer, moves);
      if (moves === undefined && haveSameKeys(layer, next)) moves = next;
      layer = next;
    }
    return NONE;
  }

  private ends({ states }: ReachedStates, length: number): boolean {
    return this.clauses.every((clause) =>
      clause.some(({ base, positive }) => {
        if (base.lengths !== undefined) return containsValue(base.lengths, BigInt(length)) === positive;
        const index = this.indexes.get(base) ?? 0;
        return this.automata[index]?.accepts(states[index] ?? 0) === positive;
      }),
    );
  }

  private after(layer: Layer): Layer {
    const places = new Map<string, ReachedStates>();
    this.budget.spend(layer.size * this.letters.length * this.automata.length);
    for (const before of layer.values()) {
      for (const byte of this.letters) {
        const states = this.automata.map((automaton, index) => automaton.step(before.states[index] ?? 0, byte));
        const key = states.join(" ");
        if (!places.has(key) && this.isOpen(states)) places.set(key, { key, states, before, byte });
      }
    }
    return places;
  }

  private isOpen(states: readonly number[]): boolean {
    return this.clauses.every((clause) =>
      clause.some(({ base, positive }) => {
        const index = this.indexes.get(base);
        return index === undefined || this.automata[index]?.settled(states[index] ?? 0) !== !positive;
      }),
    );
  }
}

function haveSameKeys(a: Layer, b: Layer): boolean {
  return a.size === b.size && Array.from(a.keys()).every((key) => b.has(key));
}

function moveOn(layer: Layer, moves: Layer): Layer {
  return new Map(
    Array.from(moves, ([key, move]) => [key, { ...move, before: layer.get(move.before?.key ?? "") }] as const),
  );
}

function textOf(place: ReachedStates): Bytes {
  const bytes: string[] = [];
  for (let at = place; at.before !== undefined; at = at.before) bytes.push(String.fromCharCode(at.byte));
  return bytes.reverse().join("");
}
