import type { Condition, Operand } from "../../language/ast.js";
import type { Bytes } from "../../language/value.js";
import type { TextBase } from "../text/automaton.js";
import type { Intervals } from "../values/intervals.js";

/**
 * Something of a request that rules ask about: a field, an element of one, or a call that stays opaque. Terms are taken to
 * be independent of one another, which allows more than any request can have: what holds for all of that holds for every
 * request.
 */
export type Term = NumberTerm | TextTerm | ArrayTerm;

interface TermBase {
  readonly id: number;
  /** The same key, the same term. */
  readonly key: string;
  /** Whether it can be missing. */
  readonly nilable: boolean;
  /** What it stands for, to make a request from; undefined for a comparison that stays opaque. */
  readonly operand?: Operand;
  /** The array that it is an element of. */
  readonly parent?: ArrayTerm;
}

/** An Integer, an IP address (as a place on the line of all addresses) or a Boolean (0 and 1). */
export interface NumberTerm extends TermBase {
  readonly kind: "number";
  readonly holds: "integer" | "ip" | "boolean";
  readonly universe: Intervals;
  /** Values that look natural in an example, the best first. */
  readonly examples: readonly bigint[];
  /** The comparison that it stands for, where that stays opaque. */
  readonly about?: Condition;
}

export interface TextTerm extends TermBase {
  readonly kind: "text";
  /** What every value of it is. */
  readonly domain: readonly TextBase[];
  /** What values in examples should be besides. */
  readonly readable?: TextBase;
  readonly examples: readonly Bytes[];
}

/** An array or the values of a map: how many there are and in which order does not matter. */
export interface ArrayTerm extends TermBase {
  readonly kind: "array";
  readonly element: NumberTerm | TextTerm;
}
