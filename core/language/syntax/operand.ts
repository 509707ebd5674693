import type { Argument, Index, Operand } from "../ast.js";
import { findField, findFunction } from "../catalogue/index.js";
import { elementOf, UNKNOWN, type Type } from "../type.js";
import { failInCall } from "./call-faults.js";
import type { Parser } from "./parser.js";
import { resultOf } from "./result.js";
import type { Scanner } from "./scanner.js";
import { isAtString, readQuoted } from "./string-literals.js";
import { failAtTrap } from "./traps.js";
import { fromBytes } from "../bytes.js";
import { readInteger } from "./bare-literals.js";

/** Operators in capitals, which could be mistaken for field names. */
const SHOUTED = /^(?:AND|NOT|OR|XOR)$/;

/** A field or a call with its indexes. */
export function readOperand(parser: Parser): Operand {
  const { scanner } = parser;
  const start = scanner.at;
  const name = scanner.peekIdentifier();
  if (name === "") operandExpected(scanner);
  if (SHOUTED.test(name)) failAtTrap(scanner);
  scanner.at += name.length;
  const nameSpan = { start, end: scanner.at };
  if (scanner.peek() === ".") scanner.fail(`\`${name}.\` is not a complete name`, start, scanner.at + 1);
  const field = findField(name);
  if (field !== undefined || (findFunction(name) === undefined && !callFollows(scanner))) {
    const indexed = readIndexes(scanner, field?.type ?? UNKNOWN);
    return { kind: "field", name, ...indexed, nameSpan, span: { start, end: scanner.at } };
  }
  const args = readArguments(parser, name);
  const indexed = readIndexes(scanner, resultOf(name, args));
  return { kind: "call", name, args, ...indexed, nameSpan, span: { start, end: scanner.at } };
}

function operandExpected(scanner: Scanner): never {
  if (isAtString(scanner)) scanner.fail('a string cannot be on the left side; write `field eq "text"`');
  if (scanner.peek() === "$") scanner.fail("a list goes on the right side of `in`: `ip.src in $list`");
  if (scanner.peek() === "{") scanner.fail("a set goes on the right side of `in`: `ip.src in {…}`");
  return scanner.expected("a field or a function");
}

function callFollows(scanner: Scanner): boolean {
  const before = scanner.at;
  scanner.skipSpace();
  const follows = scanner.peek() === "(";
  scanner.at = before;
  return follows;
}

function readArguments(parser: Parser, name: string): readonly Argument[] {
  const { scanner } = parser;
  scanner.skipSpace();
  const open = scanner.at;
  if (!scanner.take("(")) scanner.expected(`\`(\` after the function \`${name}\``);
  return parser.nested(open, () => {
    const args: Argument[] = [];
    scanner.skipSpace();
    while (!scanner.take(")")) {
      if (args.length > 0) takeComma(scanner, name, open);
      if (scanner.done) scanner.fail(`the parentheses of \`${name}\` are never closed`, open, open + 1);
      args.push(parser.argument());
      scanner.skipSpace();
    }
    return args;
  });
}

function takeComma(scanner: Scanner, name: string, open: number): void {
  if (!scanner.take(",")) failInCall(scanner, name, open);
  scanner.skipSpace();
  if (scanner.peek() === ")") scanner.fail("remove the comma after the last argument", scanner.at - 1);
}

interface Indexed {
  readonly path: readonly Index[];
  readonly type: Type;
  readonly mapped: boolean;
}

/** The indexes and the resulting type; unknown if an index does not match, which the type check reports. */
function readIndexes(scanner: Scanner, base: Type): Indexed {
  const path: Index[] = [];
  let type = base;
  let mapped = false;
  while (scanner.peek() === "[") {
    const index = readIndex(scanner);
    path.push(index);
    mapped ||= index.kind === "each";
    const container = index.kind === "position" ? "array" : index.kind === "key" ? "map" : type.kind;
    type = type.kind === container ? (elementOf(type) ?? UNKNOWN) : UNKNOWN;
  }
  return { path, type, mapped };
}

const MAX_POSITION = 2 ** 32 - 1;
const WORD = /[A-Za-z0-9_]+/y;

/** `[0]`, `["key"]` or `[*]`. */
function readIndex(scanner: Scanner): Index {
  const start = scanner.at;
  scanner.at += 1;
  scanner.skipSpace();
  const inner = readInner(scanner);
  scanner.skipSpace();
  if (!scanner.take("]")) scanner.expected("`]`");
  return { ...inner, span: { start, end: scanner.at } };
}

type Inner =
  | { readonly kind: "each" }
  | { readonly kind: "key"; readonly value: string }
  | { readonly kind: "position"; readonly value: number };

function readInner(scanner: Scanner): Inner {
  const start = scanner.at;
  if (scanner.take("*")) return { kind: "each" };
  if (scanner.peek() === '"') {
    const value = readQuoted(scanner);
    if (fromBytes(value) === undefined) scanner.fail("a map key must be valid UTF-8", start, scanner.at);
    return { kind: "key", value };
  }
  if (isAtString(scanner)) scanner.fail('a map key is written in plain quotes: `["key"]`');
  const position = readInteger(scanner)?.value;
  if (position === undefined) return indexExpected(scanner);
  if (typeof position !== "number" || position < 0 || position > MAX_POSITION) {
    return scanner.fail("an array index must be an integer from 0 to 4294967295", start, scanner.at);
  }
  return { kind: "position", value: position };
}

function indexExpected(scanner: Scanner): never {
  const word = scanner.match(WORD);
  const hint = word === "" ? "" : `; write a map key in quotes: \`["${word}"]\``;
  const end = scanner.at + Math.max(1, word.length);
  return scanner.fail(`an index is an integer, a quoted key or \`*\`${hint}`, scanner.at, end);
}
