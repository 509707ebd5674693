import { printCondition, type Condition } from "../language/index.js";
import { AnalysisContext } from "../analysis/analysis-context.js";
import { filterOf } from "../analysis/filter.js";
import { and, not, numberLiteral, or, type Formula } from "../analysis/formula/formula.js";
import { conditionOf, type UrlPattern } from "./pattern.js";

/** Conditions as formulas, in which patterns, and all that is no `and`, `or` or `not`, are single facts. */
export class Formulas {
  private readonly context: AnalysisContext;
  private readonly atoms = new Map<string, Formula>();
  private readonly known: Formula[] = [];

  constructor(steps: number) {
    this.context = new AnalysisContext(steps);
  }

  /** Takes a formula for true. */
  assume(formula: Formula): void {
    this.known.push(formula);
  }

  /** Takes a condition for another formula, wherever it is part of one. */
  define(text: string, formula: Formula): void {
    const condition = filterOf(text);
    if (condition !== undefined) this.atoms.set(keyOf(condition), formula);
  }

  areEqual(one: Formula, other: Formula, known: readonly Formula[] = []): boolean {
    return this.isWithin(one, other, known) && this.isWithin(other, one, known);
  }

  isWithin(one: Formula, other: Formula, known: readonly Formula[] = []): boolean {
    const { context } = this;
    if (context.keys.of(one) === context.keys.of(other)) return true;
    return context.isImpossible(one, not(other), ...this.known, ...known);
  }

  /** The fact that a URL matches a pattern. */
  atomOf(pattern: UrlPattern): Formula {
    const condition = filterOf(conditionOf(pattern));
    const key = condition === undefined ? conditionOf(pattern) : keyOf(condition);
    const known = this.atoms.get(key) ?? this.fact(key);
    this.atoms.set(key, known);
    return known;
  }

  private fact(key: string): Formula {
    return numberLiteral(this.context.terms.opaque(key), [[1n, 1n]]);
  }

  formulaOf(expression: string): Formula {
    const condition = filterOf(expression);
    return condition === undefined ? this.fact(expression) : this.translate(condition);
  }

  /** A condition in which patterns, and all that is no `and`, `or` or `not`, are single facts. */
  translate(condition: Condition, known: (one: Condition) => Formula | undefined = () => undefined): Formula {
    const own = known(condition) ?? this.atoms.get(keyOf(condition));
    if (own !== undefined) return own;
    if (condition.kind === "group") return this.translate(condition.of, known);
    if (condition.kind === "not") return not(this.translate(condition.of, known));
    if (condition.kind === "combination" && condition.op !== "xor") {
      const items = condition.items.map((item) => this.translate(item, known));
      return condition.op === "and" ? and(items) : or(items);
    }
    return this.fact(keyOf(condition));
  }
}

/** The text of a condition without the parentheses around it. */
function keyOf(condition: Condition): string {
  return condition.kind === "group" ? keyOf(condition.of) : printCondition(condition);
}
