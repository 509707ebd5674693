import type { Formula } from "./formula/formula.js";
import { Terms } from "./formula/terms.js";
import { Budget } from "./solve/budget.js";
import { solve, type SolverResult } from "./solve/solver.js";
import { TextCache } from "./solve/state.js";

/** Limit for one question, in single steps of narrowing and of automata. */
const STEPS_PER_QUESTION = 300_000;

/** What one analysis shares: its terms, the cache of string searches, and the remaining budget. */
export class AnalysisContext {
  readonly terms = new Terms();
  private readonly texts = new TextCache();
  readonly budget: Budget;

  constructor(steps: number) {
    this.budget = new Budget(steps);
  }

  /** Whether formulas can hold together. */
  solve(...formulas: readonly Formula[]): SolverResult {
    if (this.budget.isSpent) return { kind: "unknown" };
    return solve(formulas, this.texts, this.budget.part(STEPS_PER_QUESTION));
  }

  /** Whether it is proved that the formulas cannot all hold. */
  isImpossible(...formulas: readonly Formula[]): boolean {
    return this.solve(...formulas).kind === "unsat";
  }
}
