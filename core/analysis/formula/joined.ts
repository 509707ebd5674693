import type { Bytes } from "../../language/value.js";
import { accepts, lazily, runOver, type Automaton, type TextBase } from "../text/automaton.js";
import { FALSE, or, and, TRUE, type Formula } from "./formula.js";

/** That a value is in a set; undefined if it cannot be expressed. */
type IsIn = (base: TextBase) => Formula | undefined;

/** A part of a string: known, or a value. */
export type Piece = Bytes | IsIn;

const MOST_STATES = 64;
const MOST_VALUES = 4;

/** That several strings after one another are in a set: the first leads its automaton to some state, the next on from there. */
export function joinedFormula(pieces: readonly Piece[], base: TextBase): Formula | undefined {
  const [only, ...others] = pieces;
  if (typeof only === "function" && others.length === 0) return only(base);
  if (pieces.filter((piece) => typeof piece !== "string").length > MOST_VALUES) return undefined;
  try {
    return new Joined(base.key, base.automaton()).run(pieces);
  } catch (error) {
    // An automaton that grew too large.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A state of an automaton, with a name that only depends on the strings that lead to it. */
interface NamedState {
  readonly state: number;
  readonly name: string;
}

class Joined {
  private readonly places: () => readonly NamedState[] | undefined;

  constructor(
    private readonly key: string,
    private readonly automaton: Automaton,
  ) {
    this.places = lazily(() => statesOf(automaton)?.map((state, index) => ({ state, name: String(index) })));
  }

  run(pieces: readonly Piece[]): Formula | undefined {
    return this.from({ state: this.automaton.start, name: "start" }, pieces);
  }

  /** That the pieces lead from a state to one that accepts. */
  private from(place: NamedState, [first, ...others]: readonly Piece[]): Formula | undefined {
    const { state, name } = place;
    if (first === undefined) return this.automaton.accepts(state) ? TRUE : FALSE;
    const settled = this.automaton.settled(state);
    if (settled !== undefined) return settled ? TRUE : FALSE;
    if (typeof first === "string") {
      const next = { state: runOver(this.automaton, state, first), name: `${name} ${JSON.stringify(first)}` };
      return this.from(next, others);
    }
    if (others.length === 0) return first(this.leading(place, (to) => this.automaton.accepts(to), "end"));
    const ways = this.places()?.map((to) => {
      const rest = this.from(to, others);
      if (rest === undefined || rest === FALSE) return rest;
      const own = first(this.leading(place, (one) => one === to.state, to.name));
      return own === undefined ? undefined : and([own, rest]);
    });
    return ways?.every((way) => way !== undefined) === true ? or(ways) : undefined;
  }

  /** The strings that lead from one state to another. */
  private leading({ state: start, name: from }: NamedState, isTo: (state: number) => boolean, name: string): TextBase {
    const automaton: Automaton = {
      ...this.automaton,
      start,
      accepts: isTo,
      settled: (state) => (this.automaton.settled(state) === undefined ? undefined : this.isStuck(state, isTo)),
    };
    return {
      key: `from ${from} to ${name} in (${this.key})`,
      has: (bytes) => accepts(automaton, bytes),
      automaton: () => automaton,
    };
  }

  /** Whether a state that is never left is the one; undefined if it is left. */
  private isStuck(state: number, isTo: (state: number) => boolean): boolean | undefined {
    const { classes, step } = this.automaton;
    return Array.from(classes.keys()).every((byte) => step(state, byte) === state) ? isTo(state) : undefined;
  }
}

/** All states in an order that only depends on the strings that lead to them, unless there are many. */
function statesOf({ start, step, classes }: Automaton): readonly number[] | undefined {
  const letters = new Map(Array.from(classes, (label, byte) => [label, byte] as const));
  const states = new Set([start]);
  for (const state of states) {
    for (const byte of letters.values()) states.add(step(state, byte));
    if (states.size > MOST_STATES) return undefined;
  }
  return Array.from(states);
}
