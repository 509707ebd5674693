import { characterOf, regexTokens, type RegexToken } from "../../regex/tokens.js";
import { printWith, textTestsOf, type TextTest } from "./text-tests.js";
import type { Trap } from "./trap.js";

/** `/*` of a pattern that is written like a wildcard: in a regular expression the star repeats the slash. */
export const slashStar: Trap = ({ parts }) =>
  parts.flatMap(textTestsOf).flatMap((test) => {
    const pattern = test.how === "regex" ? withAnyText(test) : test.value;
    if (pattern === test.value) return [];
    const { start, end } = test.literal.span;
    const instead = printWith(test, pattern);
    const message = `\`/*\` of a regular expression is any number of slashes, also none. For a slash and any text, write \`${instead}\``;
    return { code: "slash-star", severity: "warning", offset: start, end, message, instead, mayApply: true };
  });

function withAnyText({ value, replaces }: TextTest): string {
  const tokens = regexTokens(value);
  const stars = tokens.filter(
    ({ text }, at) =>
      /^\*\??$/.test(text) &&
      characterOf(tokens[at - 1]) === "/" &&
      characterOf(tokens[at - 2]) !== "/" &&
      isPointless(following(tokens, at + 1), replaces),
  );
  return stars.reduceRight((text, { start }) => `${text.slice(0, start)}.${text.slice(start)}`, value);
}

/**
 * Whether what follows shows that slashes were not to be repeated: another slash, the dot of a file name, or nothing, where a
 * repetition that may be empty changes nothing, except in what is replaced. `/*$` allows slashes at the end, and stays.
 */
function isPointless(next: RegexToken | undefined, replaces: boolean): boolean {
  if (next === undefined) return !replaces;
  return next.kind === "any" || characterOf(next) === "/" || characterOf(next) === ".";
}

/** The sign that a value meets after the one before a place; the other alternatives of a group end where this one does. */
function following(tokens: readonly RegexToken[], at: number): RegexToken | undefined {
  const token = tokens[at];
  if (token?.kind === "or") return following(tokens, endOfGroup(tokens, at));
  if (token?.kind !== "close") return token;
  return following(tokens, at + (tokens[at + 1]?.kind === "repeat" ? 2 : 1));
}

function endOfGroup(tokens: readonly RegexToken[], from: number): number {
  for (let [at, depth] = [from, 0]; at < tokens.length; at += 1) {
    if (tokens[at]?.kind === "open") depth += 1;
    if (tokens[at]?.kind === "close") depth -= 1;
    if (depth < 0) return at;
  }
  return tokens.length;
}
