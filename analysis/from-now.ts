import { parseExpression } from "../language/index.js";
import type { RulesetInput } from "../simulator/ruleset-input.js";
import type { AnalysisContext } from "./analysis-context.js";
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
  const texts = [...rulesets.flatMap(({ rules }) => rules.map(({ expression = "" }) => expression)), ...filters];
  if (now === undefined || !texts.some((text) => text.includes(TIME))) return;
  const parsed = parseExpression(`${TIME} ge ${String(now)}`);
  if ("fault" in parsed || parsed.expression.kind !== "filter") return;
  context.assume(new Translator(context.terms).translate(parsed.expression.condition));
}
