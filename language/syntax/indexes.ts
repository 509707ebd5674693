import type { Index } from "../ast.js";
import { fromBytes } from "../bytes.js";
import { readInteger } from "./bare-literals.js";
import type { Scanner } from "./scanner.js";
import { atText, readQuoted } from "./text-literals.js";

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
    if (fromBytes(value) === undefined) scanner.fail("the key of a map is UTF-8 text", start, scanner.at);
    return { kind: "key", value };
  }
  if (atText(scanner)) scanner.fail('a key is written in plain quotes: `["key"]`');
  const position = readInteger(scanner)?.value;
  if (position === undefined) return indexExpected(scanner);
  if (typeof position !== "number" || position < 0 || position > MAX_POSITION) {
    return scanner.fail("a position is an integer from 0 to 4294967295", start, scanner.at);
  }
  return { kind: "position", value: position };
}

function indexExpected(scanner: Scanner): never {
  const word = scanner.match(WORD);
  const hint = word === "" ? "" : `; a key is written in quotes: \`["${word}"]\``;
  const end = scanner.at + Math.max(1, word.length);
  return scanner.fail(`an index is a position, a key in quotes or \`*\`${hint}`, scanner.at, end);
}
