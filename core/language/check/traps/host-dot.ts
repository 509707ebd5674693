import type { FieldOperand } from "../../ast.js";
import { characterOf, regexTokens, type RegexToken } from "../../regex/tokens.js";
import { printWith, textTestsOf, type TextTest } from "./text-tests.js";
import type { Trap } from "./trap.js";

/** An unescaped dot in the pattern of a host, where it is any character. */
export const hostDot: Trap = ({ parts }) =>
  parts.flatMap(textTestsOf).flatMap((test) => {
    const dots = test.how === "regex" ? dotsOf(test) : [];
    const [first] = dots;
    if (first === undefined) return [];
    const { start, end } = test.literal.span;
    const pattern = dots.reduceRight((text, at) => `${text.slice(0, at)}\\${text.slice(at)}`, test.value);
    const instead = printWith(test, pattern);
    const message = `in a regular expression, \`.\` matches any character, so this also matches other hosts. For a dot, write \`${instead}\``;
    return { code: "host-dot", severity: "warning", offset: start, end, message, instead };
  });

/** The places of the dots between the labels of a host. */
function dotsOf({ field, value }: TextTest): readonly number[] {
  const where = whereIsHost(field);
  if (where === undefined) return [];
  const all = regexTokens(value);
  const tokens = where === "whole" ? all : hostIn(all);
  return tokens.flatMap(({ kind, start }, at) =>
    kind === "any" && endsLabel(tokens[at - 1]) && beginsLabel(tokens[at + 1]) ? [start] : [],
  );
}

/** Without `^`, a pattern may begin with the dot before a domain. */
function endsLabel(before: RegexToken | undefined): boolean {
  return before === undefined || isOfLabel(before) || /^(?:class|close|repeat)$/.test(before.kind);
}

/** A group such as `(www.)?` may end with the dot after a label. */
function beginsLabel(after: RegexToken | undefined): boolean {
  return after !== undefined && (isOfLabel(after) || /^(?:class|open|close)$/.test(after.kind));
}

function isOfLabel(token: RegexToken): boolean {
  return /^[A-Za-z0-9]$/.test(characterOf(token) ?? "");
}

/** Whether a field is a host, or a URL with one. */
function whereIsHost({ name, path }: FieldOperand): "whole" | "after ://" | undefined {
  const [key] = path;
  if (/^(?:raw\.)?http\.request\.headers$/.test(name)) {
    const header = key?.kind === "key" ? key.value : "";
    if (header === "host" || header === "x-forwarded-host") return "whole";
    return header === "referer" || header === "origin" ? "after ://" : undefined;
  }
  if (path.length > 0) return undefined;
  if (name === "http.host") return "whole";
  return /^(?:raw\.)?http\.(?:referer|request\.full_uri)$/.test(name) ? "after ://" : undefined;
}

/** The signs between `://` and the next slash. */
function hostIn(tokens: readonly RegexToken[]): readonly RegexToken[] {
  const start = tokens.findIndex((_, at) =>
    [":", "/", "/"].every((sign, next) => characterOf(tokens[at + next]) === sign),
  );
  if (start < 0) return [];
  const host = tokens.slice(start + 3);
  const end = host.findIndex((token) => characterOf(token) === "/" || token.kind === "anchor");
  return end < 0 ? host : host.slice(0, end);
}
