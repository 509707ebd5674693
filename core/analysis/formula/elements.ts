import type { Condition, Operand } from "../../language/ast.js";
import { isOperand } from "../../language/ast.js";
import { endingWith, startingWith } from "../text/literals.js";
import type { Preimage } from "../text/preimages.js";
import type { TextBase } from "../text/automaton.js";
import { intersect, union } from "../values/intervals.js";
import { complementOf, complementSize, MAX_CLAUSES, type ElementSet } from "./formula.js";
import type { ArrayTerm } from "./term.js";
import type { Fields } from "./fields.js";
import type { Terms } from "./terms.js";
import { testedSet } from "./tested.js";
import { isAlwaysMissing, preimageOf } from "./view.js";

/** What the elements of an array must be. */
interface Elements {
  readonly term: ArrayTerm;
  readonly set: ElementSet;
  /** Whether a missing array makes `all` false; otherwise `all` is true for it. */
  readonly needsArray: boolean;
}

/**
 * Converts a condition over the elements of one array to a set of elements. Undefined if it involves several arrays, or
 * elements that are arrays; "always missing" if the array is always missing.
 */
export function elementsFormula(
  condition: Condition,
  terms: Terms,
  fields: Fields,
): Elements | "always missing" | undefined {
  switch (condition.kind) {
    case "group":
      return elementsFormula(condition.of, terms, fields);
    case "not": {
      const of = elementsFormula(condition.of, terms, fields);
      if (of === undefined || of === "always missing") return of;
      return complementSize(of.set) > MAX_CLAUSES ? undefined : { ...of, set: complementOf(of.set, of.term) };
    }
    case "combination":
      return combine(
        condition.op,
        condition.items.map((item) => elementsFormula(item, terms, fields)),
      );
    case "comparison": {
      const source = sourceOf(condition.left, terms, fields);
      if (source === undefined || source === "always missing") return source;
      const tested = testedSet(condition.test, source.type);
      if (tested === undefined || tested === "never") return undefined;
      if (tested.kind === "number") {
        const { element } = source.term;
        if (element.kind !== "number" || source.preimage !== undefined) return undefined;
        return { term: source.term, set: { kind: "number", set: tested.set(element.universe) }, needsArray: false };
      }
      return ofTexts(source.term, source.preimage, tested.base, tested.positive);
    }
    case "truth":
      return truth(condition.operand, terms, fields);
    case "quantifier":
      return undefined;
  }
}

function ofTexts(
  term: ArrayTerm,
  preimage: Preimage | undefined,
  base: TextBase,
  positive: boolean,
): Elements | undefined {
  if (term.element.kind !== "text") return undefined;
  const clauses = [[{ base: preimage === undefined ? base : preimage(base), positive }]];
  return { term, set: { kind: "text", clauses }, needsArray: false };
}

/** `starts_with(x[*], "…")`, or an array of Booleans. */
function truth(operand: Operand, terms: Terms, fields: Fields): Elements | "always missing" | undefined {
  if (operand.kind === "call" && operand.path.length === 0) {
    const [first, second] = operand.args;
    const make = operand.name === "starts_with" ? startingWith : operand.name === "ends_with" ? endingWith : undefined;
    if (make === undefined || first === undefined || !isOperand(first) || second?.kind !== "string") return undefined;
    const source = sourceOf(first, terms, fields);
    if (source === undefined || source === "always missing") return source;
    return ofTexts(source.term, source.preimage, make(second.value), true);
  }
  return undefined;
}

type Source = { readonly term: ArrayTerm; readonly type: string; readonly preimage?: Preimage };

/** The array in `x[*]` or `lower(x[*])[*]`. */
function sourceOf(operand: Operand, terms: Terms, fields: Fields): Source | "always missing" | undefined {
  const each = operand.path.findIndex(({ kind }) => kind === "each");
  if (each < 0 || each !== operand.path.length - 1) return undefined;
  if (isAlwaysMissing(operand, fields)) return "always missing";
  if (operand.kind === "call" && operand.path.length === 1) {
    const [first] = operand.args;
    const of = preimageOf(operand);
    if (of === undefined || first === undefined || !isOperand(first)) return undefined;
    const inner = sourceOf(first, terms, fields);
    if (inner === undefined || inner === "always missing") return inner;
    const before = inner.preimage;
    return { ...inner, preimage: before === undefined ? of.preimage : (base) => before(of.preimage(base)) };
  }
  const type = { kind: "array", of: operand.type } as const;
  const term = terms.array({ ...operand, path: operand.path.slice(0, -1), type, mapped: false }, fields);
  return term === undefined ? undefined : { term, type: operand.type.kind };
}

function combine(
  op: "and" | "or" | "xor",
  items: readonly (Elements | "always missing" | undefined)[],
): Elements | "always missing" | undefined {
  const [first, ...rest] = items;
  if (first === undefined || op === "xor") return undefined;
  let joined = first;
  for (const item of rest) {
    // Arrays of different lengths are cut to the shortest, so all elements must come from the same array.
    if (item === undefined) return undefined;
    if (joined === "always missing" || item === "always missing") {
      if (joined !== item) return undefined;
      continue;
    }
    if (joined.term !== item.term) return undefined;
    const set = op === "and" ? both(joined.set, item.set) : either(joined.set, item.set);
    if (set === undefined) return undefined;
    joined = { ...joined, set };
  }
  return joined;
}

function both(a: ElementSet, b: ElementSet): ElementSet | undefined {
  if (a.kind === "number" && b.kind === "number") return { kind: "number", set: intersect(a.set, b.set) };
  if (a.kind !== "text" || b.kind !== "text") return undefined;
  const joined = { kind: "text", clauses: [...a.clauses, ...b.clauses] } as const;
  return complementSize(joined) > MAX_CLAUSES ? undefined : joined;
}

function either(a: ElementSet, b: ElementSet): ElementSet | undefined {
  if (a.kind === "number" && b.kind === "number") return { kind: "number", set: union(a.set, b.set) };
  if (a.kind !== "text" || b.kind !== "text" || a.clauses.length * b.clauses.length > MAX_CLAUSES) return undefined;
  const clauses = a.clauses.flatMap((one) => b.clauses.map((other) => [...one, ...other]));
  const joined = { kind: "text", clauses } as const;
  return complementSize(joined) > MAX_CLAUSES ? undefined : joined;
}
