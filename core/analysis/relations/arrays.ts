import { and, implies, numberLiteral, type ElementSet, type Formula } from "../formula/formula.js";
import type { ArrayTerm, NumberTerm, Term, TextTerm } from "../formula/term.js";
import { oneOf } from "../text/literals.js";

/** What is known about one array: its elements at positions, and its length, as far as conditions test them. */
interface Parts {
  readonly elements: Map<number, TextTerm>;
  length: NumberTerm | undefined;
}

/** Sets that conditions test elements of arrays for. */
export type ElementTests = ReadonlyMap<ArrayTerm, readonly ElementSet[]>;

/** The elements of arrays, their positions and their number. */
export class Arrays {
  private readonly parts = new Map<ArrayTerm, Parts>();
  private readonly lengths = new Set<Term>();

  /** Notes the element of an array at a position. */
  noteElement(array: ArrayTerm, position: number, element: Term): void {
    if (element.kind === "text") this.partsOf(array).elements.set(position, element);
  }

  /** Notes the length of an array. */
  noteLength(array: ArrayTerm, length: Term): void {
    if (length.kind !== "number") return;
    this.partsOf(array).length = length;
    this.lengths.add(length);
  }

  /** Whether one of the terms is an array whose elements or length are terms, too, or such a length. */
  areLinked(terms: Iterable<Term>): boolean {
    if (this.parts.size === 0) return false;
    return Array.from(terms).some((term) => this.lengths.has(term) || (term.kind === "array" && this.parts.has(term)));
  }

  /** What is known about the arrays of terms. */
  about(terms: Iterable<Term>, tests: ElementTests): readonly Formula[] {
    if (this.parts.size === 0) return [];
    const tested = new Set(terms);
    const known: Formula[] = [];
    for (const [array, parts] of this.parts) {
      const own = [array, parts.length, ...parts.elements.values()];
      if (own.some((term) => term !== undefined && tested.has(term)))
        known.push(...axiomsOf(array, parts, tests.get(array) ?? []));
    }
    return known;
  }

  private partsOf(array: ArrayTerm): Parts {
    const known = this.parts.get(array) ?? { elements: new Map<number, TextTerm>(), length: undefined };
    this.parts.set(array, known);
    return known;
  }
}

function axiomsOf(array: ArrayTerm, { elements, length }: Parts, sets: readonly ElementSet[]): readonly Formula[] {
  const exists: Formula = { kind: "present", term: array, yes: true };
  const ordered = Array.from(elements).sort(([a], [b]) => a - b);
  const inOrder = ordered.flatMap(([position, element], at): Formula[] => {
    const [, before] = ordered[at - 1] ?? [];
    return [
      ...(before === undefined ? [] : [implies(isThere(element), isThere(before))]),
      // An array has no gaps, and the values of a key are not empty.
      ...(position === 0 && hasKey(array) ? [implies(exists, isThere(element))] : []),
      implies(isThere(element), exists),
    ];
  });
  const inSets = ordered.flatMap(([, element]) =>
    sets.map((set) => implies(and([{ kind: "every", term: array, set }, isThere(element)]), isInSet(element, set))),
  );
  return [...inOrder, ...inSets, ...(length === undefined ? [] : lengthAxioms(array, { length, elements, sets }))];
}

function lengthAxioms(
  array: ArrayTerm,
  {
    length,
    elements,
    sets,
  }: { readonly length: NumberTerm; readonly elements: Parts["elements"]; readonly sets: readonly ElementSet[] },
): readonly Formula[] {
  const exists: Formula = { kind: "present", term: array, yes: true };
  const atLeast = (count: number): Formula => numberLiteral(length, [[BigInt(count), MOST]]);
  const isKnown = numberLiteral(length, [[0n, MOST]]);
  const isOne = numberLiteral(length, [[1n, 1n]]);
  const first = elements.get(0);
  return [
    implies(exists, hasKey(array) ? atLeast(1) : isKnown),
    implies(isKnown, exists),
    ...Array.from(elements).flatMap(([position, element]) => [
      implies(isThere(element), atLeast(position + 1)),
      implies(atLeast(position + 1), isThere(element)),
    ]),
    ...sets.flatMap((set): Formula[] => {
      const [some, every] = (["some", "every"] as const).map((kind): Formula => ({ kind, term: array, set }));
      if (some === undefined || every === undefined) return [];
      return [
        implies(and([isOne, some]), every),
        ...(first === undefined ? [] : [implies(and([isOne, isInSet(first, set)]), every)]),
      ];
    }),
  ];
}

const MOST = 2n ** 63n - 1n;

/** Whether the array has the values of a key of a map. */
function hasKey({ operand }: ArrayTerm): boolean {
  return operand?.path.at(-1)?.kind === "key";
}

const ANYTHING = { base: oneOf(new Set()), positive: false };

function isThere(term: TextTerm): Formula {
  return { kind: "text", term, clause: [ANYTHING], nil: false };
}

function isInSet(term: TextTerm, set: ElementSet): Formula {
  if (set.kind === "number") return isThere(term);
  return and(set.clauses.map((clause): Formula => ({ kind: "text", term, clause, nil: false })));
}
