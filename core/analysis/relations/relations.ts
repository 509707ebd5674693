import type { Formula } from "../formula/formula.js";
import type { Term } from "../formula/term.js";
import type { Fields } from "../formula/fields.js";
import type { Budget } from "../solve/budget.js";
import { Model } from "../solve/model.js";
import type { TextBase } from "../text/automaton.js";
import type { ArrayTerm } from "../formula/term.js";
import type { ElementSet } from "../formula/formula.js";
import { Arrays, type ElementTests } from "./arrays.js";
import { Axioms } from "./axioms.js";
import { Headers } from "./headers.js";
import { checkComputed, completeComputed, type Computed } from "./computed.js";
import { UrlFields, type Tests } from "./urls.js";

/** What it costs to compute a value. */
const STEPS_TO_COMPUTE = 20;

/** What a request with the values of a model is like: the model, with values that agree, or why there is none. */
type Reconciled = { readonly model: Model } | { readonly known: readonly Formula[] };

/**
 * What is known about several fields together: the search treats fields as independent, and is told what its result violates.
 */
export class Relations {
  private readonly axioms: Axioms;
  private readonly headers: Headers;
  /** The elements of arrays. */
  readonly arrays = new Arrays();
  private readonly urlsOf = new Map<string, UrlFields[]>();
  private readonly noted = new Set<string>();
  private readonly computed = new Map<Term, Computed>();
  /** The terms that follow from a term. */
  private readonly dependents = new Map<Term, Term[]>();

  constructor(private readonly find: (key: string) => Term | undefined) {
    this.axioms = new Axioms(find);
    this.headers = new Headers(find);
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

  /** Notes that the value of a term follows from those of others. */
  noteComputed(term: Term, computed: Computed): void {
    this.computed.set(term, computed);
    for (const input of computed.inputs.values())
      this.dependents.set(input, [...(this.dependents.get(input) ?? []), term]);
  }

  /** Compares a model with what is known. */
  reconcile(model: Model, formulas: readonly Formula[], budget: Budget): Reconciled {
    const values = new Map(model.entries());
    const violated = Array.from(this.axioms.about(values.keys())).filter((axiom) => !model.satisfies(axiom));
    const urls = new Set(Array.from(values.keys(), ({ key }) => this.urlsOf.get(key) ?? []).flat());
    const linked = Array.from(urls).filter((one) => one.isLinked());
    const computed = new Set(Array.from(values.keys(), (term) => this.dependents.get(term) ?? []).flat());
    const isListed = this.arrays.areLinked(values.keys()) || this.headers.areLinked(values.keys());
    if (linked.length === 0 && computed.size === 0 && !isListed)
      return violated.length === 0 ? { model } : { known: violated };
    const { tests, elements } = testsIn(formulas);
    if (isListed) {
      const about = [...this.arrays.about(tests.keys(), elements), ...this.headers.about(tests, elements)];
      violated.push(...about.filter((axiom) => !model.satisfies(axiom)));
    }
    // What is tested, and has its usual value, has that value for a reason.
    for (const term of tests.keys()) if (!values.has(term)) values.set(term, model.get(term));
    const known = [...violated, ...linked.flatMap((one) => one.reconcile(values, tests))];
    for (const term of new Set([...tests.keys(), ...computed])) {
      const how = this.computed.get(term);
      if (how === undefined || term.kind === "array" || known.length > 0) continue;
      budget.spend(STEPS_TO_COMPUTE);
      if (tests.has(term)) known.push(...checkComputed(term, how, values, tests));
      else completeComputed(term, how, values, model);
    }
    if (known.length > 0) return { known };
    if (isListed) this.headers.complete(values, tests);
    return { model: new Model(values) };
  }
}

/** The terms that formulas test, and the sets of strings that they, and elements of arrays, are tested for. */
function testsIn(formulas: readonly Formula[]): { readonly tests: Tests; readonly elements: ElementTests } {
  const found = new Map<Term, Set<TextBase>>();
  const elements = new Map<ArrayTerm, ElementSet[]>();
  const seen = new Set<Formula>();
  const queue = [...formulas];
  for (let formula = queue.pop(); formula !== undefined; formula = queue.pop()) {
    if (seen.has(formula)) continue;
    seen.add(formula);
    if (formula.kind === "and" || formula.kind === "or") queue.push(...formula.items);
    else if (formula.kind !== "constant") {
      const bases = found.get(formula.term) ?? new Set();
      found.set(formula.term, bases);
      if (formula.kind === "text") for (const { base } of formula.clause) bases.add(base);
      if (formula.kind === "some" || formula.kind === "every")
        elements.set(formula.term, [...(elements.get(formula.term) ?? []), formula.set]);
    }
  }
  return { tests: found, elements };
}
