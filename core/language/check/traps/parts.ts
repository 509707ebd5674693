import type { CallOperand, Combination, Condition, Expression } from "../../ast.js";
import { childrenOf, rootOf, type Node } from "../../tree.js";

/** A condition or a call in an expression. */
export interface Part {
  readonly of: Condition | CallOperand;
  /** The combination that it is a member of, without parentheses between the two. */
  readonly within?: Combination;
  /** Whether a `not` is around it. */
  readonly isNegated: boolean;
}

/** The conditions and calls of an expression, the outer ones first. */
export function partsOf(expression: Expression): readonly Part[] {
  return Array.from(partsIn(rootOf(expression), false));
}

function* partsIn(of: Node, isNegated: boolean, around?: Node): Generator<Part> {
  if (of.kind === "field") return;
  yield { of, isNegated, ...(around?.kind === "combination" ? { within: around } : {}) };
  for (const child of childrenOf(of)) yield* partsIn(child, isNegated || of.kind === "not", of);
}
