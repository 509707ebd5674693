// Not from the language's index, so that no run loads the evaluator.
import { isCondition, isOperand, type Argument, type Condition, type Operand, type Test } from "../../language/ast.js";
import { normaliseExpression } from "../../language/normalise/index.js";
import { printCondition } from "../../language/print/index.js";
import { parseExpression } from "../../language/syntax/index.js";

/** The condition of an expression in its normal form; undefined if it cannot be parsed. */
function conditionOf(expression: string): Condition | undefined {
  const parsed = parseExpression(expression, "filter");
  if ("fault" in parsed) return undefined;
  const normal = normaliseExpression(parsed.expression);
  return normal.kind === "filter" ? normal.condition : undefined;
}

/** The parts of an expression, parsed once. */
interface ReadExpression {
  /** Its alternatives, in normal form: equal texts mean equal conditions. */
  readonly alternatives: readonly string[];
  /** Every string in it, in order. */
  readonly literals: readonly StringInCondition[];
}

/** A string in an expression, and whether it is in a negated condition. */
export interface StringInCondition {
  readonly text: string;
  readonly negated: boolean;
}

export function readExpression(expression: string): ReadExpression {
  const condition = conditionOf(expression);
  if (condition === undefined) return { alternatives: [expression.trim()], literals: [] };
  const parts = condition.kind === "combination" && condition.op === "or" ? condition.items : [condition];
  return { alternatives: parts.map((part) => printCondition(part)), literals: inCondition(condition, false) };
}

function inCondition(condition: Condition, negated: boolean): StringInCondition[] {
  switch (condition.kind) {
    case "combination":
      return condition.items.flatMap((item) => inCondition(item, negated));
    case "not":
      return inCondition(condition.of, !negated);
    case "group":
      return inCondition(condition.of, negated);
    case "quantifier":
      return inArgument(condition.of, negated);
    case "truth":
      return inOperand(condition.operand, negated);
    case "comparison":
      return [...inOperand(condition.left, negated), ...inTest(condition.test, negated)];
  }
}

function inTest(test: Test, negated: boolean): StringInCondition[] {
  switch (test.kind) {
    case "order":
      return inArgument(test.right, test.op === "ne" ? !negated : negated);
    case "wildcard":
    case "contains":
      return inArgument(test.right, negated);
    case "in":
      return test.right.kind === "set"
        ? test.right.items.flatMap((item) => (item.kind === "string" ? [{ text: fromBytes(item.value), negated }] : []))
        : [];
    case "bits":
    case "matches":
      return [];
  }
}

function inOperand(operand: Operand, negated: boolean): StringInCondition[] {
  return operand.kind === "call" ? operand.args.flatMap((argument) => inArgument(argument, negated)) : [];
}

function inArgument(argument: Argument, negated: boolean): StringInCondition[] {
  if (isCondition(argument)) return inCondition(argument, negated);
  if (isOperand(argument)) return inOperand(argument, negated);
  return argument.kind === "string" ? [{ text: fromBytes(argument.value), negated }] : [];
}

/** The parser represents strings as the bytes that they are compared by. */
function fromBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
