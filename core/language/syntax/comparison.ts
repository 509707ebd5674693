import type { Condition, Operand, Test } from "../ast.js";
import { arrayOf, BOOLEAN, elementOf, INTEGER, STRING, UNKNOWN, type Type } from "../type.js";
import { readInteger, readLiteral } from "./bare-literals.js";
import { peekLogical, peekOperator, takeOperator, type FoundOperator, type Operator } from "./keywords.js";
import type { Parser } from "./parser.js";
import { failOnBoolean, readMembers, readRightSide, stringExpected } from "./right-side.js";
import type { Scanner } from "./scanner.js";
import { isAtString, readRegex, readString } from "./string-literals.js";
import { operatorHint } from "./traps.js";

/** An operand alone, or with an operator and its right side. */
export function readComparison(parser: Parser, left: Operand): Condition {
  const { scanner } = parser;
  const behind = scanner.at;
  scanner.skipSpace();
  const operator = peekOperator(scanner);
  if (operator === undefined) {
    if (!isBoolean(left.type)) operatorExpected(scanner, left);
    scanner.at = behind;
    return { kind: "truth", operand: left, span: left.span };
  }
  const test = readTest(parser, left, operator);
  return { kind: "comparison", left, test, span: { start: left.span.start, end: scanner.at } };
}

function isBoolean(type: Type): boolean {
  return type === BOOLEAN || type === arrayOf(BOOLEAN) || elementOf(type) === BOOLEAN;
}

/** Fails if an operator is missing; at the end of a condition the type check reports it. */
function operatorExpected(scanner: Scanner, left: Operand): void {
  if (scanner.done || /[),]/.test(scanner.peek()) || peekLogical(scanner) !== undefined) return;
  const trap = operatorHint(scanner.text.slice(scanner.at, Math.min(scanner.at + 40, scanner.end)));
  if (trap !== undefined) {
    const { shown, hint, fix } = trap;
    scanner.fail(`\`${shown}\` is not an operator. ${hint}`, scanner.at, scanner.at + shown.length, "syntax", ...fix);
  }
  if (scanner.peek() === "[") scanner.fail("remove the space between the field and its index");
  if (left.type === UNKNOWN && scanner.peek() !== "\t") {
    const operators = "operators are `eq`, `ne`, `in`, `contains`, …";
    scanner.fail(`\`${left.name}\` must be followed by an operator; ${operators}`);
  }
  scanner.expected("an operator such as `eq`, `ne`, `in` or `contains`");
}

/** Operators that only take a literal; none of them applies to a Boolean. */
const WITHOUT_ORDER: ReadonlySet<Operator> = new Set([
  "in",
  "bits",
  "contains",
  "matches",
  "wildcard",
  "strict wildcard",
]);
const PATTERN = 'a quoted pattern (`"…"` or `r"…"`)';

function readTest(parser: Parser, left: Operand, operator: FoundOperator): Test {
  const { scanner } = parser;
  const { op, span: opSpan } = operator;
  takeOperator(scanner, operator);
  if (WITHOUT_ORDER.has(op)) failOnBoolean(scanner, left, "", opSpan);
  switch (op) {
    case "in":
      return { kind: "in", right: readMembers(scanner, left), opSpan };
    case "bits": {
      const right = readInteger(scanner) ?? readLiteral(scanner, INTEGER);
      return { kind: "bits", right: right ?? scanner.expected("an integer"), opSpan };
    }
    case "contains":
      if (scanner.peek() === "{") {
        scanner.fail('`contains` takes one string; combine several with `or`: `x contains "a" or x contains "b"`');
      }
      return { kind: "contains", right: readLiteral(scanner, STRING) ?? stringExpected(scanner), opSpan };
    case "matches":
      if (!isAtString(scanner)) scanner.expected(PATTERN);
      return { kind: "matches", right: readRegex(scanner), opSpan };
    case "wildcard":
    case "strict wildcard":
      if (!isAtString(scanner)) scanner.expected(PATTERN);
      return { kind: "wildcard", strict: op === "strict wildcard", right: readString(scanner), opSpan };
    default:
      return { kind: "order", op, right: readRightSide(parser, left, opSpan), opSpan };
  }
}
