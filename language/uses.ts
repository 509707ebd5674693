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
  const uses: MutableUses = { operators: new Set(), functions: new Set(), fields: new Set(), lists: new Set() };
  if (expression.kind === "filter") inCondition(expression.condition, uses);
  else inOperand(expression.operand, uses);
  return uses;
}

type MutableUses = { readonly [Kind in keyof Uses]: Set<string> };

function inCondition(condition: Condition, uses: MutableUses): void {
  switch (condition.kind) {
    case "combination":
      uses.operators.add(condition.op);
      for (const item of condition.items) inCondition(item, uses);
      return;
    case "not":
      uses.operators.add("not");
      inCondition(condition.of, uses);
      return;
    case "group":
      inCondition(condition.of, uses);
      return;
    case "quantifier":
      uses.functions.add(condition.name);
      inArgument(condition.of, uses);
      return;
    case "truth":
      inOperand(condition.operand, uses);
      return;
    case "comparison":
      inOperand(condition.left, uses);
      inTest(condition.test, uses);
  }
}

function inTest(test: Test, uses: MutableUses): void {
  uses.operators.add(nameOf(test));
  if (test.kind === "order") inArgument(test.right, uses);
  if (test.kind === "in" && test.right.kind === "list") uses.lists.add(test.right.name);
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

function inOperand(operand: Operand, uses: MutableUses): void {
  if (operand.kind === "field") {
    uses.fields.add(operand.name);
    return;
  }
  uses.functions.add(operand.name);
  for (const argument of operand.args) inArgument(argument, uses);
}

function inArgument(argument: Argument, uses: MutableUses): void {
  if (isCondition(argument)) inCondition(argument, uses);
  else if (isOperand(argument)) inOperand(argument, uses);
}
