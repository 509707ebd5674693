import { parseRegex } from "./parse.js";

const KINDS = ["literal", "any", "class", "anchor", "open", "close", "or", "repeat"] as const;

/** A sign of a pattern, by its place. */
export interface RegexToken {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly start: number;
}

const TOKEN =
  /(?<repeat>(?:[*+?]|\{[\d\s,]+\})\??)|(?<open>\((?:\?P?<[^>]*>|\?[A-Za-z-]*:)?)|(?<anchor>\^|\$|\\[AzbB]|\(\?[A-Za-z-]+\))|(?<close>\))|(?<or>\|)|(?<any>\.)|(?<class>\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]|\\[dDsSwWpP](?:\{[^}]*\})?)|(?<literal>\\x[0-9A-Fa-f]{2}|\\[^]|[^])/gy;

/** The signs of a pattern; none for one that is not valid, or that white space means nothing in. */
export function regexTokens(pattern: string): readonly RegexToken[] {
  if (!("kind" in parseRegex(pattern)) || /\(\?[A-Za-z]*x/.test(pattern)) return [];
  return Array.from(pattern.matchAll(TOKEN), ({ groups = {}, index, 0: text }) => ({
    kind: KINDS.find((kind) => groups[kind] === text) ?? "literal",
    ...{ text, start: index },
  }));
}

/** The character that a token stands for; undefined if it is none. */
export function characterOf(token: RegexToken | undefined): string | undefined {
  if (token?.kind !== "literal") return undefined;
  return token.text.startsWith("\\") ? token.text.slice(1) : token.text;
}
