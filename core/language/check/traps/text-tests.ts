import { isOperand, type FieldOperand, type Operand, type RegexLiteral, type StringLiteral } from "../../ast.js";
import { fromBytes, toBytes } from "../../bytes.js";
import { findFunction } from "../../catalogue/index.js";
import { printLiteral, printRegex } from "../../print/literals.js";
import type { Part } from "./parts.js";

/** A text that the value of a field is compared with, or that a function looks for in it. */
export interface TextTest {
  /** Also under functions that keep the beginning of a value and its separators, such as `lower`. */
  readonly field: FieldOperand;
  readonly how: "whole" | "start" | "part" | "wildcard" | "regex";
  /** Whether what the text matches is replaced. */
  readonly replaces: boolean;
  readonly literal: StringLiteral | RegexLiteral;
  /** The text, or the pattern. */
  readonly value: string;
}

/** The texts in a part of an expression; bytes that are no text are left out. */
export function textTestsOf({ of }: Part): readonly TextTest[] {
  if (of.kind === "comparison") {
    const { left, test } = of;
    switch (test.kind) {
      case "order":
        return test.op === "eq" || test.op === "ne" ? testsOf(left, "whole", [test.right]) : [];
      case "contains":
        return testsOf(left, "part", [test.right]);
      case "wildcard":
      case "matches":
        return testsOf(left, test.kind === "matches" ? "regex" : "wildcard", [test.right]);
      case "in":
        return test.right.kind === "set" ? testsOf(left, "whole", test.right.items) : [];
      default:
        return [];
    }
  }
  if (of.kind !== "call") return [];
  const [left, text] = of.args;
  if (left === undefined || text === undefined || !isOperand(left)) return [];
  if (of.name === "starts_with") return testsOf(left, "start", [text]);
  if (of.name === "ends_with") return testsOf(left, "part", [text]);
  const parameter = findFunction(of.name)?.params[1];
  if (parameter?.regex === true) return testsOf(left, "regex", [text], true);
  return parameter?.wildcard === true ? testsOf(left, "wildcard", [text], true) : [];
}

function testsOf(
  left: Operand,
  how: TextTest["how"],
  right: readonly { readonly kind: string }[],
  replaces = false,
): readonly TextTest[] {
  const field = fieldIn(left);
  if (field === undefined) return [];
  return right.filter(isText).flatMap((literal) => {
    const value = literal.kind === "regex" ? literal.pattern : fromBytes(literal.value);
    return value === undefined ? [] : [{ field, how, replaces, literal, value }];
  });
}

function isText(literal: { readonly kind: string }): literal is StringLiteral | RegexLiteral {
  return literal.kind === "string" || literal.kind === "regex";
}

const KEEPING = /^(?:lower|upper|url_decode)$/;

function fieldIn(operand: Operand): FieldOperand | undefined {
  if (operand.kind === "field") return operand;
  const [of] = operand.args;
  return KEEPING.test(operand.name) && of !== undefined && isOperand(of) ? fieldIn(of) : undefined;
}

/** How a literal is written with another text. */
export function printWith({ literal }: TextTest, value: string): string {
  return literal.kind === "regex"
    ? printRegex({ ...literal, pattern: value })
    : printLiteral({ ...literal, value: toBytes(value) });
}
