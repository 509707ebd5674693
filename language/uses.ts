import {
  isCondition,
  isOperand,
  type Argument,
  type Condition,
  type Expression,
  type Operand,
  type Test,
} from "./ast.js";

/** The names in an expression in order, without duplicates; operators by their English names. */
export interface Uses {
  readonly operators: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Without `$`. */
  readonly lists: ReadonlySet<string>;
}

/** What an expression uses, at any depth. */
export function usesOf(expression: Expression): Uses {
  const uses: Found = { operators: new Set(), functions: new Set(), fields: new Set(), lists: new Set() };
  if (expression.kind === "filter") inCondition(expression.condition, uses);
  else inOperand(expression.operand, uses);
  return uses;
}

interface Found {
  readonly operators: Set<string>;
  readonly functions: Set<string>;
  readonly fields: Set<string>;
  readonly lists: Set<string>;
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
  if (test.kind === "in" && test.right.kind === "list") found.lists.add(test.right.name);
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
  if (operand.kind === "field") {
    found.fields.add(operand.name);
    return;
  }
  found.functions.add(operand.name);
  for (const argument of operand.args) inArgument(argument, found);
}

function inArgument(argument: Argument, found: Found): void {
  if (isCondition(argument)) inCondition(argument, found);
  else if (isOperand(argument)) inOperand(argument, found);
}
