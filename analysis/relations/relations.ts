import type { Formula } from "../formula/formula.js";
import type { Term } from "../formula/term.js";
import type { Fields } from "../formula/fields.js";
import { Model } from "../solve/model.js";
import type { TextBase } from "../text/automaton.js";
import { Axioms } from "./axioms.js";
import { UrlFields } from "./urls.js";

/** What a request with the values of a model is like: the model, with values that agree, or why there is none. */
export type Reconciled = { readonly model: Model } | { readonly known: readonly Formula[] };

/**
 * What is known about several fields together: the search treats fields as independent, and is told what its result violates.
 */
export class Relations {
  private readonly axioms: Axioms;
  private readonly urlsOf = new Map<string, UrlFields[]>();
  private readonly noted = new Set<string>();

  constructor(private readonly find: (key: string) => Term | undefined) {
    this.axioms = new Axioms(find);
  }

  /** Notes how conditions name fields. */
  note(fields: Fields): void {
    if (this.noted.has(fields.key)) return;
    this.noted.add(fields.key);
    for (const prefix of ["", "raw."] as const) {
      const urls = new UrlFields(fields, prefix, this.find);
      for (const key of urls.keys) this.urlsOf.set(key, [...(this.urlsOf.get(key) ?? []), urls]);
    }
  }

  /** Compares a model with what is known. */
  reconcile(model: Model, formulas: readonly Formula[]): Reconciled {
    const values = new Map(model.entries());
    const violated = this.axioms.about(values.keys()).filter((axiom) => !model.satisfies(axiom));
    const tests = new Map<Term, readonly TextBase[]>();
    const testsOf = (term: Term): readonly TextBase[] => {
      const known = tests.get(term) ?? Array.from(testsIn(formulas, term));
      tests.set(term, known);
      return known;
    };
    const urls = new Set(Array.from(values.keys(), ({ key }) => this.urlsOf.get(key) ?? []).flat());
    const known = [...violated, ...Array.from(urls).flatMap((one) => one.reconcile(values, testsOf))];
    if (known.length > 0) return { known };
    return { model: urls.size === 0 ? model : new Model(values) };
  }
}

/** The sets of strings that formulas test a term for. */
function testsIn(formulas: readonly Formula[], term: Term): ReadonlySet<TextBase> {
  const found = new Set<TextBase>();
  const seen = new Set<Formula>();
  const queue = [...formulas];
  for (let formula = queue.pop(); formula !== undefined; formula = queue.pop()) {
    if (seen.has(formula)) continue;
    seen.add(formula);
    if (formula.kind === "and" || formula.kind === "or") queue.push(...formula.items);
    else if (formula.kind === "text" && formula.term === term) for (const { base } of formula.clause) found.add(base);
  }
  return found;
}
