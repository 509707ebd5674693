/** A character for an error message, with a hint about what to write instead. */
export interface DescribedCharacter {
  readonly shown: string;
  readonly length: number;
  readonly hint?: string;
}

const HINTS: readonly (readonly [test: RegExp, shown: string | undefined, hint: string])[] = [
  [/^\t/, "a tab", "Inside an expression only spaces and line breaks separate; replace the tab with a space."],
  [/^[\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb]/, undefined, 'Use the straight quote `"`.'],
  [/^['`]/, undefined, 'Strings are written in double quotes: `"`.'],
  [/^(?:#|\/\/)/, undefined, "The language has no comments; use the rule's description."],
  [/^;/, undefined, "Remove the semicolon."],
  [/^=(?!=)/, undefined, "Equality is `eq` or `==`."],
  [/^(?![\r\n ])[\p{White_Space}\ufeff\u200b]/u, "an unusual space character", "Replace it with an ordinary space."],
];

/** The character at an offset for a message. */
export function describeCharacter(text: string, at: number): DescribedCharacter {
  const rest = text.slice(at, at + 4);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  for (const [test, shown, hint] of HINTS) {
    if (test.test(rest)) return { shown: shown ?? `\`${character}\``, length: character.length, hint };
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
  match: "The operator is `matches`.",
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
const OPERATORS = "eq ne lt le gt ge contains matches wildcard in and or xor not".split(" ");

/** Why a word or a sign is not an operator, and what to write; undefined if nothing is known about it. */
export function operatorHint(rest: string): { readonly shown: string; readonly hint: string } | undefined {
  const word = /^[A-Za-z_]+/.exec(rest)?.[0];
  if (word === undefined) {
    const sign = SIGNS.find(([text]) => rest.startsWith(text));
    return sign === undefined ? undefined : { shown: sign[0], hint: sign[1] };
  }
  const lower = word.toLowerCase();
  if (word !== lower && OPERATORS.includes(lower)) {
    return { shown: word, hint: `Operators are written in lower case: \`${lower}\`.` };
  }
  const hint = WORDS[lower];
  return hint === undefined ? undefined : { shown: word, hint };
}

interface FailingScanner {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly fail: (message: string, offset: number, end: number) => never;
}

/** Fails with a hint at a word or a sign that is often mistaken for an operator. */
export function failAtTrap(scanner: FailingScanner): void {
  const trap = operatorHint(scanner.text.slice(scanner.at, Math.min(scanner.at + 40, scanner.end)));
  if (trap === undefined) return;
  scanner.fail(`\`${trap.shown}\` is not valid here. ${trap.hint}`, scanner.at, scanner.at + trap.shown.length);
}
