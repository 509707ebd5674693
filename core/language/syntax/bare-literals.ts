import type { IntegerLiteral, IpLiteral, IpRangeLiteral, Literal, SetItem, StringLiteral } from "../ast.js";
import { parseIp, parseIpRange, type ParsedRange } from "../ip.js";
import type { Type } from "../type.js";
import { toInteger, type Integer } from "../value.js";
import type { Scanner } from "./scanner.js";
import { isAtString, readString } from "./string-literals.js";

const BYTES = /[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2})+/y;
/** The engine took these separators until 2019. */
const OLD_BYTES = /[0-9a-fA-F]{2}(?:[:.-][0-9a-fA-F]{2})+/y;
const ADDRESS = /[0-9a-fA-F:./]+/y;
const UNQUOTED = /[^\s"(){},]+/y;
const WHOLE_NUMBER = /^-?[0-9]+$/;
const DECIMALS = /\.[0-9]+/y;
const NUMBER = /-?(?:0x)?[0-9a-fA-F]+/y;

/**
 * Reads a literal where a given type is expected. Text that cannot be of that type is read as what it looks like, so that the
 * type check can report the difference; undefined if it does not look like a literal.
 */
export function readLiteral(scanner: Scanner, wanted: Type): Literal | undefined {
  if (isAtString(scanner)) return readString(scanner);
  switch (wanted.kind) {
    case "ip":
      return readAddress(scanner, true) ?? readInteger(scanner);
    case "integer":
      return readAddress(scanner, false) ?? readInteger(scanner);
    case "string":
      return readByteString(scanner) ?? readAddress(scanner, false) ?? readWholeInteger(scanner);
    default:
      return readAddress(scanner, false) ?? readByteString(scanner, false) ?? readInteger(scanner);
  }
}

/** An integer where a String is expected, unless it is the start of unquoted text. */
function readWholeInteger(scanner: Scanner): IntegerLiteral | undefined {
  return WHOLE_NUMBER.test(scanner.match(UNQUOTED)) ? readInteger(scanner) : undefined;
}

/** Bytes as hex pairs, at least two: `68:6F:73`. */
function readByteString(scanner: Scanner, wanted = true): StringLiteral | undefined {
  const start = scanner.at;
  const text = scanner.match(BYTES);
  const old = wanted ? scanner.match(OLD_BYTES) : "";
  if (old.length > text.length && parseIp(old) === undefined && !scanner.identifierCharacterAt(start + old.length)) {
    const instead = old.replace(/[.-]/g, ":");
    const message = `\`${old}\` is neither bytes, which are joined by colons (\`${instead}\`), nor a quoted string`;
    return scanner.fail(message, start, start + old.length, "bytes-or-text", `"${old}"`);
  }
  if (text === "") return undefined;
  // `..` after a number starts a range, and text that continues as a name is not a byte string.
  if (!wanted && scanner.identifierCharacterAt(start + text.length)) return undefined;
  scanner.at += text.length;
  const value = String.fromCharCode(...text.split(":").map((pair) => parseInt(pair, 16)));
  if (parseIp(text) !== undefined) {
    const fact = `compared with a String, \`${text}\` means ${String(value.length)} bytes`;
    const message = `${fact}; if you mean the text, put it in quotes`;
    scanner.note("bytes-or-text", start, message, `"${text}"`);
  }
  return { kind: "string", value, notation: "bytes", span: { start, end: scanner.at } };
}

/** An address. With `must`, text with dots or colons must be a valid one. */
function readAddress(scanner: Scanner, must: boolean): IpLiteral | undefined {
  const start = scanner.at;
  const text = scanner.match(ADDRESS);
  const value = parseIp(text);
  const span = { start, end: start + text.length };
  if (value !== undefined) {
    scanner.at = span.end;
    return { kind: "ip", value, span };
  }
  if (!must || !/[.:/]/.test(text)) return undefined;
  if (!("fault" in parseIpRange(text))) {
    return scanner.fail(
      `\`${text}\` is a range of addresses, not an address; compare it with \`in {${text}}\``,
      span.start,
      span.end,
    );
  }
  return scanner.fail(`\`${text}\` is not a valid IP address`, span.start, span.end);
}

/** Decimal, hex with `0x` or octal with a leading zero; 64 bits, signed. */
export function readInteger(scanner: Scanner): IntegerLiteral | undefined {
  const start = scanner.at;
  const text = scanner.match(NUMBER);
  if (!/^-?[0-9]/.test(text)) return undefined;
  const parsed = parseInteger(text);
  if ("fault" in parsed) return scanner.fail(parsed.fault, start, start + text.length);
  scanner.at += text.length;
  const decimals = scanner.match(DECIMALS);
  if (decimals !== "") scanner.fail(`\`${text}${decimals}\` is not an integer`, start, scanner.at + decimals.length);
  return { kind: "integer", ...parsed, span: { start, end: scanner.at } };
}

type ParsedInteger =
  | { readonly value: Integer; readonly notation: IntegerLiteral["notation"] }
  | { readonly fault: string };

function parseInteger(text: string): ParsedInteger {
  const notation = text.startsWith("0x") ? "hex" : /^0./.test(text) ? "octal" : "decimal";
  const digits = notation === "hex" ? text.slice(2) : notation === "octal" ? text.slice(1) : text;
  const fits = { hex: /^[0-9a-fA-F]+$/, octal: /^[0-7]+$/, decimal: /^-?[0-9]+$/ }[notation];
  if (!fits.test(digits)) {
    const why = notation === "octal" ? ": a leading 0 makes it octal, so only the digits 0 to 7 are allowed" : "";
    return { fault: `\`${text}\` is not a valid integer${why}` };
  }
  const prefix = { hex: "0x", octal: "0o", decimal: "" }[notation];
  // With a minus sign it is decimal, even with leading zeros.
  const value =
    digits.length > 24 + leadingZeros(digits)
      ? undefined
      : toInteger(digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(prefix + digits));
  return value === undefined
    ? { fault: `\`${text}\` does not fit in 64 bits; the largest integer is 9223372036854775807` }
    : { value, notation };
}

function leadingZeros(digits: string): number {
  return /^-?0*/.exec(digits)?.[0].length ?? 0;
}

/** An item of a set of the given type; undefined if it does not look like a literal. */
export function readSetItem(scanner: Scanner, wanted: Type): SetItem | undefined {
  if (isAtString(scanner)) return readString(scanner);
  switch (wanted.kind) {
    case "ip":
      return readIpItem(scanner, true) ?? readIntegerItem(scanner);
    case "string":
      return readByteString(scanner) ?? readIpItem(scanner, false) ?? readIntegerItem(scanner);
    case "integer":
      return readIpItem(scanner, false) ?? readIntegerItem(scanner);
    default:
      return readIpItem(scanner, false) ?? readByteString(scanner, false) ?? readIntegerItem(scanner);
  }
}

function readIntegerItem(scanner: Scanner): SetItem | undefined {
  const first = readInteger(scanner);
  if (first === undefined || !scanner.take("..")) return first;
  const last = readInteger(scanner);
  if (last === undefined) return scanner.expected("the last integer of the range");
  const span = { start: first.span.start, end: last.span.end };
  if (last.value < first.value) {
    return scanner.fail("the range is empty: it starts above its end", span.start, span.end);
  }
  return { kind: "integer-range", first, last, span };
}

function readIpItem(scanner: Scanner, must: boolean): IpLiteral | IpRangeLiteral | undefined {
  const start = scanner.at;
  const text = scanner.match(ADDRESS);
  const parsed = parseIpRange(text);
  const span = { start, end: start + text.length };
  if ("fault" in parsed) {
    return must && /[.:/]/.test(text) ? scanner.fail(rangeFault(text, parsed), span.start, span.end) : undefined;
  }
  scanner.at = span.end;
  const { range, prefix } = parsed;
  return text.includes("/") || text.includes("..")
    ? { kind: "ip-range", range, prefix, span }
    : { kind: "ip", value: range.first, span };
}

function rangeFault(text: string, parsed: Extract<ParsedRange, { fault: string }>): string {
  switch (parsed.fault) {
    case "host":
      return `\`${text}\` has host bits set; the network is \`${parsed.network ?? ""}\``;
    case "length":
      return `\`${text}\` has an invalid prefix length; IPv4 allows 0 to 32, IPv6 0 to 128`;
    case "bounds":
      return `\`${text}\` is not a valid range: both ends must have the same IP version, the lower one first`;
    case "address":
      return `\`${text}\` is not a valid IP address, prefix or range`;
  }
}
