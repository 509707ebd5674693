import type { IntegerLiteral, Literal, RegexLiteral, SetItem, SetLiteral, StringLiteral } from "../ast.js";
import { fromBytes } from "../bytes.js";
import { formatIp } from "../ip.js";
import type { Bytes } from "../value.js";

const MAX_HASHES = 255;

export function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case "string":
      return printString(literal);
    case "integer":
      return printInteger(literal);
    case "ip":
      return formatIp(literal.value);
  }
}

function printString({ value, notation }: StringLiteral): string {
  if (notation === "bytes") return Array.from(value, hexPair).join(":");
  const raw = notation === "raw" ? printRaw(fromBytes(value)) : undefined;
  return raw ?? quote(value);
}

const TO_ESCAPE = /["\\]|[^\x20-\x7e]/;

/** Prints a quoted string. Control characters and bytes that are not UTF-8 are escaped. */
export function quote(value: Bytes): string {
  if (!TO_ESCAPE.test(value)) return `"${value}"`;
  const text = fromBytes(value);
  const escaped = (text ?? value).replace(
    text === undefined ? /["\\]|[^\x20-\x7e]/g : /["\\]|[\x00-\x1f\x7f]/g,
    escape,
  );
  return `"${escaped}"`;
}

function escape(character: string): string {
  return character === '"' || character === "\\" ? `\\${character}` : `\\x${hexPair(character)}`;
}

function hexPair(byte: string): string {
  return byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
}

/** Prints a raw string with as few `#` as possible; undefined if it would need too many. */
function printRaw(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const runs = Array.from(text.matchAll(/"(#*)/g), (found) => (found[1]?.length ?? 0) + 1);
  const needed = Math.max(0, ...runs);
  const hashes = "#".repeat(needed);
  return needed > MAX_HASHES ? undefined : `r${hashes}"${text}"${hashes}`;
}

export function printRegex({ pattern, notation }: RegexLiteral): string {
  return (notation === "raw" ? printRaw(pattern) : undefined) ?? quoteRegex(pattern);
}

/** The inverse of reading a quoted pattern: outside `[…]` a quote needs a backslash, inside it does not. */
function quoteRegex(pattern: string): string {
  let quoted = "";
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    if (character === "\\") {
      quoted += character + (pattern[at + 1] ?? "");
      at += 1;
    } else {
      quoted += character === '"' && !inClass ? '\\"' : character;
      if (character === "[") inClass = true;
      if (character === "]") inClass = false;
    }
  }
  return `"${quoted}"`;
}

function printInteger({ value, notation }: IntegerLiteral): string {
  if (notation === "hex") return `0x${value.toString(16)}`;
  return notation === "octal" ? `0${value.toString(8)}` : String(value);
}

export function printSet(set: SetLiteral): string {
  return `{${set.items.map(printItem).join(" ")}}`;
}

function printItem(item: SetItem): string {
  if (item.kind === "integer-range") return `${printInteger(item.first)}..${printInteger(item.last)}`;
  if (item.kind !== "ip-range") return printLiteral(item);
  const first = formatIp(item.range.first);
  return item.prefix === undefined ? `${first}..${formatIp(item.range.last)}` : `${first}/${String(item.prefix)}`;
}
