import type { Condition, Expression, ListName, Operand } from "../../core/language/index.js";
import { isCondition } from "../../core/language/ast.js";
import { childrenOf, rootOf, type Node } from "../../core/language/tree.js";

/** A part of an expression. */
export type Part =
  | { readonly kind: "condition"; readonly condition: Condition }
  | { readonly kind: "operand"; readonly operand: Operand }
  | { readonly kind: "list"; readonly list: ListName };

/** The parts of an expression at a position, from the outermost to the innermost. */
export function partsAt(expression: Expression, offset: number): readonly Part[] {
  const holds = ({ span: { start, end } }: Node | ListName): boolean => start <= offset && offset <= end;
  const partsIn = (node: Node): readonly Part[] => {
    if (!holds(node)) return [];
    const own: Part = isCondition(node) ? { kind: "condition", condition: node } : { kind: "operand", operand: node };
    return [own, ...childrenOf(node).flatMap(partsIn), ...listIn(node).filter(({ list }) => holds(list))];
  };
  return partsIn(rootOf(expression));
}

function listIn(node: Node): readonly Extract<Part, { kind: "list" }>[] {
  if (node.kind !== "comparison" || node.test.kind !== "in" || node.test.right.kind !== "list") return [];
  return [{ kind: "list", list: node.test.right }];
}
