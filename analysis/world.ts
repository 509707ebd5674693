import type { Formula } from "./formula/formula.js";
import { Terms } from "./formula/terms.js";
import { Budget } from "./solve/budget.js";
import { solve, type Answer } from "./solve/solver.js";
import { TextCache } from "./solve/state.js";

/** Work for one question; measured in single steps of narrowing and of automata. */
const STEPS_PER_QUESTION = 300_000;

/** What one analysis shares: its terms, what is known about sets of texts, and what may still be spent. */
export class World {
  readonly terms = new Terms();
  private readonly texts = new TextCache();
  readonly budget: Budget;

  constructor(steps: number) {
    this.budget = new Budget(steps);
  }

  /** Whether formulas can hold together. */
  solve(...formulas: readonly Formula[]): Answer {
    if (this.budget.isSpent) return { kind: "unknown" };
    return solve(formulas, this.texts, this.budget.part(STEPS_PER_QUESTION));
  }

  /** Whether nothing can make all of them true; false also where that is not known. */
  isImpossible(...formulas: readonly Formula[]): boolean {
    return this.solve(...formulas).kind === "unsat";
  }
}
