import type { Argument, Condition, Expression, Literal, Operand, SetLiteral, Test } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { formatIp } from "../ip.js";
import { printSet } from "../print/literals.js";
import { parseExpression } from "../syntax/index.js";
import { normaliseSet } from "./sets.js";

/**
 * The names and values in an expression, in order, with the smallest string of each set. Expressions with equal normal forms
 * have equal outlines, and others mostly have not, so a normal form, which sorts sets, is only needed where outlines are equal.
 * Undefined if the expression cannot be parsed.
 */
export function outlineOf(text: string): string | undefined {
  const parsed = parseExpression(text);
  return "fault" in parsed ? undefined : ofExpression(parsed.expression);
}

function ofExpression(expression: Expression): string {
  return expression.kind === "filter" ? ofCondition(expression.condition) : ofOperand(expression.operand);
}

function ofCondition(condition: Condition): string {
  switch (condition.kind) {
    case "group":
    case "not":
      return ofCondition(condition.of);
    case "combination":
      return condition.items.map(ofCondition).join(" ");
    case "quantifier":
      return ofArgument(condition.of);
    case "truth":
      return ofOperand(condition.operand);
    case "comparison":
      return `${ofOperand(condition.left)} ${ofTest(condition.test)}`;
  }
}

function ofTest(test: Test): string {
  switch (test.kind) {
    case "matches":
      return test.right.pattern;
    case "in":
      return test.right.kind === "set" ? ofSet(test.right) : test.right.name;
    default:
      return ofArgument(test.right);
  }
}

function ofSet(set: SetLiteral): string {
  let least: string | undefined;
  for (const item of set.items) {
    if (item.kind === "string" && (least === undefined || item.value < least)) least = item.value;
  }
  return least ?? printSet(normaliseSet(set));
}

function ofOperand(operand: Operand): string {
  return operand.kind === "field" ? operand.name : `${operand.name} ${operand.args.map(ofArgument).join(" ")}`;
}

function ofArgument(argument: Argument): string {
  if (isOperand(argument)) return ofOperand(argument);
  return isCondition(argument) ? ofCondition(argument) : ofLiteral(argument);
}

function ofLiteral(literal: Literal): string {
  if (literal.kind === "string") return literal.value;
  return literal.kind === "integer" ? String(literal.value) : formatIp(literal.value);
}
