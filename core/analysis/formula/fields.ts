import type { TextBase } from "../text/automaton.js";
import type { Formula } from "./formula.js";

/** What rules of an earlier phase made of fields, in terms of the request that entered that phase. */
export interface KnownRewrites {
  /** The fields of that request. */
  readonly before: Fields;
  /** Whether the rules rewrite a field. */
  readonly has: (name: string) => boolean;
  /** That a rewritten field is in a set; undefined if it cannot be expressed. */
  readonly isIn: (name: string, base: TextBase) => Formula | undefined;
}

/** Fields as the rules of one phase see them. */
export interface Fields {
  /** Equal keys mean equal fields. */
  readonly key: string;
  /** The name of a field in terms: a field that earlier phases rewrote is a different term than before. */
  readonly name: (name: string) => string;
  /** Whether the field is unchanged: no rule has rewritten it. */
  readonly isAsSent: (name: string) => boolean;
  /** Whether the phase does not have the field, so it is nil. */
  readonly isAbsent: (name: string) => boolean;
  /** Undefined if nothing is rewritten, or it is not known how. */
  readonly rewrites?: KnownRewrites;
}

export const ORDINARY: Fields = { key: "", name: (name) => name, isAsSent: () => true, isAbsent: () => false };
