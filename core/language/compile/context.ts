import type { Evaluated, Value } from "../value.js";

/** What an expression is evaluated against. `makeRequest` creates one from an HTTP request. */
export interface Context {
  /** The value of a field: a value, `undefined` for nil, or an `Unknown` if it cannot be determined locally. */
  readonly field: (name: string) => Evaluated;
  /** A list by its name without `$`; undefined if its items are not known. */
  readonly list?: (name: string) => List | undefined;
  /** Where the request's random seed lies among all seeds, from 0 to below 1; undefined if that is not known. */
  readonly draw?: number;
}

export interface List {
  readonly has: (value: Value) => boolean;
}

/** A context in which the items of further lists are known; its own lists take precedence. */
export function withMoreLists(context: Context, more: (name: string) => List | undefined): Context {
  return {
    field: (name) => context.field(name),
    list: (name) => context.list?.(name) ?? more(name),
    ...(context.draw === undefined ? {} : { draw: context.draw }),
  };
}

/** Computes a value from a context. */
export type Evaluate = (context: Context) => Evaluated;
