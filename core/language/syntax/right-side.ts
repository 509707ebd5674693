import type { ListName, Literal, Operand, SetItem, SetLiteral, Span } from "../ast.js";
import { asNumber, asNumberText } from "../as-number.js";
import { findField, findFunction } from "../catalogue/index.js";
import { BOOLEAN, type Type } from "../type.js";
import { readLiteral, readSetItem } from "./bare-literals.js";
import { readOperand } from "./operand.js";
import type { Parser } from "./parser.js";
import type { Scanner } from "./scanner.js";
import { isAtString, readPlainStrings, readString } from "./string-literals.js";

const LIST_NAME = /[a-z0-9_.]+/y;
const UNQUOTED = /[\p{L}\p{N}_./:@*?%+-]+/uy;
/** First segments of all names: other names with these are taken for fields that are newer than the catalogue. */
const ROOTS: ReadonlySet<string> = new Set("cf http icmp ip raw ssl tcp udp".split(" "));

/** The right side of an order or equality comparison: a literal, or since October 2026 a field or a call. */
export function readRightSide(parser: Parser, left: Operand, opSpan: Span): Literal | Operand {
  const { scanner } = parser;
  if (isAtString(scanner)) {
    failOnBoolean(scanner, left, "", opSpan);
    return readString(scanner);
  }
  const name = scanner.peekIdentifier();
  failOnBoolean(scanner, left, name, opSpan);
  if (findField(name) !== undefined || findFunction(name) !== undefined) return readOperand(parser);
  if (scanner.peek() === "{") scanner.fail("a set needs `in`: `field in {…}`");
  if (scanner.peek() === "$") scanner.fail("a list needs `in`: `field in $list`");
  if (scanner.peek() === "(") scanner.fail("remove the parentheses around the right side of the comparison");
  const literal = readLiteral(scanner, left.type);
  if (literal !== undefined) return literal;
  const call = name !== "" && scanner.text[scanner.at + name.length] === "(";
  if (call || ROOTS.has(name.split(".")[0] ?? "")) return readOperand(parser);
  if (left.type.kind === "integer") return integerExpected(scanner, left, "an integer");
  return left.type.kind === "ip" ? scanner.expected("an IP address without quotes") : stringExpected(scanner);
}

/** A Boolean takes no operator. Whether it can be compared with another Boolean is not documented, so that is allowed. */
export function failOnBoolean(scanner: Scanner, left: Operand, right: string, opSpan: Span): void {
  if (left.type !== BOOLEAN) return;
  const known = findField(right);
  if (known?.type === BOOLEAN && right !== "true" && right !== "false") return;
  if (findFunction(right)?.returns === BOOLEAN) return;
  const text = scanner.text.slice(left.span.start, left.span.end);
  const end = right === "" ? opSpan.end : scanner.at + right.length;
  const rule = "is already true or false";
  scanner.fail(`\`${left.name}\` ${rule}: write \`${text}\` or \`not ${text}\``, opSpan.start, end, "type");
}

export function stringExpected(scanner: Scanner): never {
  const word = scanner.match(UNQUOTED);
  if (word === "") return scanner.expected('a quoted string (`"…"`)');
  const instead = `"${word}"`;
  return scanner.fail(
    `put the string in quotes: \`${instead}\``,
    scanner.at,
    scanner.at + word.length,
    "syntax",
    instead,
    true,
  );
}

/** Reads the right side of `in`: a set or a list. */
export function readMembers(scanner: Scanner, left: Operand): SetLiteral | ListName {
  if (scanner.peek() === "$") return readListName(scanner);
  const start = scanner.at;
  if (!scanner.take("{")) return bracesExpected(scanner, left.type);
  const items: SetItem[] = [];
  for (;;) {
    readPlainStrings(scanner, items);
    scanner.skipSpace();
    if (scanner.done) scanner.fail("this `{` is never closed", start, start + 1);
    if (scanner.take("}")) return { kind: "set", items, span: { start, end: scanner.at } };
    if (scanner.peek() === ",") commaInSet(scanner);
    items.push(readSetItem(scanner, left.type) ?? itemExpected(scanner, left));
  }
}

function commaInSet(scanner: Scanner): never {
  const { at } = scanner;
  return scanner.fail("separate the items of a set with spaces, not commas", at, at + 1, "syntax", " ", true);
}

function bracesExpected(scanner: Scanner, wanted: Type): never {
  const instead = readSetItem(scanner, wanted);
  if (instead === undefined) return scanner.expected("`{` of a set or `$` of a list");
  const { start, end } = instead.span;
  const braced = `{${scanner.text.slice(start, end)}}`;
  return scanner.fail(`a set is written in braces: \`in ${braced}\``, start, end, "syntax", braced, true);
}

/** The number of an AS is written without the letters before it. */
function integerExpected(scanner: Scanner, left: Operand, what: string): never {
  const word = scanner.peekIdentifier();
  const number = asNumber(word);
  if (number === undefined) return scanner.expected(what);
  const { at } = scanner;
  return scanner.fail(asNumberText(left.name, word, number), at, at + word.length, "as-number", number, true);
}

function itemExpected(scanner: Scanner, left: Operand): never {
  const wanted = left.type;
  if (wanted.kind === "integer") return integerExpected(scanner, left, "an integer or `}`");
  if (wanted.kind === "ip") return scanner.expected("an IP address, a prefix, a range or `}`");
  return stringExpected(scanner);
}

function readListName(scanner: Scanner): ListName {
  const start = scanner.at;
  scanner.at += 1;
  const name = scanner.match(LIST_NAME);
  if (name === "" || name.startsWith(".") || name.endsWith(".")) {
    const rule = "a list is written `$name`; its name has only a-z, 0-9, `_` and `.`, and no `.` at either end";
    scanner.fail(rule, start, scanner.at + Math.max(1, name.length));
  }
  scanner.at += name.length;
  return { kind: "list", name, span: { start, end: scanner.at } };
}
