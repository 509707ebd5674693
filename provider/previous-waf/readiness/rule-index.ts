import type { RulesetRule } from "../../model/generated/rule.js";
import { findExceptions } from "./exceptions.js";
import { readExpression, type StringInCondition } from "./expression-text.js";

/** A rule with the parts of its expression, parsed once. */
export interface IndexedRule {
  readonly rule: RulesetRule;
  /** Its name in the report: `rule 3`. */
  readonly name: string;
  readonly alternatives: ReadonlySet<string>;
  readonly literals: readonly StringInCondition[];
  /** Whether it skips every managed rule that would run for the requests it matches. */
  readonly isException: boolean;
}

/** Rules, looked up by what they match. */
export class RuleIndex {
  readonly all: readonly IndexedRule[];
  private readonly byAlternative = new Map<string, IndexedRule[]>();

  constructor(rules: readonly RulesetRule[]) {
    const exceptions = findExceptions(rules);
    this.all = rules.map((rule, index) => {
      const { alternatives, literals } = readExpression(rule.expression);
      const name = `rule ${String(index + 1)}`;
      return { rule, name, alternatives: new Set(alternatives), literals, isException: exceptions.has(rule) };
    });
    for (const indexed of this.all) {
      for (const alternative of indexed.alternatives) {
        const same = this.byAlternative.get(alternative);
        if (same === undefined) this.byAlternative.set(alternative, [indexed]);
        else same.push(indexed);
      }
    }
  }

  /** Rules that certainly match every request that an expression matches. */
  matching(expression: string): IndexedRule[] {
    const [first, ...rest] = readExpression(expression).alternatives;
    const candidates = this.byAlternative.get(first ?? "") ?? [];
    return candidates.filter((candidate) => rest.every((alternative) => candidate.alternatives.has(alternative)));
  }

  /** Enabled rules with an action. */
  running(action: string): IndexedRule[] {
    return this.all.filter(({ rule }) => rule.action === action && rule.enabled !== false);
  }
}
