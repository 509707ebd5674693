import { not, type Formula } from "./formula/formula.js";
import { FormulaKeys } from "./formula/key.js";
import { Terms } from "./formula/terms.js";
import { Budget } from "./solve/budget.js";
import { ORDINARY } from "./solve/model.js";
import { solve, type SolverResult } from "./solve/solver.js";
import { TextCache } from "./solve/text-cache.js";
import { TextIds } from "./text/text-ids.js";

/** Limit for one question, in single steps of narrowing and of automata. */
const STEPS_PER_QUESTION = 2_000_000;

/** How often a search is told what is known about several values together. */
const MOST_ROUNDS = 12;

/** What a question costs even if its answer is obvious. */
const STEPS_TO_ASK = 10;

/** What one analysis shares: its terms, what is known about sets of strings, and the remaining budget. */
export class AnalysisContext {
  readonly terms = new Terms();
  private readonly ids = new TextIds();
  private readonly texts = new TextCache(this.ids);
  readonly keys = new FormulaKeys(this.ids);
  readonly budget: Budget;
  /** The condition of a rule is asked about by itself, and then together with the rules before it. */
  private readonly single = new Map<Formula, SolverResult>();
  /** What holds for every request in question. */
  private facts: readonly Formula[] = [];

  constructor(steps: number) {
    this.budget = new Budget(steps);
  }

  /** From now on, only requests that satisfy a formula are in question. Call it before anything is asked. */
  assume(fact: Formula): void {
    this.facts = [...this.facts, fact];
  }

  /** Whether formulas can hold together, and values for which they do. */
  solve(...formulas: readonly Formula[]): SolverResult {
    const [only] = formulas;
    if (only === undefined || formulas.length > 1) return this.search(formulas);
    const answer = this.single.get(only) ?? this.search(formulas);
    this.single.set(only, answer);
    return answer;
  }

  /** Whether formulas can hold together: mostly an ordinary request already shows it. */
  decide(...formulas: readonly Formula[]): SolverResult["kind"] {
    const shows = [...this.facts, ...formulas].every((formula) => ORDINARY.satisfies(formula));
    return shows ? "sat" : this.solve(...formulas).kind;
  }

  /** Whether every request satisfies a formula. */
  decideAlways(formula: Formula): "always" | "not always" | "unknown" {
    if ([...this.facts, not(formula)].every((one) => ORDINARY.satisfies(one))) return "not always";
    const kind = this.solve(not(formula)).kind;
    return kind === "unsat" ? "always" : kind === "sat" ? "not always" : "unknown";
  }

  /** Whether it is proved that the formulas cannot all hold. */
  isImpossible(...formulas: readonly Formula[]): boolean {
    return this.decide(...formulas) === "unsat";
  }

  private search(formulas: readonly Formula[]): SolverResult {
    if (this.budget.isSpent) return { kind: "unknown" };
    this.budget.spend(STEPS_TO_ASK);
    const budget = this.budget.part(STEPS_PER_QUESTION);
    let all = [...this.facts, ...formulas];
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const answer = solve(all, this.texts, budget);
      if (answer.kind !== "sat") return answer;
      const found = this.terms.relations.reconcile(answer.model, all, budget);
      if ("model" in found) return { kind: "sat", model: found.model };
      all = [...all, ...found.known];
    }
    return { kind: "unknown" };
  }
}
