// Not from the language's index, so that a program does not load the evaluator.
import { toBytes } from "../../../core/language/bytes.js";
import { parseIpRange } from "../../../core/language/ip.js";
import { printLiteral, printRegex } from "../../../core/language/print/literals.js";
import { MAX_INTEGER, MIN_INTEGER } from "../../../core/language/value.js";
import type { ValuePosition } from "./place.js";

/** A value that can be written as one literal of the rules language, or as an item of a set. */
export type Scalar = string | number | bigint;
/** What a placeholder of an expression may contain; a list becomes a set. */
export type ExpressionValue = Scalar | boolean | readonly Scalar[];

const span = { start: 0, end: 0 };
const LIST_NAME = /^[a-z0-9_]+(?:\.[a-z0-9_]+)*$/;

/** A value in the syntax that its position needs. Throws a `TypeError` whose message omits the value: it may be a secret. */
export function literalOf(value: unknown, place: Exclude<ValuePosition, "quoted">): string {
  if (Array.isArray(value)) return setOf(value, place);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return textAt(value, place);
  if (typeof value === "number" || typeof value === "bigint") return integer(value);
  throw new TypeError(
    `is ${typeOfValue(value)}; it must be a string, a whole number, a boolean, or a list of strings or numbers`,
  );
}

function setOf(items: readonly unknown[], place: Exclude<ValuePosition, "quoted">): string {
  if (place === "pattern" || place === "list") throw new TypeError("is a list, but a single string is needed here");
  if (items.length === 0)
    throw new TypeError(
      "is an empty list, but the language has no empty set; omit the condition if there is nothing to compare with",
    );
  const texts = items.map((item, index) => {
    if (isScalar(item)) return literalOf(item, place);
    throw new TypeError(
      `contains ${typeOfValue(item)} (item ${String(index + 1)}); a set contains strings or whole numbers`,
    );
  });
  const isText = (item: unknown): boolean => typeof item === "string";
  const other = items.findIndex((item) => isText(item) !== isText(items[0]));
  if (other >= 0) throw new TypeError(`mixes strings and numbers (item ${String(other + 1)}); a set contains one type`);
  return `{${texts.join(" ")}}`;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

function textAt(value: string, place: Exclude<ValuePosition, "quoted">): string {
  if (/\p{Surrogate}/u.test(value))
    throw new TypeError("contains half a character (a lone surrogate), which cannot be sent");
  switch (place) {
    case "list":
      if (LIST_NAME.test(value)) return value;
      throw new TypeError("is not the name of a list, which contains lower-case letters, digits, _ and . only");
    case "address":
      return address(value);
    case "pattern":
      // In quotes, brackets and backslashes of the pattern would be interpreted differently.
      return /["\\[\]]/.test(value)
        ? printRegex({ kind: "regex", pattern: value, notation: "raw", span })
        : `"${value}"`;
    case "value":
      return printLiteral({
        kind: "string",
        value: toBytes(value),
        notation: isBetterRaw(value) ? "raw" : "quoted",
        span,
      });
  }
}

/** Windows paths and the like are easier to read as raw strings, unless they contain control characters. */
function isBetterRaw(value: string): boolean {
  return value.includes("\\") && !/[\x00-\x1f\x7f]/.test(value);
}

function address(value: string): string {
  const parsed = parseIpRange(value);
  if (!("fault" in parsed)) return value;
  switch (parsed.fault) {
    case "address":
      throw new TypeError("is not an IP address, a prefix (192.0.2.0/24) or a range (192.0.2.1..192.0.2.9)");
    case "length":
      throw new TypeError("is a prefix whose length does not fit its address");
    case "host":
      throw new TypeError("is a prefix whose address has bits set beyond the prefix length");
    case "bounds":
      throw new TypeError("is a range whose ends are not in order, or not of the same IP version");
  }
}

function integer(value: number | bigint): string {
  if (typeof value === "number") {
    if (!Number.isInteger(value)) throw new TypeError(`is ${typeOfValue(value)}; the language has whole numbers only`);
    if (!Number.isSafeInteger(value))
      throw new TypeError("is a number too large to be exact; write it as a bigint, such as 9007199254740993n");
    return String(value === 0 ? 0 : value);
  }
  if (value > MAX_INTEGER || value < MIN_INTEGER) throw new TypeError("is a number that does not fit in 64 bits");
  return String(value);
}

function typeOfValue(value: unknown): string {
  if (value === undefined || value === null || Number.isNaN(value)) return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? "a fraction" : "infinite";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a Date";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
