import type { RulesetRule } from "../../model/generated/rule.js";
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

interface Alternative {
  readonly text: string;
  readonly rule: IndexedRule;
}

/** Rules, looked up by what they match. */
export class RuleIndex {
  readonly all: readonly IndexedRule[];
  private readonly byAlternative: ReadonlyMap<string, readonly Alternative[]>;

  constructor(rules: readonly RulesetRule[]) {
    const exceptions = findExceptions(rules);
    this.all = rules.map((rule, index) => {
      const { alternatives, literals } = readExpression(rule.expression);
      const name = `rule ${String(index + 1)}`;
      return { rule, name, alternatives: new Set(alternatives), literals, isException: exceptions.has(rule) };
    });
    const alternatives = this.all.flatMap((rule) => Array.from(rule.alternatives, (text) => ({ text, rule })));
    this.byAlternative = Map.groupBy(alternatives, ({ text }) => text);
  }

  /** Rules that certainly match every request that an expression matches. */
  matching(expression: string): IndexedRule[] {
    const [first, ...rest] = readExpression(expression).alternatives;
    const candidates = this.byAlternative.get(first ?? "") ?? [];
    return candidates.flatMap(({ rule }) => (rest.every((text) => rule.alternatives.has(text)) ? [rule] : []));
  }

  /** Enabled rules with an action. */
  running(action: string): IndexedRule[] {
    return this.all.filter(({ rule }) => rule.action === action && rule.enabled !== false);
  }
}

/**
 * The skip rules, enabled or not, that skip every managed rule for the requests they match. A skip rule does not if it
 * comes after what it should skip, or names other rulesets, single rules, phases or products
 * (https://developers.cloudflare.com/ruleset-engine/managed-rulesets/create-exception/).
 */
function findExceptions(rules: readonly RulesetRule[]): ReadonlySet<RulesetRule> {
  const executions = rules.flatMap((rule, index) => (isRunning(rule) ? [{ rule, index }] : []));
  // A rule that executes only for some requests may or may not run for those that are skipped.
  const sure = executions.filter(({ rule }) => rule.expression === "true");
  const [counted, first, last] = [sure.length > 0 ? sure : executions, sure[0]?.index, executions.at(-1)?.index];
  const wanted = new Set(counted.map(({ rule }) => rule.actionParameters?.id));
  const isBeforeRuns = (index: number): boolean => index <= (first ?? index) && index <= (last ?? index);
  return new Set(
    rules.filter((rule, index) => rule.action === "skip" && isBeforeRuns(index) && skipsAll(rule, wanted)),
  );
}

function isRunning({ action, enabled }: RulesetRule): boolean {
  return action === "execute" && enabled !== false;
}

/** Whether a skip rule skips all of these rulesets. Fields that this package does not know are assumed to do so. */
function skipsAll({ actionParameters = {}, wire }: RulesetRule, wanted: ReadonlySet<string | undefined>): boolean {
  const { ruleset, rulesets = [], phase } = actionParameters;
  if (ruleset !== undefined || phase !== undefined) return true;
  if (wire !== undefined || actionParameters.wire !== undefined) return true;
  const named = new Set<string | undefined>(rulesets);
  return [...wanted].every((id) => named.has(id)) && named.size > 0;
}
