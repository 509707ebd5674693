import { and, implies, type ElementSet, type Formula } from "../formula/formula.js";
import type { ArrayTerm, Term, TextTerm } from "../formula/term.js";
import { oneOf } from "../text/literals.js";

/** Sets that conditions test elements of arrays for. */
export type ElementTests = ReadonlyMap<ArrayTerm, readonly ElementSet[]>;

/** The elements of arrays by their positions, as far as conditions test them. */
export class Arrays {
  private readonly elements = new Map<ArrayTerm, Map<number, TextTerm>>();

  /** Notes the element of an array at a position. */
  noteElement(array: ArrayTerm, position: number, element: Term): void {
    if (element.kind !== "text") return;
    this.elements.set(array, (this.elements.get(array) ?? new Map<number, TextTerm>()).set(position, element));
  }

  /** Whether one of the terms is an array whose elements are terms, too. */
  areLinked(terms: Iterable<Term>): boolean {
    if (this.elements.size === 0) return false;
    return Array.from(terms).some((term) => term.kind === "array" && this.elements.has(term));
  }

  /** What is known about the arrays of terms. */
  about(terms: Iterable<Term>, tests: ElementTests): readonly Formula[] {
    if (this.elements.size === 0) return [];
    const tested = new Set(terms);
    return Array.from(this.elements).flatMap(([array, elements]) =>
      [array, ...elements.values()].some((term) => tested.has(term))
        ? axiomsOf(array, elements, tests.get(array) ?? [])
        : [],
    );
  }
}

function axiomsOf(
  array: ArrayTerm,
  elements: ReadonlyMap<number, TextTerm>,
  sets: readonly ElementSet[],
): readonly Formula[] {
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
  return [...inOrder, ...inSets];
}

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
