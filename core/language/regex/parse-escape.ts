import { perlClass, propertyClass } from "./classes.js";
import { complement, foldCase } from "./ranges.js";
import type { Reader } from "./reader.js";
import type { Assertion, Range, RegexNode } from "./tree.js";

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: "text-start",
  z: "text-end",
  b: "word-boundary",
  B: "no-word-boundary",
  "<": "unsupported",
  ">": "unsupported",
};
const HEX = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{\s*([0-9A-Fa-f]+)\s*\})/y;
const PROPERTY = /\\[pP](?:\{(\^?)([^}]*)\}|([A-Za-z]))/y;
const WORD_EDGE = /\{(?:start|end|start-half|end-half)\}/y;

/** What an escape stands for. */
export type Escaped =
  | { readonly kind: "point"; readonly point: number; readonly byte: boolean }
  | { readonly kind: "ranges"; readonly ranges: readonly Range[] }
  | { readonly kind: "assertion"; readonly what: Assertion };

/** An escape outside a class. */
export function parseEscape(reader: Reader): RegexNode {
  const escaped = readEscape(reader);
  const { unicode, ignoreCase } = reader.flags;
  switch (escaped.kind) {
    case "assertion":
      return { kind: "assertion", what: escaped.what };
    case "ranges":
      return { kind: "class", ranges: ignoreCase ? foldCase(escaped.ranges, unicode) : escaped.ranges, unicode };
    case "point":
      return escaped.byte && !unicode ? reader.one(escaped.point) : reader.literal(String.fromCodePoint(escaped.point));
  }
}

/** Reads a backslash and the characters that belong to it. */
export function readEscape(reader: Reader): Escaped {
  const letter = reader.peek(1);
  if (letter === "") reader.fail("the pattern ends with a single backslash");
  const hex = reader.match(HEX);
  if (hex !== undefined) return readHex(reader, hex);
  if (/[dDsSwW]/.test(letter)) {
    reader.at += 2;
    return { kind: "ranges", ranges: perlClass(letter, reader.flags.unicode) };
  }
  if (letter === "p" || letter === "P") return readProperty(reader, letter === "P");
  if (/[0-9]/.test(letter) || letter === "k")
    reader.fail(`\`\\${letter}\` is a backreference, which the service's regular expressions do not support`);
  return readSimple(reader, letter);
}

function readSimple(reader: Reader, letter: string): Escaped {
  const control = CONTROL[letter];
  if (control !== undefined) {
    reader.at += 2;
    return { kind: "point", point: control, byte: true };
  }
  const assertion = ASSERTIONS[letter];
  if (assertion !== undefined) {
    reader.at += 2;
    const edge = letter === "b" && reader.match(WORD_EDGE) !== undefined;
    const word = assertion === "word-boundary" || assertion === "no-word-boundary";
    return { kind: "assertion", what: edge || (word && reader.flags.unicode) ? "unsupported" : assertion };
  }
  if (/[A-Za-z]/.test(letter) || (letter.codePointAt(0) ?? 0) > 0x7f) {
    const hint = letter === "Z" ? "; the end of the text is `\\z`" : "";
    reader.fail(`\`\\${letter}\` is not a valid escape${hint}`, false);
  }
  reader.at += 2;
  return { kind: "point", point: letter.codePointAt(0) ?? 0, byte: true };
}

function readHex(reader: Reader, found: RegExpExecArray): Escaped {
  const [, byte, ...rest] = found;
  // Exactly one of the forms has matched; the groups of the others are empty.
  const point = parseInt(byte ?? rest.join(""), 16);
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) reader.fail(`\`${found[0]}\` is not a valid character`);
  return { kind: "point", point, byte: byte !== undefined };
}

function readProperty(reader: Reader, negated: boolean): Escaped {
  const found = reader.match(PROPERTY);
  if (found === undefined) return reader.fail("`\\p` needs the name of a property: `\\p{Greek}`");
  const [text, caret, ...names] = found;
  if (!reader.flags.unicode) {
    reader.fail(`\`${text}\` needs Unicode, which is off: start the pattern with \`(?u)\``, false);
  }
  const ranges = propertyClass(names.join(""));
  if (ranges === undefined) return reader.fail(`\`${text}\` is not a known property`, false);
  return { kind: "ranges", ranges: negated === (caret === "^") ? ranges : complement(ranges, true) };
}
