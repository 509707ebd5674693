import type { Condition } from "../ast.js";
import { Unknown, type Verdict } from "../value.js";
import { compileCondition } from "./condition.js";
import type { Context } from "./context.js";

/** A part of a condition with its result for one request. */
export interface TracedPart {
  readonly condition: Condition;
  readonly verdict: Verdict;
  /** The parts that determine the verdict; empty for a comparison. */
  readonly parts: readonly TracedPart[];
}

/**
 * Evaluates every part of a condition separately, including those not needed for the verdict. `any` and `all` have no parts,
 * because they would have one set per element.
 */
export function traceCondition(condition: Condition, context: Context): TracedPart {
  const parts = childrenOf(condition).map((child) => traceCondition(child, context));
  return { condition, verdict: verdictOf(condition, context), parts };
}

function childrenOf(condition: Condition): readonly Condition[] {
  if (condition.kind === "combination") return condition.items;
  return condition.kind === "not" || condition.kind === "group" ? [condition.of] : [];
}

function verdictOf(condition: Condition, context: Context): Verdict {
  const compiled = compileCondition(condition);
  if (compiled.kind === "one") return compiled.test(context);
  return new Unknown([{ kind: "field", name: "", why: "an array was found where a single condition is needed" }]);
}
