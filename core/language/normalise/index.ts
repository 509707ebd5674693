import type { Argument, Combination, Condition, Expression, Literal, Operand, Test } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { printExpression } from "../print/index.js";
import { parseExpression, type ExpressionKind } from "../syntax/index.js";
import { normaliseSet } from "./sets.js";

/**
 * The normal form of an expression, which is equal for expressions that differ only in white space, notation, redundant
 * parentheses, double negations, or the order in sets. It has exactly the same meaning. The order of conditions is kept.
 * Undefined if the expression cannot be parsed.
 */
export function normalForm(text: string, kind: ExpressionKind = "filter"): string | undefined {
  const parsed = parseExpression(text, kind);
  return "fault" in parsed ? undefined : printExpression(normaliseExpression(parsed.expression));
}

/** Whether two expressions have the same normal form; expressions that cannot be parsed are compared as text. */
export function sameMeaning(a: string, b: string, kind: ExpressionKind = "filter"): boolean {
  if (a.trim() === b.trim()) return true;
  const form = normalForm(a, kind);
  return form !== undefined && form === normalForm(b, kind);
}

export function normaliseExpression(expression: Expression): Expression {
  return expression.kind === "filter"
    ? { kind: "filter", condition: normaliseCondition(expression.condition) }
    : { kind: "value", operand: normaliseOperand(expression.operand) };
}

function normaliseCondition(condition: Condition): Condition {
  switch (condition.kind) {
    case "group":
      return normaliseCondition(condition.of);
    case "not": {
      const of = normaliseCondition(condition.of);
      return of.kind === "not" ? of.of : { ...condition, of };
    }
    case "combination":
      return flatten(condition);
    case "quantifier":
      return { ...condition, of: normaliseArgument(condition.of) };
    case "truth":
      return { ...condition, operand: normaliseOperand(condition.operand) };
    case "comparison":
      return { ...condition, left: normaliseOperand(condition.left), test: normaliseTest(condition.test) };
  }
}

/** `and`, `or` and `xor` are each associative, also element by element. */
function flatten({ op, items, span }: Combination): Condition {
  const flat = items.flatMap((item) => {
    const normal = normaliseCondition(item);
    return normal.kind === "combination" && normal.op === op ? normal.items : [normal];
  });
  return { kind: "combination", op, items: flat, span };
}

/**
 * A bare operand in parentheses keeps them: with them a nil array has no elements, without them it is nil, and `all`
 * distinguishes the two.
 */
function normaliseArgument(argument: Argument): Argument {
  if (isOperand(argument)) return normaliseOperand(argument);
  if (!isCondition(argument)) return normaliseLiteral(argument);
  const of = normaliseCondition(argument);
  return of.kind === "truth" ? { kind: "group", of, span: argument.span } : of;
}

function normaliseOperand(operand: Operand): Operand {
  return operand.kind === "field" ? operand : { ...operand, args: operand.args.map(normaliseArgument) };
}

function normaliseLiteral<T extends Literal>(literal: T): T {
  if (literal.kind === "string") return { ...literal, notation: "quoted" };
  return literal.kind === "integer" ? { ...literal, notation: "decimal" } : literal;
}

function normaliseTest(test: Test): Test {
  switch (test.kind) {
    case "order":
      return isOperand(test.right)
        ? { ...test, right: normaliseOperand(test.right) }
        : { ...test, right: normaliseLiteral(test.right) };
    case "bits":
      return { ...test, right: normaliseLiteral(test.right) };
    case "contains":
      return { ...test, right: normaliseLiteral(test.right) };
    case "wildcard":
      return { ...test, right: normaliseLiteral(test.right) };
    case "matches":
      return { ...test, right: { ...test.right, notation: "raw" } };
    case "in":
      return test.right.kind === "set" ? { ...test, right: normaliseSet(test.right) } : test;
  }
}
