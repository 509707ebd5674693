import type { Condition, Operand } from "../../language/ast.js";
import type { Bytes } from "../../language/value.js";
import type { TextBase } from "../text/automaton.js";
import type { Intervals } from "../values/intervals.js";

/**
 * A value in a request that rules test: a field, an element of one, or a call that stays opaque. Terms are treated as
 * independent of one another, which allows more than any real request: whatever holds in all these cases holds for every
 * request.
 */
export type Term = NumberTerm | TextTerm | ArrayTerm;

interface TermBase {
  readonly id: number;
  /** Equal keys mean the same term. */
  readonly key: string;
  /** Whether it can be missing. */
  readonly nilable: boolean;
  /** The operand, for building a request; undefined for a comparison that stays opaque. */
  readonly operand?: Operand;
  /** The array, if the term is one of its elements. */
  readonly parent?: ArrayTerm;
}

/** An Integer, an IP address (as an index into all addresses) or a Boolean (0 and 1). */
export interface NumberTerm extends TermBase {
  readonly kind: "number";
  readonly valueType: "integer" | "ip" | "boolean";
  readonly universe: Intervals;
  /** Values that look natural in an example, the best first. */
  readonly examples: readonly bigint[];
  /** The comparison it represents, if that stays opaque. */
  readonly about?: Condition;
}

export interface TextTerm extends TermBase {
  readonly kind: "text";
  /** Sets that contain every value. */
  readonly domain: readonly TextBase[];
  /** The set that values in examples should also be in. */
  readonly readable?: TextBase;
  readonly examples: readonly Bytes[];
}

/** An array or the values of a map; their number and order do not matter. */
export interface ArrayTerm extends TermBase {
  readonly kind: "array";
  readonly element: NumberTerm | TextTerm;
}
