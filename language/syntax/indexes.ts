import type { Index } from "../ast.js";
import { fromBytes } from "../bytes.js";
import { readInteger } from "./bare-literals.js";
import type { Scanner } from "./scanner.js";
import { isAtString, readQuoted } from "./string-literals.js";

const MAX_POSITION = 2 ** 32 - 1;
const WORD = /[A-Za-z0-9_]+/y;

/** `[0]`, `["key"]` or `[*]`. */
export function readIndex(scanner: Scanner): Index {
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
