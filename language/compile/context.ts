import type { Found, Value } from "../value.js";

/** What an expression is evaluated against. `makeRequest` makes one from an HTTP request. */
export interface Context {
  /** What the field holds: a value, `undefined` for nil, an `Unknown` where nobody here can know. */
  readonly field: (name: string) => Found;
  /** A list by its name without `$`; undefined when its items are not known. */
  readonly list?: (name: string) => List | undefined;
}

export interface List {
  readonly has: (value: Value) => boolean;
}

/** The part of an expression that gives one value for a context. */
export type Evaluate = (context: Context) => Found;
