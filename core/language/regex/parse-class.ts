import { POSIX } from "./classes.js";
import { readEscape, type Escaped } from "./parse-escape.js";
import { complement, foldCase, intersect, normaliseRanges, subtract } from "./ranges.js";
import type { Reader } from "./reader.js";
import type { Range } from "./tree.js";

const POSIX_CLASS = /\[:(\^?)([a-z]+):\]/y;
const MAX_DEPTH = 100;

/** A class in square brackets: ranges, nested classes, and the set operators `&&`, `--` and `~~`. */
export function parseClass(reader: Reader, depth = 0): readonly Range[] {
  if (depth > MAX_DEPTH) reader.fail("classes are nested too deep", false);
  const open = reader.at;
  reader.take("[");
  const negated = reader.take("^");
  const { unicode, ignoreCase } = reader.flags;
  let result: readonly Range[] | undefined;
  let operator = "";
  for (;;) {
    const items = parseItems(reader, open, depth, result === undefined);
    // Case folding is applied to both sides of an operator before the operator.
    const folded = ignoreCase ? foldCase(items, unicode) : items;
    result = result === undefined ? folded : combine(operator, result, folded, unicode);
    if (reader.take("]")) break;
    operator = reader.next() + reader.next();
  }
  return negated ? complement(result, unicode) : normaliseRanges(result);
}

function combine(operator: string, a: readonly Range[], b: readonly Range[], unicode: boolean): readonly Range[] {
  if (operator === "&&") return intersect(normaliseRanges(a), normaliseRanges(b));
  if (operator === "--") return subtract(normaliseRanges(a), normaliseRanges(b), unicode);
  const both = intersect(normaliseRanges(a), normaliseRanges(b));
  return subtract(normaliseRanges([...a, ...b]), both, unicode);
}

/** Items up to `]` or an operator. Directly after `[` or `[^`, hyphens or a `]` are literal. */
function parseItems(reader: Reader, open: number, depth: number, first: boolean): readonly Range[] {
  const ranges: Range[] = [];
  if (first) {
    reader.skipIgnored();
    while (reader.take("-")) {
      ranges.push([0x2d, 0x2d]);
      reader.skipIgnored();
    }
    if (ranges.length === 0 && reader.take("]")) ranges.push([0x5d, 0x5d]);
  }
  for (;;) {
    reader.skipIgnored();
    if (reader.done) {
      reader.at = open;
      reader.fail("a character class has no closing `]`");
    }
    if (reader.peek() === "]" || /^(?:&&|--|~~)/.test(reader.peek() + reader.peek(1))) return ranges;
    ranges.push(...parseItem(reader, depth));
  }
}

function parseItem(reader: Reader, depth: number): readonly Range[] {
  if (reader.peek() === "[") {
    const posix = reader.match(POSIX_CLASS, false);
    const ranges = POSIX[posix?.[2] ?? ""];
    // If it is not a known name, it is a nested class.
    if (posix === undefined || ranges === undefined) return parseClass(reader, depth + 1);
    reader.at += posix[0].length;
    return posix[1] === "^" ? complement(ranges, reader.flags.unicode) : ranges;
  }
  const from = readMember(reader);
  reader.skipIgnored();
  const isRange = reader.peek() === "-" && reader.peek(1) !== "]" && reader.peek(1) !== "-";
  if (!isRange) return from.kind === "point" ? [[from.point, from.point]] : from.ranges;
  if (from.kind !== "point") return reader.fail("a range must start with a single character");
  reader.at += 1;
  reader.skipIgnored();
  const to = readMember(reader);
  if (to.kind !== "point") return reader.fail("a range must end with a single character");
  if (to.point < from.point) reader.fail("a character range is reversed");
  return [[from.point, to.point]];
}

function readMember(reader: Reader): Exclude<Escaped, { kind: "assertion" }> {
  const escaped: Escaped =
    reader.peek() === "\\"
      ? readEscape(reader)
      : { kind: "point", point: reader.next().codePointAt(0) ?? 0, byte: false };
  if (escaped.kind === "assertion")
    return reader.fail("an assertion such as `\\b` cannot be used inside a character class");
  if (escaped.kind === "point" && !escaped.byte && escaped.point > 0x7f && !reader.flags.unicode) {
    reader.fail("a character class with non-ASCII characters needs Unicode: start the pattern with `(?u)`", false);
  }
  return escaped;
}
