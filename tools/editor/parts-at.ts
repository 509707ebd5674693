import {
  isCondition,
  isOperand,
  type Argument,
  type Condition,
  type Expression,
  type ListName,
  type Operand,
} from "../../core/language/index.js";

/** A part of an expression. */
export type Part =
  | { readonly kind: "condition"; readonly condition: Condition }
  | { readonly kind: "operand"; readonly operand: Operand }
  | { readonly kind: "list"; readonly list: ListName };

/** The parts of an expression at a position, from the outermost to the innermost. */
export function partsAt(expression: Expression, offset: number): readonly Part[] {
  const found: Part[] = [];
  const holds = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    start <= offset && offset <= end;
  const inOperand = (operand: Operand): void => {
    if (!holds(operand.span)) return;
    found.push({ kind: "operand", operand });
    if (operand.kind === "call") operand.args.forEach(inArgument);
  };
  const inArgument = (argument: Argument): void => {
    if (isCondition(argument)) inCondition(argument);
    else if (isOperand(argument)) inOperand(argument);
  };
  const inCondition = (condition: Condition): void => {
    if (!holds(condition.span)) return;
    found.push({ kind: "condition", condition });
    switch (condition.kind) {
      case "combination":
        condition.items.forEach(inCondition);
        return;
      case "not":
      case "group":
        inCondition(condition.of);
        return;
      case "quantifier":
        inArgument(condition.of);
        return;
      case "truth":
        inOperand(condition.operand);
        return;
      case "comparison": {
        const { left, test } = condition;
        inOperand(left);
        if (test.kind === "order") inArgument(test.right);
        if (test.kind === "in" && test.right.kind === "list" && holds(test.right.span))
          found.push({ kind: "list", list: test.right });
      }
    }
  };
  if (expression.kind === "filter") inCondition(expression.condition);
  else inOperand(expression.operand);
  return found;
}
