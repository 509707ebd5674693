import type { Argument, Operand } from "../../language/ast.js";
import { isOperand } from "../../language/ast.js";
import type { Bytes } from "../../language/value.js";
import { accepts, type Automaton, type TextBase } from "../text/automaton.js";
import { FALSE, or, and, TRUE, type Formula } from "./formula.js";

/** That the value of an operand is in a set; a missing value counts as empty. Undefined if it cannot be expressed. */
export type IsIn = (operand: Operand, base: TextBase) => Formula | undefined;

const MOST_STATES = 40;
const MOST_OPERANDS = 3;

/** That several strings after one another are in a set: the first leads its automaton to some state, the next on from there. */
export function joinedFormula(args: readonly Argument[], base: TextBase, isIn: IsIn): Formula | undefined {
  if (args.filter(isOperand).length > MOST_OPERANDS) return undefined;
  try {
    const automaton = base.automaton();
    const states = statesOf(automaton);
    return states === undefined ? undefined : new Joined(base.key, automaton, states, isIn).from(automaton.start, args);
  } catch (error) {
    // An automaton that grew too large.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class Joined {
  constructor(
    private readonly key: string,
    private readonly automaton: Automaton,
    private readonly states: readonly number[],
    private readonly isIn: IsIn,
  ) {}

  /** That the arguments lead from a state to one that accepts. */
  from(state: number, [first, ...others]: readonly Argument[]): Formula | undefined {
    if (first === undefined) return this.automaton.accepts(state) ? TRUE : FALSE;
    if (first.kind === "string") return this.from(run(this.automaton, state, first.value), others);
    if (!isOperand(first)) return undefined;
    if (others.length === 0)
      return this.isIn(
        first,
        this.leading(state, (to) => this.automaton.accepts(to), "end"),
      );
    const ways = this.states.map((to) => {
      const rest = this.from(to, others);
      if (rest === undefined || rest === FALSE) return rest;
      const own = this.isIn(
        first,
        this.leading(state, (one) => one === to, String(to)),
      );
      return own === undefined ? undefined : and([own, rest]);
    });
    return ways.every((way) => way !== undefined) ? or(ways) : undefined;
  }

  /** The strings that lead from one state to another. */
  private leading(from: number, isTo: (state: number) => boolean, name: string): TextBase {
    const automaton: Automaton = {
      ...this.automaton,
      start: from,
      accepts: isTo,
      settled: (state) => (this.automaton.settled(state) === undefined ? undefined : this.isStuck(state, isTo)),
    };
    return {
      key: `from ${String(from)} to ${name} in (${this.key})`,
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

function run({ step }: Automaton, from: number, bytes: Bytes): number {
  let state = from;
  for (let at = 0; at < bytes.length; at += 1) state = step(state, bytes.charCodeAt(at));
  return state;
}

/** All states, unless there are many. */
function statesOf({ start, step, classes }: Automaton): readonly number[] | undefined {
  const letters = new Map(Array.from(classes, (label, byte) => [label, byte] as const));
  const states = new Set([start]);
  for (const state of states) {
    for (const byte of letters.values()) states.add(step(state, byte));
    if (states.size > MOST_STATES) return undefined;
  }
  return Array.from(states);
}
