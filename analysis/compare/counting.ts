import { readText } from "../../simulator/read-property.js";
import type { RuleInput, RulesetInput } from "../../simulator/ruleset-input.js";
import type { AnalysisContext } from "../analysis-context.js";
import { filterOf } from "../filter.js";
import { not, type Formula } from "../formula/formula.js";
import { Translator } from "../formula/translate.js";
import { readsTime } from "../from-now.js";

type Rulesets = readonly RulesetInput[];

/**
 * Both versions of rulesets, where a rate limit counts by the time of requests in the words of one that counts the same of all requests
 * in question without it, or earlier in the list. One that counts none of them never acts.
 */
export function sameCounting(context: AnalysisContext, versions: readonly [Rulesets, Rulesets]): readonly Rulesets[] {
  const rules = versions.flat().flatMap((ruleset) => ruleset.rules);
  const counted = new Set(rules.flatMap((rule) => countedBy(rule) ?? []));
  if (![...counted].some(readsTime)) return versions;
  const formulaOf = (text: string): Formula | undefined => {
    // Each version has lists of its own.
    const condition = text.includes("$") ? undefined : filterOf(text);
    return condition === undefined ? undefined : new Translator(context.terms).translate(condition);
  };
  const isEqual = (one: Formula, other: Formula | undefined): boolean =>
    other !== undefined && context.isImpossible(one, not(other)) && context.isImpossible(other, not(one));
  const reworded = (rule: RuleInput): RuleInput => {
    const text = countedBy(rule);
    const formula = text === undefined || !readsTime(text) ? undefined : formulaOf(text);
    if (formula === undefined) return rule;
    if (context.isImpossible(formula)) return { ...rule, enabled: false };
    const [timeless, others] = [false, true].map((isTimed) => [...counted].filter((one) => readsTime(one) === isTimed));
    const words = [rule.expression ?? "", ...(timeless ?? []), ...(others ?? [])];
    const countingExpression = words.find((one) => isEqual(formula, formulaOf(one)));
    return { ...rule, ratelimit: { ...rule.ratelimit, countingExpression, counting_expression: undefined } };
  };
  return versions.map((rulesets) => rulesets.map((one) => ({ ...one, rules: one.rules.map(reworded) })));
}

function countedBy({ ratelimit }: RuleInput): string | undefined {
  const text = readText(ratelimit, "countingExpression");
  return text === "" ? undefined : text;
}
