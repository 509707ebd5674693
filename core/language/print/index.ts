import type { Argument, Combination, Condition, Expression, Index, Operand, Test } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { RANK } from "../syntax/keywords.js";
import { printLiteral, printRegex, printSet, quote } from "./literals.js";

const TIGHTEST = 4;

/** Prints an expression with English operators and single spaces. Parsing the result gives the same tree. */
export function printExpression(expression: Expression): string {
  return expression.kind === "filter" ? printCondition(expression.condition) : printOperand(expression.operand);
}

/** Prints a condition, with parentheses if the surrounding operator (of the given rank) binds more tightly. */
export function printCondition(condition: Condition, rank = 0): string {
  switch (condition.kind) {
    case "combination":
      return printCombination(condition, rank);
    case "not":
      return `not ${printCondition(condition.of, TIGHTEST)}`;
    case "group":
      return `(${printCondition(condition.of)})`;
    case "quantifier":
      return `${condition.name}(${printArgument(condition.of)})`;
    case "truth":
      return printOperand(condition.operand);
    case "comparison":
      return `${printOperand(condition.left)} ${printTest(condition.test)}`;
  }
}

function printCombination({ op, items }: Combination, rank: number): string {
  const own = RANK[op];
  const text = items.map((item) => printCondition(item, own + 1)).join(` ${op} `);
  return own < rank ? `(${text})` : text;
}

/** An argument that does not begin like a condition ends after one comparison; anything longer needs parentheses. */
function printArgument(argument: Argument): string {
  if (isOperand(argument)) return printOperand(argument);
  if (!isCondition(argument)) return printLiteral(argument);
  const text = printCondition(argument);
  return argument.kind === "comparison" || beginsLikeCondition(argument) ? text : `(${text})`;
}

function beginsLikeCondition(condition: Condition): boolean {
  if (condition.kind !== "combination") return condition.kind !== "truth" && condition.kind !== "comparison";
  const [first] = condition.items;
  if (first === undefined) return false;
  // A combination that binds more loosely needs parentheses.
  return (first.kind === "combination" && RANK[first.op] <= RANK[condition.op]) || beginsLikeCondition(first);
}

function printTest(test: Test): string {
  switch (test.kind) {
    case "order":
      return `${test.op} ${isOperand(test.right) ? printOperand(test.right) : printLiteral(test.right)}`;
    case "bits":
      return `bitwise_and ${printLiteral(test.right)}`;
    case "contains":
      return `contains ${printLiteral(test.right)}`;
    case "wildcard":
      return `${test.strict ? "strict wildcard" : "wildcard"} ${printLiteral(test.right)}`;
    case "matches":
      return `matches ${printRegex(test.right)}`;
    case "in":
      return `in ${test.right.kind === "list" ? `$${test.right.name}` : printSet(test.right)}`;
  }
}

export function printOperand(operand: Operand): string {
  const path = operand.path.map(printIndex).join("");
  if (operand.kind === "field") return operand.name + path;
  return `${operand.name}(${operand.args.map(printArgument).join(", ")})${path}`;
}

function printIndex(index: Index): string {
  if (index.kind === "each") return "[*]";
  return index.kind === "key" ? `[${quote(index.value)}]` : `[${String(index.value)}]`;
}
