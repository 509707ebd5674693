import type { RulesetInput } from "../simulator/ruleset-input.js";
import type { AnalysisContext } from "./analysis-context.js";
import { filterOf } from "./filter.js";
import { Translator } from "./formula/translate.js";

const TIME = "http.request.timestamp.sec";

/**
 * Asks only about requests from a time on, so that what a rule did, or was not yet to do, before it is no difference. Where nothing
 * reads the time of a request, there is nothing to leave out. Call it before anything is asked.
 * @param now in whole seconds since 1970; undefined means any time
 * @param filters what reads requests besides the rules
 */
export function askFrom(
  now: number | undefined,
  context: AnalysisContext,
  rulesets: readonly RulesetInput[],
  filters: readonly string[] = [],
): void {
  const readsTime = (text: string | undefined): boolean => text?.includes(TIME) === true;
  const isRead =
    filters.some(readsTime) || rulesets.some(({ rules }) => rules.some(({ expression }) => readsTime(expression)));
  const fact = now === undefined || !isRead ? undefined : filterOf(`${TIME} ge ${String(now)}`);
  if (fact !== undefined) context.assume(new Translator(context.terms).translate(fact));
}
