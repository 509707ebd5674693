import type { Bytes } from "../../language/value.js";
import { fitsClause, fitsElement, type Formula } from "../formula/formula.js";
import type { Term } from "../formula/term.js";
import { containsValue } from "../values/intervals.js";

/** The value of a term: a scalar, elements, or missing. */
export type ModelValue = bigint | Bytes | readonly (bigint | Bytes)[] | undefined;

/** Values for terms. All other terms have their usual value. */
export class Model {
  constructor(private readonly values: ReadonlyMap<Term, ModelValue>) {}

  get(term: Term): ModelValue {
    return this.values.has(term) ? this.values.get(term) : usual(term);
  }

  /** The terms with explicit values. */
  entries(): readonly (readonly [Term, ModelValue])[] {
    return Array.from(this.values);
  }

  satisfies(formula: Formula): boolean {
    switch (formula.kind) {
      case "constant":
        return formula.value;
      case "and":
        return formula.items.every((item) => this.satisfies(item));
      case "or":
        return formula.items.some((item) => this.satisfies(item));
      case "number": {
        const value = this.get(formula.term);
        return typeof value === "bigint" ? containsValue(formula.set, value) : formula.nil;
      }
      case "text": {
        const value = this.get(formula.term);
        return typeof value === "string" ? fitsClause(formula.clause, value) : formula.nil;
      }
      case "present":
        return (this.get(formula.term) !== undefined) === formula.yes;
      case "some":
      case "every": {
        const value = this.get(formula.term);
        const elements = typeof value === "object" ? value : [];
        return formula.kind === "some"
          ? elements.some((element) => fitsElement(formula.set, element))
          : elements.every((element) => fitsElement(formula.set, element));
      }
    }
  }
}

/** The values of all terms in an ordinary request. */
export const ORDINARY = new Model(new Map());

/** The value of a term in an ordinary request. */
function usual(term: Term): ModelValue {
  if (term.nilable || term.kind === "array") return undefined;
  return term.kind === "number" ? (term.examples[0] ?? term.universe[0]?.[0]) : (term.examples[0] ?? "");
}
