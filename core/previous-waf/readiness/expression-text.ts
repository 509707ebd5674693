// Not from the language's index, so that no run loads the evaluator.
import { isCondition, isOperand, type Argument, type Condition, type Test } from "../../language/ast.js";
import { showBytes } from "../../language/bytes.js";
import { normaliseExpression } from "../../language/normalise/index.js";
import { printCondition } from "../../language/print/index.js";
import { parseExpression } from "../../language/syntax/index.js";
import { childrenOf } from "../../language/tree.js";

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
  return { alternatives: parts.map((part) => printCondition(part)), literals: stringsIn(condition, false) };
}

function stringsIn(argument: Argument, negated: boolean): StringInCondition[] {
  if (argument.kind === "string") return [{ text: showBytes(argument.value), negated }];
  if (!isCondition(argument) && !isOperand(argument)) return [];
  switch (argument.kind) {
    case "comparison":
      return [...stringsIn(argument.left, negated), ...inTest(argument.test, negated)];
    case "call":
      return argument.args.flatMap((one) => stringsIn(one, negated));
    default:
      return childrenOf(argument).flatMap((one) => stringsIn(one, negated !== (argument.kind === "not")));
  }
}

function inTest(test: Test, negated: boolean): StringInCondition[] {
  switch (test.kind) {
    case "order":
      return stringsIn(test.right, test.op === "ne" ? !negated : negated);
    case "wildcard":
    case "contains":
      return stringsIn(test.right, negated);
    case "in":
      return test.right.kind === "set"
        ? test.right.items.flatMap((item) => (item.kind === "string" ? stringsIn(item, negated) : []))
        : [];
    case "bits":
    case "matches":
      return [];
  }
}
