/** Characters from `first` to `last`, inclusive: bytes, or code points with Unicode. */
export type Range = readonly [first: number, last: number];

/** A parsed regular expression. Case folding has already been applied to the classes. */
export type RegexNode =
  /** `(?i)` alone, which matches the empty string and cannot be repeated. */
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
      /** Undefined means unlimited. */
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
  /** Known to the service's engine but not supported here: matching returns unknown. */
  | "unsupported";

/** Why a pattern is invalid; `sure` if the service's engine certainly rejects it. */
export interface RegexFault {
  readonly message: string;
  readonly sure: boolean;
}
