import {
  isOperand,
  parseExpression,
  printCondition,
  printOperand,
  type Combination,
  type Condition,
  type Span,
} from "../language/index.js";
import { printLiteral, printSet } from "../language/print/literals.js";
import { RANK } from "../language/syntax/keywords.js";
import { partsAt } from "./parts-at.js";

/** Comparisons of one value, joined by `or`, that one set can replace. */
export interface Merge {
  readonly span: Span;
  readonly text: string;
  readonly left: string;
}

/** The comparisons around a position that can be merged into one set. */
export function mergeAt(text: string, at: number): Merge | undefined {
  const parsed = parseExpression(text);
  if ("fault" in parsed) return undefined;
  const combinations = partsAt(parsed.expression, at).flatMap((part) =>
    part.kind === "condition" && part.condition.kind === "combination" ? [part.condition] : [],
  );
  return combinations.map(mergeIn).findLast((merge) => merge !== undefined);
}

function mergeIn({ op, items, span }: Combination): Merge | undefined {
  if (op !== "or") return undefined;
  const lefts = items.map(leftOf);
  const left = lefts.find((name, index) => name !== undefined && lefts.indexOf(name) < index);
  if (left === undefined) return undefined;
  const alike = items.filter((_, index) => lefts[index] === left);
  const merged = `${left} in {${alike.flatMap(membersOf).join(" ")}}`;
  const [first] = alike;
  const texts = items.flatMap((item) => {
    if (item === first) return [merged];
    return alike.includes(item) ? [] : [printCondition(item, RANK.or + 1)];
  });
  return { span, text: texts.join(" or "), left };
}

/** What a condition compares for equality with literals; undefined for any other condition. */
function leftOf(condition: Condition): string | undefined {
  return membersOf(condition).length > 0 && condition.kind === "comparison" && !condition.left.mapped
    ? printOperand(condition.left)
    : undefined;
}

/** The literals that a condition compares with, as a set has them. */
function membersOf(condition: Condition): readonly string[] {
  if (condition.kind !== "comparison") return [];
  const { test } = condition;
  if (test.kind === "order" && test.op === "eq" && !isOperand(test.right)) return [printLiteral(test.right)];
  return test.kind === "in" && test.right.kind === "set" ? [printSet(test.right).slice(1, -1)] : [];
}
