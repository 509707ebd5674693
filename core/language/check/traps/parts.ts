import {
  isCondition,
  isOperand,
  type Argument,
  type CallOperand,
  type Combination,
  type Condition,
  type Expression,
  type Operand,
} from "../../ast.js";

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
  return Array.from(
    expression.kind === "filter" ? ofCondition(expression.condition, false) : ofOperand(expression.operand, false),
  );
}

function* ofCondition(condition: Condition, isNegated: boolean, within?: Combination): Generator<Part> {
  yield { of: condition, isNegated, ...(within === undefined ? {} : { within }) };
  switch (condition.kind) {
    case "combination":
      for (const item of condition.items) yield* ofCondition(item, isNegated, condition);
      return;
    case "not":
      yield* ofCondition(condition.of, true);
      return;
    case "group":
      yield* ofCondition(condition.of, isNegated);
      return;
    case "quantifier":
      yield* ofArgument(condition.of, isNegated);
      return;
    case "truth":
      yield* ofOperand(condition.operand, isNegated);
      return;
    case "comparison":
      yield* ofOperand(condition.left, isNegated);
      if (condition.test.kind === "order") yield* ofArgument(condition.test.right, isNegated);
  }
}

function* ofOperand(operand: Operand, isNegated: boolean): Generator<Part> {
  if (operand.kind === "field") return;
  yield { of: operand, isNegated };
  for (const argument of operand.args) yield* ofArgument(argument, isNegated);
}

function* ofArgument(argument: Argument, isNegated: boolean): Generator<Part> {
  if (isCondition(argument)) yield* ofCondition(argument, isNegated);
  else if (isOperand(argument)) yield* ofOperand(argument, isNegated);
}
