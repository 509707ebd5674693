/** Characters from `first` to `last`, both included: bytes, or code points where Unicode is on. */
export type Range = readonly [first: number, last: number];

/** A parsed regular expression. Letters that match in both cases are in the classes already. */
export type RegexNode =
  /** `(?i)` alone, which matches the empty text and cannot be repeated. */
  | { readonly kind: "flags" }
  /** One byte, or with `unicode` the UTF-8 bytes of one code point. */
  | { readonly kind: "class"; readonly ranges: readonly Range[]; readonly unicode: boolean }
  | { readonly kind: "assertion"; readonly what: Assertion }
  | { readonly kind: "concat"; readonly items: readonly RegexNode[] }
  | { readonly kind: "alternate"; readonly items: readonly RegexNode[] }
  | {
      readonly kind: "repeat";
      readonly of: RegexNode;
      readonly min: number;
      /** Undefined: without end. */
      readonly max: number | undefined;
      readonly greedy: boolean;
    }
  | { readonly kind: "capture"; readonly of: RegexNode };

export type Assertion =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-boundary"
  | "no-word-boundary"
  /** Known to the engine, but not to ours: matching says that it does not know. */
  | "unsupported";

/** What is wrong with a pattern; `sure` when the service's engine certainly rejects it. */
export interface RegexFault {
  readonly message: string;
  readonly sure: boolean;
}
