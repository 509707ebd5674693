import type { Argument, Condition, Operand } from "../../language/ast.js";
import { isCondition, isOperand } from "../../language/ast.js";

/** The fields that a condition reads. */
export function fieldNames(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case "group":
    case "not":
      return fieldNames(condition.of);
    case "combination":
      return condition.items.flatMap(fieldNames);
    case "quantifier":
      return ofArgument(condition.of);
    case "truth":
      return ofOperand(condition.operand);
    case "comparison": {
      const { left, test } = condition;
      return [...ofOperand(left), ...(test.kind === "order" && isOperand(test.right) ? ofOperand(test.right) : [])];
    }
  }
}

function ofOperand(operand: Operand): readonly string[] {
  return operand.kind === "field" ? [operand.name] : operand.args.flatMap(ofArgument);
}

function ofArgument(argument: Argument): readonly string[] {
  if (isOperand(argument)) return ofOperand(argument);
  return isCondition(argument) ? fieldNames(argument) : [];
}
