import {
  analyse,
  isError,
  normalForm,
  parseExpression,
  printExpression,
  type CheckOptions,
  type LocatedFinding,
  type Slot,
} from "../../../core/language/index.js";
import { namesUsed, type NamesUsed } from "./uses.js";
import { explainCondition, explainValue, type Explained } from "./words.js";

export interface Explanation {
  readonly expression: string;
  readonly kind: Slot;
  /** Missing if the expression cannot be parsed. */
  readonly tree?: Explained;
  readonly uses?: NamesUsed;
  /** Equal for expressions that differ only in form. */
  readonly normalForm?: string;
  /** Errors first. */
  readonly findings: readonly LocatedFinding[];
}

/** What an expression means and uses, and what is wrong with it. Without a slot, text that is no filter is read as a value. */
export function explain(
  text: string,
  { slot, phase, plan }: Pick<CheckOptions, "slot" | "phase" | "plan">,
): Explanation {
  const kind = slot ?? guessSlot(text);
  const options: CheckOptions = { slot: kind, phase, plan };
  const { expression, findings } = analyse(text, options);
  if (expression === undefined) return { expression: text, kind, findings };
  const isFilter = expression.kind === "filter";
  return {
    expression: text,
    kind,
    tree: isFilter ? explainCondition(expression.condition) : explainValue(expression.operand),
    uses: namesUsed(expression),
    normalForm: findings.some(isError) ? undefined : isFilter ? normalForm(text) : printExpression(expression),
    findings,
  };
}

/** Text that is not a filter but parses as a value is treated as a value. */
export function guessSlot(text: string): Slot {
  const { expression, findings } = analyse(text, { slot: "filter" });
  if (expression !== undefined && !findings.some(isError)) return "filter";
  const value = analyse(text, { slot: "value" });
  return "fault" in parseExpression(text, "value") || value.findings.some(isError) ? "filter" : "value";
}
