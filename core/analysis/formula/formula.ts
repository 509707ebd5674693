import { oneOf } from "../text/literals.js";
import type { Bytes } from "../../language/value.js";
import type { TextBase } from "../text/automaton.js";
import { containsValue, union, without, type Intervals } from "../values/intervals.js";
import type { ArrayTerm, NumberTerm, Term, TextTerm } from "./term.js";

/** Membership in a set, or its negation. */
export interface Choice {
  readonly base: TextBase;
  readonly positive: boolean;
}

/** Values that satisfy at least one of the choices. */
export type Clause = readonly Choice[];

/** The possible values of an array element; for strings, all clauses must hold. */
export type ElementSet =
  | { readonly kind: "number"; readonly set: Intervals }
  | { readonly kind: "text"; readonly clauses: readonly Clause[] };

export interface NumberLiteral {
  readonly kind: "number";
  readonly term: NumberTerm;
  readonly set: Intervals;
  /** Whether a missing value is included. */
  readonly nil: boolean;
}
interface TextLiteral {
  readonly kind: "text";
  readonly term: TextTerm;
  readonly clause: Clause;
  readonly nil: boolean;
}
/** `some`: at least one element is in the set. `every`: all are, which holds for an empty array. */
interface ElementsLiteral {
  readonly kind: "some" | "every";
  readonly term: ArrayTerm;
  readonly set: ElementSet;
}
interface PresenceLiteral {
  readonly kind: "present";
  readonly term: ArrayTerm;
  readonly yes: boolean;
}
export type Literal = NumberLiteral | TextLiteral | ElementsLiteral | PresenceLiteral;

/** A condition in negation normal form: only literals are negated. */
export type Formula = { readonly kind: "constant"; readonly value: boolean } | Conjunction | Disjunction | Literal;

interface Conjunction {
  readonly kind: "and";
  readonly items: readonly Formula[];
}
export interface Disjunction {
  readonly kind: "or";
  readonly items: readonly Formula[];
}

export const TRUE: Formula = { kind: "constant", value: true };
export const FALSE: Formula = { kind: "constant", value: false };

export function and(items: readonly Formula[]): Formula {
  if (items.some((item) => item === FALSE)) return FALSE;
  const parts = items.filter((item) => item !== TRUE);
  const [first = TRUE] = parts;
  if (parts.length < 2) return first;
  return { kind: "and", items: parts.flatMap((part) => (part.kind === "and" ? part.items : [part])) };
}

/** Two formulas that both hold, the second of which is long and shared: its parts are not copied. */
export function withShared(own: Formula, shared: Formula): Formula {
  if (own.kind === "constant") return own.value ? shared : own;
  if (shared.kind === "constant") return shared.value ? own : shared;
  return { kind: "and", items: [own, shared] };
}

/** Literals on the same value are merged. */
export function or(items: readonly Formula[]): Formula {
  const others: Formula[] = [];
  const joined = new Map<Term, NumberLiteral | TextLiteral>();
  const add = (item: Formula): boolean => {
    if (item.kind === "constant") return item.value;
    if (item.kind === "or") return item.items.some(add);
    if (item.kind !== "number" && item.kind !== "text") {
      others.push(item);
      return false;
    }
    const before = joined.get(item.term);
    joined.set(item.term, before === undefined ? item : join(before, item));
    return false;
  };
  if (items.some(add)) return TRUE;
  const flat: readonly Formula[] = [...Array.from(joined.values(), settled), ...others].filter(
    (item) => item !== FALSE,
  );
  if (flat.includes(TRUE)) return TRUE;
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : flat.length === 0 ? FALSE : { kind: "or", items: flat };
}

function join(a: NumberLiteral | TextLiteral, b: NumberLiteral | TextLiteral): NumberLiteral | TextLiteral {
  if (a.kind === "number" && b.kind === "number") return { ...a, set: union(a.set, b.set), nil: a.nil || b.nil };
  if (a.kind === "text" && b.kind === "text") return { ...a, clause: [...a.clause, ...b.clause], nil: a.nil || b.nil };
  return a;
}

/** A literal with its listed strings merged into one set; a constant if it can never or always hold. */
function settled(literal: NumberLiteral | TextLiteral): Formula {
  const { term } = literal;
  if (literal.kind === "number") {
    if (literal.set.length === 0 && (!literal.nil || !term.nilable)) return FALSE;
    return (literal.nil || !term.nilable) && without(literal.term.universe, literal.set).length === 0 ? TRUE : literal;
  }
  return { ...literal, clause: joinListed(literal.clause) };
}

function joinListed(clause: Clause): Clause {
  if (clause.length < 2) return clause;
  const listed = clause.filter(({ base, positive }) => positive && base.values !== undefined);
  const others = new Map<string, Choice>();
  for (const choice of clause) {
    if (!listed.includes(choice)) others.set(`${String(choice.positive)} ${choice.base.key}`, choice);
  }
  const rest = Array.from(others.values());
  const only = listed.length === 1 ? listed[0] : undefined;
  if (listed.length === 0) return rest;
  return [only ?? { base: oneOf(valuesOf(listed)), positive: true }, ...rest];
}

function valuesOf(listed: Clause): ReadonlySet<string> {
  return new Set(listed.flatMap(({ base }) => Array.from(base.values ?? [])));
}

export function numberLiteral(term: NumberTerm, set: Intervals, nil = false): Formula {
  return settled({ kind: "number", term, set, nil });
}

/** That the value of a text is in a set. */
export function isIn(term: TextTerm, base: TextBase): Formula {
  return { kind: "text", term, clause: [{ base, positive: true }], nil: false };
}

/** That a term has a value; undefined stands for a missing one. */
export function isValue(term: NumberTerm | TextTerm, value: bigint | Bytes | readonly unknown[] | undefined): Formula {
  const isMissing = value === undefined;
  if (term.kind === "number") return numberLiteral(term, typeof value === "bigint" ? [[value, value]] : [], isMissing);
  const own = isIn(term, oneOf(new Set(typeof value === "string" ? [value] : [])));
  return isMissing ? { kind: "text", term, clause: [], nil: true } : own;
}

export function implies(a: Formula, b: Formula): Formula {
  return or([not(a), b]);
}

const negations = new WeakMap<Formula, Formula>();

export function not(formula: Formula): Formula {
  const known = negations.get(formula);
  if (known !== undefined) return known;
  const negated = negate(formula);
  negations.set(formula, negated);
  // A rule's guard contains the negated guards of the rules that skip it, whose guards do so too. Negated back as another
  // formula, each would be negated anew with every rule.
  if (negated.kind !== "constant" && !negations.has(negated)) negations.set(negated, formula);
  return negated;
}

function negate(formula: Formula): Formula {
  switch (formula.kind) {
    case "constant":
      return formula.value ? FALSE : TRUE;
    case "and":
      return or(formula.items.map(not));
    case "or":
      return and(formula.items.map(not));
    case "number":
      return numberLiteral(formula.term, without(formula.term.universe, formula.set), !formula.nil);
    case "text":
      return negateText(formula);
    case "some":
    case "every":
      return negateElements(formula);
    case "present":
      return { ...formula, yes: !formula.yes };
  }
}

/** Only a missing value satisfies an empty clause, so its negation is that the value is present. */
function negateText({ term, clause, nil }: TextLiteral): Formula {
  const choices = clause.map(opposite);
  if (choices.length === 0) return nil ? { kind: "text", term, clause: [anything], nil: false } : TRUE;
  return and(choices.map((choice): Formula => ({ kind: "text", term, clause: [choice], nil: !nil })));
}

/** The complement of the empty set contains every string. */
const anything: Choice = { base: oneOf(new Set()), positive: false };

function opposite({ base, positive }: Choice): Choice {
  return { base, positive: !positive };
}

/** The negation of `every`: with several clauses, some element fails at least one of them. */
function negateElements({ kind, term, set }: ElementsLiteral): Formula {
  const complement = complementOf(set, term);
  return { kind: kind === "some" ? "every" : "some", term, set: complement };
}

/** The maximum number of clauses in a complement; builders of literals stay below it. */
export const MAX_CLAUSES = 64;

export function complementOf(set: ElementSet, term: ArrayTerm): ElementSet {
  if (set.kind === "number") {
    const universe = term.element.kind === "number" ? term.element.universe : [];
    return { kind: "number", set: without(universe, set.set) };
  }
  let clauses: readonly Clause[] = [[]];
  for (const clause of set.clauses) {
    clauses = clauses.flatMap((before) => clause.map((choice) => [...before, opposite(choice)]));
  }
  return { kind: "text", clauses };
}

/** The number of clauses in the complement of a set. */
export function complementSize(set: ElementSet): number {
  return set.kind === "number" ? 1 : set.clauses.reduce((size, clause) => size * clause.length, 1);
}

export function fitsClause(clause: Clause, value: string): boolean {
  return clause.some(({ base, positive }) => base.has(value) === positive);
}

export function fitsElement(set: ElementSet, value: bigint | string): boolean {
  if (set.kind === "number") return typeof value === "bigint" && containsValue(set.set, value);
  return typeof value === "string" && set.clauses.every((clause) => fitsClause(clause, value));
}
