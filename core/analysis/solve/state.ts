import type { Bytes } from "../../language/value.js";
import type { Clause, ElementSet, Literal } from "../formula/formula.js";
import type { ArrayTerm, NumberTerm, Term, TextTerm } from "../formula/term.js";
import { intersect, containsValue, type Intervals } from "../values/intervals.js";
import type { Budget } from "./budget.js";
import { findListed, shorterList, type FoundText, type ListedTexts } from "./find-text.js";
import { Model, type ModelValue } from "./model.js";
import type { TextCache } from "./text-cache.js";

/** The remaining values of a term. */
type Remaining =
  | { readonly kind: "number"; readonly set: Intervals; readonly nil: boolean }
  | {
      readonly kind: "text";
      readonly clauses: readonly Clause[];
      readonly nil: boolean;
      readonly found: FoundText;
      /** The strings that are left, if a clause lists them. */
      readonly list: ListedTexts | undefined;
    }
  | {
      readonly kind: "array";
      readonly nil: boolean;
      readonly present: boolean;
      readonly every: ElementSet | undefined;
      readonly some: readonly { readonly set: ElementSet; readonly value: bigint | Bytes | undefined }[];
    };

/** The values that literals leave for each term. Narrowing can be undone. */
export class State {
  private readonly left = new Map<Term, Remaining>();
  private readonly trail: (readonly [Term, Remaining | undefined])[] = [];

  constructor(
    private readonly texts: TextCache,
    private readonly budget: Budget,
  ) {}

  mark(): number {
    return this.trail.length;
  }

  undo(mark: number): void {
    while (this.trail.length > mark) {
      const [term, before] = this.trail.pop() as (typeof this.trail)[number];
      if (before === undefined) this.left.delete(term);
      else this.left.set(term, before);
    }
  }

  /** Adds a literal; false if no value is left. */
  narrow(literal: Literal): boolean {
    this.budget.spend();
    switch (literal.kind) {
      case "number":
        return this.narrowNumber(literal.term, literal.set, literal.nil);
      case "text":
        return this.narrowText(literal.term, literal.clause, literal.nil);
      case "present":
      case "some":
      case "every":
        return this.narrowArray(literal);
    }
  }

  /** A value for each narrowed term. */
  model(): Model {
    const values = new Map<Term, ModelValue>();
    for (const [term, left] of this.left) values.set(term, valueOf(term, left));
    return new Model(values);
  }

  private set(term: Term, left: Remaining): void {
    this.trail.push([term, this.left.get(term)]);
    this.left.set(term, left);
  }

  private narrowNumber(term: NumberTerm, set: Intervals, nil: boolean): boolean {
    const before = this.left.get(term);
    const known = before?.kind === "number" ? before : { set: term.universe, nil: term.nilable };
    const next = { kind: "number", set: intersect(known.set, set), nil: known.nil && nil } as const;
    if (next.set.length === 0 && !next.nil) return false;
    this.set(term, next);
    return next.nil || this.narrowParent(term, { kind: "number", set });
  }

  private narrowText(term: TextTerm, clause: Clause, nil: boolean): boolean {
    const before = this.left.get(term);
    const known = before?.kind === "text" ? before : { clauses: domainOf(term), nil: term.nilable, list: undefined };
    const clauses = [...known.clauses, clause];
    const { found, list } = this.find(clauses, term, shorterList(known.list, clause));
    const next = { kind: "text", clauses, nil: known.nil && nil, found, list } as const;
    if (found.kind === "none" && !next.nil) return false;
    this.set(term, next);
    return next.nil || this.narrowParent(term, { kind: "text", clauses: [clause] });
  }

  /** A list is gone through from where it was left; other searches are only made once. */
  private find(
    clauses: readonly Clause[],
    term: TextTerm,
    list: ListedTexts | undefined,
  ): { readonly found: FoundText; readonly list: ListedTexts | undefined } {
    if (list !== undefined) return findListed(list, clauses, term, this.budget);
    return { found: this.texts.find(clauses, term, this.budget), list };
  }

  /** A present element is one of its array's elements. */
  private narrowParent({ parent }: Term, set: ElementSet): boolean {
    return parent === undefined || this.narrowArray({ kind: "some", term: parent, set });
  }

  private narrowArray(literal: Extract<Literal, { term: ArrayTerm }>): boolean {
    const { term } = literal;
    const before = this.left.get(term);
    const known =
      before?.kind === "array"
        ? before
        : { kind: "array" as const, nil: term.nilable, present: true, every: undefined, some: [] };
    if (literal.kind === "present") {
      const next = { ...known, nil: known.nil && !literal.yes, present: known.present && literal.yes };
      if (!next.nil && !next.present) return false;
      this.set(term, next);
      return true;
    }
    const every = literal.kind === "every" ? both(known.every, literal.set) : known.every;
    const wanted =
      literal.kind === "some" ? [...known.some.map(({ set }) => set), literal.set] : known.some.map(({ set }) => set);
    if (wanted.length > 0 && !known.present) return false;
    const some = [];
    for (const set of wanted) {
      const found = this.element(term, both(every, set));
      if (found.kind === "none") return false;
      some.push({ set, value: found.value });
    }
    this.set(term, { ...known, nil: known.nil && wanted.length === 0, every, some });
    return true;
  }

  private element({ element }: ArrayTerm, set: ElementSet): { kind: "none" | "found"; value?: bigint | Bytes } {
    if (set.kind === "number") {
      if (element.kind !== "number") return { kind: "none" };
      const left = intersect(element.universe, set.set);
      return left.length === 0 ? { kind: "none" } : { kind: "found", value: pick(element, left) };
    }
    if (element.kind !== "text") return { kind: "none" };
    const list = set.clauses.reduce(shorterList, undefined);
    const { found } = this.find([...domainOf(element), ...set.clauses], element, list);
    if (found.kind === "none") return { kind: "none" };
    return { kind: "found", value: found.kind === "text" ? found.text : undefined };
  }
}

function domainOf({ domain }: TextTerm): readonly Clause[] {
  return domain.map((base) => [{ base, positive: true }]);
}

function both(a: ElementSet | undefined, b: ElementSet): ElementSet {
  if (a === undefined) return b;
  if (a.kind === "number" && b.kind === "number") return { kind: "number", set: intersect(a.set, b.set) };
  if (a.kind === "text" && b.kind === "text") return { kind: "text", clauses: [...a.clauses, ...b.clauses] };
  return { kind: "number", set: [] };
}

function valueOf(term: Term, left: Remaining): ModelValue {
  switch (left.kind) {
    case "number":
      return left.set.length > 0 && term.kind === "number" ? pick(term, left.set) : undefined;
    case "text":
      return left.found.kind === "text" ? left.found.text : undefined;
    case "array":
      if (!left.present || (left.nil && left.some.length === 0)) return undefined;
      return left.some.flatMap(({ value }) => value ?? []);
  }
}

function pick({ examples }: NumberTerm, set: Intervals): bigint | undefined {
  const example = examples.find((one) => containsValue(set, one));
  if (example !== undefined) return example;
  const natural = set.find(([, last]) => last >= 0n) ?? set[0];
  if (natural === undefined) return undefined;
  return natural[0] < 0n && natural[1] >= 0n ? 0n : natural[0];
}
