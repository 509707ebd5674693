import { complement, normaliseRanges } from "./ranges.js";
import type { Range } from "./tree.js";

const DIGIT: readonly Range[] = [[0x30, 0x39]];
const LOWER: readonly Range[] = [[0x61, 0x7a]];
const UPPER: readonly Range[] = [[0x41, 0x5a]];
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const WORD: readonly Range[] = [...DIGIT, ...UPPER, [0x5f, 0x5f], ...LOWER];

/** The classes between `[:` and `:]`, which are always ASCII. */
export const POSIX: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...DIGIT, ...UPPER, ...LOWER],
  alpha: [...UPPER, ...LOWER],
  ascii: [[0x00, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: DIGIT,
  graph: [[0x21, 0x7e]],
  lower: LOWER,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: SPACE,
  upper: UPPER,
  word: WORD,
  xdigit: [...DIGIT, [0x41, 0x46], [0x61, 0x66]],
};

/** `\d`, `\s` or `\w`; in upper case, the complement. */
export function perlClass(letter: string, unicode: boolean): readonly Range[] {
  const lower = letter.toLowerCase();
  const ascii = { d: DIGIT, s: SPACE, w: WORD }[lower] ?? [];
  const ranges = unicode ? unicodeClass(PERL[lower] ?? "") : ascii;
  return letter === lower ? (ranges ?? ascii) : complement(ranges ?? ascii, unicode);
}

const PERL: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
};

const known = new Map<string, readonly Range[] | undefined>();

/** The code points with the given Unicode properties, in JavaScript's notation; undefined if a name is unknown. */
function unicodeClass(properties: string): readonly Range[] | undefined {
  if (!known.has(properties)) known.set(properties, scan(properties));
  return known.get(properties);
}

function scan(properties: string): readonly Range[] | undefined {
  let test: RegExp;
  try {
    test = new RegExp(`^[${properties}]$`, "u");
  } catch {
    return undefined;
  }
  const ranges: Range[] = [];
  for (let point = 0; point <= 0x10ffff; point += 1) {
    if (point === 0xd800) point = 0xe000;
    if (test.test(String.fromCodePoint(point))) ranges.push([point, point]);
  }
  return normaliseRanges(ranges);
}

/** `\p{…}` by the text between the braces: a general category, a script, or `name=value`. */
export function propertyClass(name: string): readonly Range[] | undefined {
  const trimmed = name.replaceAll(" ", "");
  if (!/^[A-Za-z_]+(?:[=:][A-Za-z_]+)?$/.test(trimmed)) return undefined;
  const property = trimmed.replace(":", "=");
  return unicodeClass(`\\p{${property}}`) ?? unicodeClass(`\\p{Script=${property}}`);
}
