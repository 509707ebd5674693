import type { RuleInput, RulesetInput } from "../simulator/ruleset-input.js";
import { AnalysisContext } from "./analysis-context.js";
import { filterOf } from "./filter.js";
import { Translator } from "./formula/translate.js";

const TIME = "http.request.timestamp.sec";

/** Whether an expression reads the time of a request, as far as its text tells. */
function readsTime(text: string | undefined): boolean {
  return text?.includes(TIME) === true;
}

/**
 * Asks only about requests from a time on, so that what a rule did, or was not yet to do, before it is no difference. Where nothing
 * reads the time of a request, there is nothing to leave out. Call it before anything is asked.
 * @param now in seconds since 1970; undefined means any time
 * @param filters what reads requests besides the rules
 */
export function askFrom(
  now: number | undefined,
  context: AnalysisContext,
  rulesets: readonly RulesetInput[],
  filters: readonly string[] = [],
): void {
  const isRead =
    filters.some(readsTime) || rulesets.some(({ rules }) => rules.some(({ expression }) => readsTime(expression)));
  const fact = now === undefined || !isRead ? undefined : filterOf(`${TIME} ge ${String(Math.floor(now))}`);
  if (fact !== undefined) context.assume(new Translator(context.terms).translate(fact));
}

/**
 * Rules of which those that match no request from a time on are off, so that neither their place nor what they would do among rules
 * that are not known is a difference.
 * @param now in seconds since 1970; undefined means any time
 */
export function turnOffExpired(
  rules: readonly RuleInput[],
  now: number | undefined,
  steps = 20_000_000,
): readonly RuleInput[] {
  if (now === undefined || !rules.some(({ expression }) => readsTime(expression))) return rules;
  const context = new AnalysisContext(steps);
  askFrom(now, context, [{ phase: "", rules }]);
  return rules.map((rule) => {
    const condition = readsTime(rule.expression) ? filterOf(rule.expression ?? "") : undefined;
    const isOver = condition !== undefined && context.isImpossible(new Translator(context.terms).translate(condition));
    return isOver ? { ...rule, enabled: false } : rule;
  });
}
