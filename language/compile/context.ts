import type { Evaluated, Value } from "../value.js";

/** What an expression is evaluated against. `makeRequest` creates one from an HTTP request. */
export interface Context {
  /** The value of a field: a value, `undefined` for nil, or an `Unknown` if it cannot be determined locally. */
  readonly field: (name: string) => Evaluated;
  /** A list by its name without `$`; undefined if its items are not known. */
  readonly list?: (name: string) => List | undefined;
}

export interface List {
  readonly has: (value: Value) => boolean;
}

/** Computes a value from a context. */
export type Evaluate = (context: Context) => Evaluated;
