import { and, not, or, TRUE, type Formula } from "../formula/formula.js";
import type { FormulaKeys } from "../formula/key.js";

/** A rule that skips others, and may be skipped itself. */
interface SkipRule {
  /** Its condition, whether it is skipped or not. */
  readonly entry: Formula;
  /** When it acts. */
  readonly guard: Formula;
  readonly skippedBy: SkipList;
}

/**
 * The skip rules that skip a rule when they act, in their order. Lists of the same rules are one object, so rules with the same
 * list share it.
 */
export class SkipList {
  private readonly longer = new Map<SkipRule, SkipList>();
  private members: ReadonlySet<SkipRule> | undefined;

  constructor(
    readonly steps: readonly SkipRule[] = [],
    /** That none of them acts. */
    readonly noneActs: Formula = TRUE,
  ) {}

  has(step: SkipRule): boolean {
    this.members ??= new Set(this.steps);
    return this.members.has(step);
  }

  /** Formulas that together mean that none of the rules acts. */
  get parts(): readonly Formula[] {
    return this.noneActs.kind === "and" ? this.noneActs.items : [this.noneActs];
  }

  /** That one of the rules acts, where it is known that no rule of the other lists does. */
  someActs(others: readonly SkipList[], keys: FormulaKeys): Formula {
    const known = new Set(others.flatMap(({ parts }) => parts.map((part) => keys.of(part))));
    return or(this.parts.filter((part) => !known.has(keys.of(part))).map(not));
  }

  /**
   * The list with one more rule. If that rule is itself skipped by the rules of this list, and none of them acts, then it acts
   * whenever its own condition holds. Its guard, which contains theirs, is therefore not needed: formulas stay flat.
   */
  with(step: SkipRule): SkipList {
    const known = this.longer.get(step);
    if (known !== undefined) return known;
    const condition = step.skippedBy === this ? step.entry : step.guard;
    const list = new SkipList([...this.steps, step], and([this.noneActs, not(condition)]));
    this.longer.set(step, list);
    return list;
  }
}
