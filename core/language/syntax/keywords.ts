import type { Combination, OrderOperator, Span } from "../ast.js";
import { findField, findFunction } from "../catalogue/index.js";
import type { Scanner } from "./scanner.js";
import { isAtString } from "./string-literals.js";

/** Keywords and their meanings, by first character. If one is a prefix of another, the first in the table is used. */
type Keywords<T> = ReadonlyMap<string, readonly Keyword<T>[]>;
type Keyword<T> = readonly [text: string, meaning: T];

function byFirst<T>(keywords: readonly Keyword<T>[]): Keywords<T> {
  const firsts = new Set(keywords.map(([text]) => text.charAt(0)));
  return new Map(Array.from(firsts, (first) => [first, keywords.filter(([text]) => text.startsWith(first))]));
}

type LogicalOperator = Combination["op"];

const LOGICAL = byFirst<LogicalOperator>([
  ["or", "or"],
  ["||", "or"],
  ["xor", "xor"],
  ["^^", "xor"],
  ["and", "and"],
  ["&&", "and"],
]);

/** How tightly the operators bind. */
export const RANK = { or: 1, xor: 2, and: 3 } as const;

export type Operator = OrderOperator | "in" | "bits" | "contains" | "matches" | "wildcard" | "strict wildcard";

const OPERATORS = byFirst<Operator>([
  ["in", "in"],
  ["eq", "eq"],
  ["==", "eq"],
  ["ne", "ne"],
  ["!=", "ne"],
  ["ge", "ge"],
  [">=", "ge"],
  ["le", "le"],
  ["<=", "le"],
  ["gt", "gt"],
  [">", "gt"],
  ["lt", "lt"],
  ["<", "lt"],
  ["&", "bits"],
  ["bitwise_and", "bits"],
  ["contains", "contains"],
  ["~", "matches"],
  ["matches", "matches"],
  ["wildcard", "wildcard"],
  ["strict wildcard", "strict wildcard"],
]);

const NEGATIONS = byFirst<"not">([
  ["not", "not"],
  ["!", "not"],
]);

function findKeyword<T>(scanner: Scanner, table: Keywords<T>): Keyword<T> | undefined {
  return table.get(scanner.peek())?.find(([text]) => scanner.looksAt(text));
}

/** Consumes a keyword; notes if it is directly attached to a word, which the service accepts. */
function takeKeyword(scanner: Scanner, keyword: string): void {
  const start = scanner.at;
  scanner.at += keyword.length;
  if (!/[a-z]$/.test(keyword)) return;
  const before = scanner.identifierCharacterAt(start - 1);
  const after = scanner.identifierCharacterAt(scanner.at);
  if (!before && !after) return;
  const where = before ? "before" : "after";
  const message = `\`${keyword}\` is read as an operator although there is no space ${where} it`;
  const instead = `${before ? " " : ""}${keyword}${after ? " " : ""}`;
  scanner.note("glued-keyword", start, message, instead);
}

/** Skips spaces and returns the next logical operator without consuming it. */
export function peekLogical(scanner: Scanner): LogicalOperator | undefined {
  const before = scanner.at;
  scanner.skipSpace();
  const found = findKeyword(scanner, LOGICAL)?.[1];
  scanner.at = before;
  return found;
}

export function takeLogical(scanner: Scanner): void {
  scanner.skipSpace();
  takeKeyword(scanner, findKeyword(scanner, LOGICAL)?.[0] ?? "");
  scanner.skipSpace();
}

/** Consumes `not` or `!` if it comes next. */
export function takeNegation(scanner: Scanner): boolean {
  const found = findKeyword(scanner, NEGATIONS);
  if (found === undefined) return false;
  takeKeyword(scanner, found[0]);
  scanner.skipSpace();
  return true;
}

export function isAtNegation(scanner: Scanner): boolean {
  return findKeyword(scanner, NEGATIONS) !== undefined;
}

export interface FoundOperator {
  readonly op: Operator;
  readonly span: Span;
}

/** The next comparison operator. */
export function peekOperator(scanner: Scanner): FoundOperator | undefined {
  const found = findKeyword(scanner, OPERATORS);
  if (found === undefined) return undefined;
  const [text, op] = found;
  if (text === "&" && scanner.looksAt("&&")) return undefined;
  const span = { start: scanner.at, end: scanner.at + text.length };
  return isOtherWord(scanner, text, span) ? { op, span } : undefined;
}

export function takeOperator(scanner: Scanner, { span }: FoundOperator): void {
  takeKeyword(scanner, scanner.text.slice(span.start, span.end));
  scanner.skipSpace();
}

/** `eqhttp.host`, `eq80` and `eqfe80::1` are read as the service does; `equals` and `include` are words, not operators. */
function isOtherWord(scanner: Scanner, text: string, span: Span): boolean {
  if (!/[a-z]$/.test(text) || !scanner.identifierCharacterAt(span.end)) return true;
  const before = scanner.at;
  scanner.at = span.end;
  const rest = scanner.peekIdentifier();
  const known = findField(rest) !== undefined || findFunction(rest) !== undefined;
  const hex = /^(?:[0-9a-f]{2}[:.-][0-9a-f]{2}|[0-9a-f]{1,4}:)/i.test(scanner.text.slice(scanner.at, scanner.at + 5));
  const fits = known || hex || /^[0-9]/.test(rest) || isAtString(scanner);
  scanner.at = before;
  return fits;
}
