import type { RegexLiteral, SetItem, StringLiteral } from "../ast.js";
import type { Scanner } from "./scanner.js";

const HEX_PAIR = /^[0-9a-fA-F]{2}$/;
const OCTAL_TRIPLE = /^[0-3][0-7]{2}$/;
const MAX_HASHES = 255;

/** Whether a quoted or raw string begins here. */
export function isAtString(scanner: Scanner): boolean {
  const next = scanner.peek();
  return next === '"' || (next === "r" && (scanner.peek(1) === '"' || scanner.peek(1) === "#"));
}

/** Reads a quoted string, with escapes, or a raw one. */
export function readString(scanner: Scanner): StringLiteral {
  const start = scanner.at;
  if (scanner.peek() === "r") {
    const value = scanner.bytes(readRaw(scanner));
    return { kind: "string", value, notation: "raw", span: { start, end: scanner.at } };
  }
  const value = readQuoted(scanner);
  return { kind: "string", value, notation: "quoted", span: { start, end: scanner.at } };
}

/** Reads strings in plain quotes, up to one with an escape: sets can have thousands of them. */
export function readPlainStrings(scanner: Scanner, found: SetItem[]): void {
  for (;;) {
    scanner.skipSpace();
    const start = scanner.at;
    const end = scanner.endOfPlainString();
    if (end === undefined) return;
    scanner.at = end;
    const value = scanner.bytes(scanner.text.slice(start + 1, end - 1));
    found.push({ kind: "string", value, notation: "quoted", span: { start, end } });
  }
}

/** The bytes of `"…"`: `\"`, `\\`, `\xHH` and `\OOO` are the only escapes. */
export function readQuoted(scanner: Scanner): string {
  const start = scanner.at;
  scanner.at += 1;
  let bytes = "";
  for (;;) {
    bytes += scanner.bytes(scanner.takeUntilQuote());
    if (scanner.done) return unclosed(scanner, start);
    if (scanner.take('"')) return bytes;
    bytes += readEscape(scanner, start);
  }
}

function readEscape(scanner: Scanner, start: number): string {
  const { text, at } = scanner;
  const next = scanner.peek(1);
  if (next === "") return unclosed(scanner, start);
  if (next === '"' || next === "\\") {
    scanner.at += 2;
    return next;
  }
  const hex = text.slice(at + 2, at + 4);
  if (next === "x" && HEX_PAIR.test(hex)) {
    scanner.at += 4;
    return String.fromCharCode(parseInt(hex, 16));
  }
  const octal = text.slice(at + 1, at + 4);
  if (OCTAL_TRIPLE.test(octal)) {
    scanner.at += 4;
    return String.fromCharCode(parseInt(octal, 8));
  }
  const shown = `\\${String.fromCodePoint(text.codePointAt(at + 1) ?? 0)}`;
  return scanner.fail(
    `\`${shown}\` is not a valid escape; a quoted string allows \`\\"\`, \`\\\\\`, \`\\xHH\` (two hex digits) and \`\\OOO\` (three octal digits, at most 377). For a backslash, write \`\\\\\` or use a raw string: \`r"…"\``,
    at,
    at + shown.length,
  );
}

/** Reads `r"…"` or `r#"…"#`, which have no escapes. */
function readRaw(scanner: Scanner): string {
  const start = scanner.at;
  let hashes = 0;
  while (scanner.peek(1 + hashes) === "#") hashes += 1;
  if (hashes > MAX_HASHES)
    scanner.fail(`a raw string allows at most ${String(MAX_HASHES)} \`#\``, start, start + hashes);
  scanner.at += 1 + hashes;
  if (!scanner.take('"')) return scanner.expected('`"` after `r` and `#`');
  const close = `"${"#".repeat(hashes)}`;
  const from = scanner.at;
  const to = scanner.text.indexOf(close, from);
  if (to < 0 || to + close.length > scanner.end) return unclosed(scanner, start);
  scanner.at = to + close.length;
  return scanner.text.slice(from, to);
}

/**
 * The pattern after `matches`: raw, or quoted with special rules. There `\"` is a quote, every other backslash belongs to the
 * regular expression, and between `[` and `]` a bare quote does not end the pattern.
 */
export function readRegex(scanner: Scanner): RegexLiteral {
  const start = scanner.at;
  if (scanner.peek() === "r") {
    const pattern = readRaw(scanner);
    return { kind: "regex", pattern, notation: "raw", span: { start, end: scanner.at } };
  }
  const parts: string[] = [];
  let inClass = false;
  let from = start + 1;
  for (let at = from; at < scanner.end; at += 1) {
    const character = scanner.text[at];
    if (character === "\\") {
      if (!inClass && scanner.text[at + 1] === '"') {
        parts.push(scanner.text.slice(from, at));
        from = at + 1;
      }
      at += 1;
    } else if (character === '"' && !inClass) {
      scanner.at = at + 1;
      parts.push(scanner.text.slice(from, at));
      return { kind: "regex", pattern: parts.join(""), notation: "quoted", span: { start, end: at + 1 } };
    } else if (character === "[") inClass = true;
    else if (character === "]") inClass = false;
  }
  const hint = inClass ? " A `[` is open; inside `[…]` a quote does not end the pattern." : "";
  return scanner.fail(`this pattern has no closing \`"\`.${hint}`, start, start + 1);
}

function unclosed(scanner: Scanner, start: number): never {
  return scanner.fail('this string has no closing `"`', start, start + 1);
}
