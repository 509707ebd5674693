import type { Disjunction as Choice, Formula } from "../formula/formula.js";
import type { Budget } from "./budget.js";
import type { Model } from "./model.js";
import { State } from "./state.js";
import type { TextCache } from "./text-cache.js";

/** `unsat`: no values of the terms satisfy all formulas. `unknown`: the budget was used up. */
export type SolverResult =
  | { readonly kind: "sat"; readonly model: Model }
  | { readonly kind: "unsat" }
  | { readonly kind: "unknown" };

const UNSAT: SolverResult = { kind: "unsat" };
/** The maximum depth of nested splits, which limits the stack. */
const MAX_DEPTH = 400;

const UNKNOWN: SolverResult = { kind: "unknown" };

/** Whether formulas can hold together, by splitting disjunctions and narrowing the possible values of each term. */
export function solve(formulas: readonly Formula[], texts: TextCache, budget: Budget): SolverResult {
  return new Search(new State(texts, budget), budget).run(formulas, []);
}

class Search {
  private depth = 0;

  constructor(
    private readonly state: State,
    private readonly budget: Budget,
  ) {}

  run(formulas: readonly Formula[], open: readonly Choice[]): SolverResult {
    let added = formulas;
    let choices = open;
    for (;;) {
      const taken = this.take(added, choices);
      if (taken === undefined) return UNSAT;
      const model = this.state.model();
      const unsettled = taken.filter((choice) => !model.satisfies(choice));
      if (unsettled.length === 0) return { kind: "sat", model };
      if (this.budget.isSpent || this.depth > MAX_DEPTH) return UNKNOWN;
      const narrowest = this.narrowest(unsettled);
      if (narrowest === undefined) return UNSAT;
      const { choice, options } = narrowest;
      choices = taken.filter((one) => one !== choice);
      if (options.length > 1) return this.split(options, choices);
      added = options;
    }
  }

  /** Adds formulas; undefined if they contradict the state. Returns the disjunctions that stay open. */
  private take(formulas: readonly Formula[], open: readonly Choice[]): Choice[] | undefined {
    const choices = [...open];
    const queue = [...formulas];
    for (let at = 0; at < queue.length; at += 1) {
      const formula = queue[at] as Formula;
      if (formula.kind === "constant") {
        if (!formula.value) return undefined;
      } else if (formula.kind === "and") queue.push(...formula.items);
      else if (formula.kind === "or") choices.push(formula);
      else if (!this.state.narrow(formula)) return undefined;
    }
    // A rule among many exceptions has as many disjunctions, each of which is looked at again after every split.
    this.budget.spend(choices.length);
    return choices;
  }

  /** The disjunction with the fewest remaining options; undefined if one has none. */
  private narrowest(choices: readonly Choice[]): { choice: Choice; options: readonly Formula[] } | undefined {
    const [only, another] = choices;
    // Its options are tried one after the other, the first of which is often possible.
    if (only !== undefined && another === undefined) return { choice: only, options: only.items };
    let best: { choice: Choice; options: readonly Formula[] } | undefined;
    for (const choice of choices) {
      const options = choice.items.filter((item) => this.isPossible(item));
      if (options.length === 0) return undefined;
      if (best === undefined || options.length < best.options.length) best = { choice, options };
      if (options.length === 1) break;
    }
    return best;
  }

  private isPossible(formula: Formula): boolean {
    if (formula.kind === "or") return true;
    const mark = this.state.mark();
    const items = formula.kind === "and" ? formula.items : [formula];
    const possible = items.every((item) => this.takes(item));
    this.state.undo(mark);
    return possible;
  }

  private takes(formula: Formula): boolean {
    if (formula.kind === "constant") return formula.value;
    return formula.kind === "and" || formula.kind === "or" || this.state.narrow(formula);
  }

  private split(options: readonly Formula[], others: readonly Choice[]): SolverResult {
    let unknown = false;
    this.depth += 1;
    for (const option of options) {
      const mark = this.state.mark();
      const answer = this.run([option], others);
      if (answer.kind === "sat") return answer;
      if (answer.kind === "unknown") unknown = true;
      this.state.undo(mark);
      if (this.budget.isSpent) break;
    }
    this.depth -= 1;
    return unknown || this.budget.isSpent ? UNKNOWN : UNSAT;
  }
}
