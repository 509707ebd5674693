import type { FieldOperand } from "../../ast.js";
import { characterOf, regexTokens, type RegexToken } from "../../regex/tokens.js";
import { printWith, textTestsOf, type TextTest } from "./text-tests.js";
import type { TextFinding } from "../../finding.js";
import type { Part } from "./parts.js";
import type { Trap } from "./trap.js";

/**
 * A star that is meant as that of a wildcard: in a regular expression it repeats the character before it, and in other comparisons it
 * is a star.
 */
export const star: Trap = ({ parts }) =>
  parts.flatMap((part) => textTestsOf(part).flatMap((test) => starIn(test, part)));

function starIn(test: TextTest, { of }: Part): readonly TextFinding[] {
  const { start, end } = test.literal.span;
  const found = { code: "star", severity: "warning", offset: start, end } as const;
  if (test.how === "regex") {
    const pattern = withAnyText(test);
    if (pattern === test.value) return [];
    const instead = printWith(test, pattern);
    const message = `in a regular expression, \`*\` repeats the character before it, zero or more times. For any text, write \`${instead}\``;
    return [{ ...found, message, instead, mayApply: true }];
  }
  if (!isOfUrl(test.field)) return [];
  if (test.how === "wildcard") {
    if (!/^\^|^\.\*/.test(test.value)) return [];
    const pattern = test.value.replace(/^\^|\$$/g, "").replaceAll(".*", "*");
    const isPlain = /^\.|[*$]$/.test(test.value) && /^[\w/.*-]+$/.test(pattern);
    const instead = isPlain ? printWith(test, pattern) : undefined;
    return [{ ...found, message: "`wildcard` takes no regular expression; write `*` for any text", instead }];
  }
  if (!LIKE_WILDCARD.test(test.value)) return [];
  const message = "`*` is a literal star here; it stands for any text only after `wildcard`";
  if (of.kind !== "comparison" || of.test.kind !== "order" || of.test.op !== "eq" || /\*\*|\\/.test(test.value))
    return [{ ...found, message }];
  const instead = `wildcard ${printWith(test, test.value)}`;
  return [{ ...found, offset: of.test.opSpan.start, message: `${message}. Write \`${instead}\``, instead }];
}

/** A star for a segment of a path, or for a label of a host. */
const LIKE_WILDCARD = /[A-Za-z0-9_-]\/\*(?:$|[/.])|^(?:https?:\/\/)?\*\.[A-Za-z]/;

function isOfUrl({ name, path }: FieldOperand): boolean {
  return path.length === 0 && /^(?:raw\.)?http\.(?:host|referer|request\.(?:full_uri|uri|uri\.path))$/.test(name);
}

function withAnyText({ value, replaces }: TextTest): string {
  const tokens = regexTokens(value);
  const stars = tokens.filter(({ text }, at) => {
    const [repeated, before] = [characterOf(tokens[at - 1]), characterOf(tokens[at - 2])];
    if (!/^\*\??$/.test(text)) return false;
    if (tokens[at - 1]?.text === "^") return true;
    if (repeated === undefined) return false;
    const next = following(tokens, at + 1);
    if (next === undefined) return !replaces && (repeated !== "/" || before !== "/");
    return repeated === "/" && before !== "/" && isAfterSegment(next);
  });
  return stars.reduceRight((text, { start }) => `${text.slice(0, start)}.${text.slice(start)}`, value);
}

/**
 * Whether no slashes were to be repeated before a sign: another slash, or the dot of a file name. At the end of a pattern a repetition
 * that may be empty changes nothing, except in what is replaced. `/*$` allows slashes at the end, and stays.
 */
function isAfterSegment(next: RegexToken): boolean {
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
