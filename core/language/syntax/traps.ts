import type { Fix } from "../finding.js";

/** A character for an error message, with a hint about what to write instead. */
interface DescribedCharacter {
  readonly shown: string;
  readonly length: number;
  readonly hint?: string;
  /** What to write instead, if that is certain. */
  readonly instead?: string;
}

const HINTS: readonly (readonly [test: RegExp, shown: string | undefined, hint: string, instead?: string])[] = [
  [/^\t/, "a tab", "Inside an expression only spaces and line breaks separate; replace the tab with a space.", " "],
  [/^[\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]/, undefined, 'Use the straight quote `"`.'],
  [/^['`]/, undefined, 'Strings are written in double quotes: `"`.'],
  [/^(?:#|\/\/)/, undefined, "The language has no comments; use the rule's description."],
  [/^;/, undefined, "Remove the semicolon.", ""],
  [/^=(?!=)/, undefined, "Equality is `eq` or `==`.", "=="],
  [
    /^(?![\r\n ])[\p{White_Space}\ufeff\u200b]/u,
    "an unusual space character",
    "Replace it with an ordinary space.",
    " ",
  ],
];

/** The character at an offset for a message. */
export function describeCharacter(text: string, at: number): DescribedCharacter {
  const rest = text.slice(at, at + 4);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  for (const [test, shown, hint, instead] of HINTS) {
    if (test.test(rest)) return { shown: shown ?? `\`${character}\``, length: character.length, hint, instead };
  }
  return { shown: `\`${character}\``, length: character.length };
}

/** Words that are often mistaken for operators. */
const WORDS: Readonly<Record<string, string>> = {
  is: "Equality is `eq` or `==`.",
  equals: "Equality is `eq` or `==`.",
  equal: "Equality is `eq` or `==`.",
  like: "Use `contains`, `wildcard` or `matches`.",
  has: "Use `contains`.",
  include: "Use `contains`.",
  includes: "Use `contains`.",
  contain: "The operator is `contains`.",
  contians: "The operator is `contains`.",
  match: "The operator is `matches`.",
  matchs: "The operator is `matches`.",
  starts_with: 'Use the function: `starts_with(field, "text")`.',
  ends_with: 'Use the function: `ends_with(field, "text")`.',
  startswith: 'Use the function: `starts_with(field, "text")`.',
  endswith: 'Use the function: `ends_with(field, "text")`.',
  starts: 'Use the function: `starts_with(field, "text")`.',
  ends: 'Use the function: `ends_with(field, "text")`.',
  not: "`not` goes before the whole comparison: `not field in {…}`.",
  between: "Use `in {low..high}`.",
  strict: "The operator is `strict wildcard`, with one space.",
};
const SIGNS: readonly (readonly [sign: string, hint: string])[] = [
  ["===", "Equality is `eq` or `==`."],
  ["!==", "Inequality is `ne` or `!=`."],
  ["<>", "Inequality is `ne` or `!=`."],
  ["=~", "The operator is `matches` or `~`."],
  ["!~", "Put `not` before the comparison: `not field matches …`."],
  ["=>", "The operator is `>=`."],
  ["=<", "The operator is `<=`."],
  ["=", "Equality is `eq` or `==`."],
  ["!", "`not` goes before the whole comparison: `not field contains …`."],
];
/** The operators that are words. */
export const OPERATORS: readonly string[] = "eq ne lt le gt ge contains matches wildcard in and or xor not".split(" ");

/** What is not an operator, why, and the operator that was meant, if that is certain. */
interface OperatorHint {
  readonly shown: string;
  readonly hint: string;
  readonly fix: Fix;
}

/** Hints that name the operator that was meant. */
const MEANT = /^(?:Equality|Inequality|The operator) is `([^`]+)`|^Use `(contains)`\.$/;

function withMeant(shown: string, hint: string): OperatorHint {
  const [, exact, contains] = MEANT.exec(hint) ?? [];
  return { shown, hint, fix: [exact ?? contains, exact !== undefined] };
}

/** Why a word or a sign is not an operator, and what to write; undefined if nothing is known about it. */
export function operatorHint(rest: string): OperatorHint | undefined {
  const word = /^[A-Za-z_]+/.exec(rest)?.[0];
  if (word === undefined) {
    const sign = SIGNS.find(([text]) => rest.startsWith(text));
    return sign === undefined ? undefined : withMeant(...sign);
  }
  const lower = word.toLowerCase();
  if (word !== lower && OPERATORS.includes(lower)) {
    return { shown: word, hint: `Operators are written in lower case: \`${lower}\`.`, fix: [lower, true] };
  }
  const hint = WORDS[lower];
  return hint === undefined ? undefined : withMeant(word, hint);
}

interface FailingScanner {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly fail: (message: string, offset: number, end: number, check?: "syntax", ...fix: Fix) => never;
}

/** Fails with a hint at a word or a sign that is often mistaken for an operator. */
export function failAtTrap(scanner: FailingScanner): void {
  const trap = operatorHint(scanner.text.slice(scanner.at, Math.min(scanner.at + 40, scanner.end)));
  if (trap === undefined) return;
  const { shown, hint, fix } = trap;
  scanner.fail(`\`${shown}\` is not valid here. ${hint}`, scanner.at, scanner.at + shown.length, "syntax", ...fix);
}
