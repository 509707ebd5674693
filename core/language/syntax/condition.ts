import type { Condition } from "../ast.js";
import { failInCall } from "./call-faults.js";
import { readComparison } from "./comparison.js";
import { peekLogical, RANK, takeLogical, takeNegation } from "./keywords.js";
import { readOperand } from "./operand.js";
import type { Parser } from "./parser.js";
import { failAtTrap } from "./traps.js";

/** Reads conditions joined by operators that bind at least as tightly as `lowest`. */
export function readCondition(parser: Parser, lowest = 1): Condition {
  const { scanner } = parser;
  let left = readUnary(parser);
  for (;;) {
    const op = peekLogical(scanner);
    if (op === undefined || RANK[op] < lowest) return left;
    const items = [left];
    while (peekLogical(scanner) === op) {
      takeLogical(scanner);
      items.push(readCondition(parser, RANK[op] + 1));
    }
    const last = items.at(-1) ?? left;
    left = { kind: "combination", op, items, span: { start: left.span.start, end: last.span.end } };
  }
}

function readUnary(parser: Parser): Condition {
  const { scanner } = parser;
  const start = scanner.at;
  if (scanner.looksAt("(")) return readGroup(parser);
  if (takeNegation(scanner)) {
    const of = parser.nested(start, readUnary);
    return { kind: "not", of, span: { start, end: of.span.end } };
  }
  const quantifier = peekQuantifier(parser);
  return quantifier === undefined ? readComparison(parser, readOperand(parser)) : readQuantifier(parser, quantifier);
}

function readGroup(parser: Parser): Condition {
  const { scanner } = parser;
  const start = scanner.at;
  scanner.at += 1;
  scanner.skipSpace();
  const of = parser.nested(start, readCondition);
  scanner.skipSpace();
  if (scanner.done) scanner.fail("this `(` is never closed", start, start + 1);
  if (!scanner.take(")")) {
    failAtTrap(scanner);
    scanner.expected("`and`, `or`, `xor` or `)`");
  }
  return { kind: "group", of, span: { start, end: scanner.at } };
}

/** Whether `any(` or `all(` comes next. */
export function peekQuantifier({ scanner }: Parser): "any" | "all" | undefined {
  const name = scanner.peekIdentifier();
  if (name !== "any" && name !== "all") return undefined;
  const before = scanner.at;
  scanner.at += name.length;
  scanner.skipSpace();
  const opens = scanner.peek() === "(";
  scanner.at = before;
  return opens ? name : undefined;
}

function readQuantifier(parser: Parser, name: "any" | "all"): Condition {
  const { scanner } = parser;
  const start = scanner.at;
  scanner.at += name.length;
  scanner.skipSpace();
  const open = scanner.at;
  scanner.at += 1;
  scanner.skipSpace();
  if (scanner.peek() === ")") {
    scanner.fail(`\`${name}\` needs one condition over an array: \`${name}(array[*] eq "x")\``);
  }
  const of = parser.nested(open, () => parser.argument());
  scanner.skipSpace();
  if (!scanner.take(")")) failInCall(scanner, name, open);
  return { kind: "quantifier", name, of, span: { start, end: scanner.at } };
}
