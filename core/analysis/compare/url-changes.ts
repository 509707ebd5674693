import type { AnalysisContext } from "../analysis-context.js";
import { and, type Formula } from "../formula/formula.js";
import { mayDiffer } from "../formula/rewritten-url.js";
import { Translator } from "../formula/translate.js";
import { isRewriteUnknown } from "../program/phase-fields.js";
import type { Step } from "../program/steps.js";
import { rewriteCases } from "../program/url-rewrites.js";
import type { RulesVersion } from "./rules-version.js";

const PARTS = ["path", "query"] as const;

/**
 * When a rule makes of the URL what the other version does not, whatever rules do there: one condition for each rule of that
 * version that may decide instead. Undefined if that is not known, or the rule also changes something else.
 */
export function urlChanges(
  step: Step,
  own: RulesVersion,
  other: RulesVersion,
  { terms }: AnalysisContext,
): readonly Formula[] | undefined {
  const { effect } = step.rule;
  if (effect.kind !== "rewrite" || isRewriteUnknown(step.rule)) return undefined;
  if (effect.headers.length > 0 || !step.fields.isAsSent("http.request.uri")) return undefined;
  const translator = new Translator(terms, step.fields);
  const inPhase = ({ steps }: RulesVersion): readonly Step[] => steps.filter(({ phase }) => phase === step.phase);
  const changes = PARTS.filter((part) => effect[part] !== undefined).map((part) => {
    const [mine, theirs] = [rewriteCases(inPhase(own), part), rewriteCases(inPhase(other), part)];
    const decided = mine?.filter(({ by }) => by === step);
    return decided?.flatMap(({ when, value }) =>
      theirs?.map((one) =>
        and([when, one.when, mayDiffer(part, [value, one.value], (operand, base) => translator.isIn(operand, base))]),
      ),
    );
  });
  const known = changes.flatMap((change) => change ?? [undefined]);
  return known.every((one) => one !== undefined) ? known : undefined;
}
