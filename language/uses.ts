import {
  isCondition,
  isOperand,
  type Argument,
  type Condition,
  type Expression,
  type Operand,
  type Test,
} from "./ast.js";

/** The operators and functions of an expression, by their English names, each once. */
export interface Uses {
  readonly operators: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** What an expression uses, wherever in it. */
export function usesOf(expression: Expression): Uses {
  const uses = { operators: new Set<string>(), functions: new Set<string>() };
  if (expression.kind === "filter") inCondition(expression.condition, uses);
  else inOperand(expression.operand, uses);
  return uses;
}

interface Found {
  readonly operators: Set<string>;
  readonly functions: Set<string>;
}

function inCondition(condition: Condition, found: Found): void {
  switch (condition.kind) {
    case "combination":
      found.operators.add(condition.op);
      for (const item of condition.items) inCondition(item, found);
      return;
    case "not":
      found.operators.add("not");
      inCondition(condition.of, found);
      return;
    case "group":
      inCondition(condition.of, found);
      return;
    case "quantifier":
      found.functions.add(condition.name);
      inArgument(condition.of, found);
      return;
    case "truth":
      inOperand(condition.operand, found);
      return;
    case "comparison":
      inOperand(condition.left, found);
      inTest(condition.test, found);
  }
}

function inTest(test: Test, found: Found): void {
  found.operators.add(nameOf(test));
  if (test.kind === "order") inArgument(test.right, found);
}

function nameOf(test: Test): string {
  switch (test.kind) {
    case "order":
      return test.op;
    case "bits":
      return "bitwise_and";
    case "wildcard":
      return test.strict ? "strict wildcard" : "wildcard";
    default:
      return test.kind;
  }
}

function inOperand(operand: Operand, found: Found): void {
  if (operand.kind === "field") return;
  found.functions.add(operand.name);
  for (const argument of operand.args) inArgument(argument, found);
}

function inArgument(argument: Argument, found: Found): void {
  if (isCondition(argument)) inCondition(argument, found);
  else if (isOperand(argument)) inOperand(argument, found);
}
