import type { ZoneInput } from "../simulator/input.js";
import type { ListsInput } from "../simulator/lists.js";
import { filterOf } from "./filter.js";
import { and, not, TRUE, type Formula } from "./formula/formula.js";
import { ListResolver } from "./formula/known-lists.js";
import { Translator } from "./formula/translate.js";
import { fieldsOf } from "./program/phase-fields.js";
import { AnalysisContext } from "./analysis-context.js";
import { factsOfZone } from "./zones.js";

/** Which requests an expression matches: every one or none, if proved, otherwise some. */
export type Reach = "every" | "none" | "some";

export interface ReachInput {
  readonly expression: string;
  /** The phase of its rule. */
  readonly phase: string;
  /** The zone whose requests are considered; rules of an account test for it. @default any zone */
  readonly zone?: Pick<ZoneInput, "name" | "plan">;
  /** Limit of the search, in single steps. @default 2,000,000, some tenths of a second */
  readonly steps?: number;
}

/**
 * Which requests of a zone a filter matches. "every" and "none" are proved; the result for an expression that cannot be parsed
 * is "some".
 *
 * @example
 * reachOf({ expression: 'cf.zone.plan eq "ENT"', phase, zone: { plan: "enterprise" } }); // "every"
 */
export function reachOf({ expression, phase, zone = {}, steps = 2_000_000 }: ReachInput): Reach {
  const context = new AnalysisContext(steps);
  const translator = new Translator(context.terms, fieldsOf(phase, {}));
  const formula = formulaOf(expression, translator);
  if (formula === undefined) return "some";
  const known = and(factsOfZone(zone).map((fact) => formulaOf(fact, translator) ?? TRUE));
  if (context.isImpossible(formula, known)) return "none";
  return context.isImpossible(not(formula), known) ? "every" : "some";
}

/** A filter, with the lists whose items are known. */
export interface FilterWithLists {
  readonly expression: string;
  readonly lists?: ListsInput | undefined;
}

/** Whether it is proved that one filter matches every request that another one matches. */
export function isWithin(
  inner: string | FilterWithLists,
  outer: string | FilterWithLists,
  phase: string,
  steps = 2_000_000,
): boolean {
  const context = new AnalysisContext(steps);
  const translator = new Translator(context.terms, fieldsOf(phase, {}));
  const [a, b] = [formulaOf(inner, translator), formulaOf(outer, translator)];
  return a !== undefined && b !== undefined && context.isImpossible(a, not(b));
}

function formulaOf(filter: string | FilterWithLists, translator: Translator): Formula | undefined {
  const { expression, lists } = typeof filter === "string" ? { expression: filter, lists: undefined } : filter;
  const condition = filterOf(expression);
  if (condition === undefined) return undefined;
  return translator.translate(lists === undefined ? condition : new ListResolver(lists).resolve(condition));
}
