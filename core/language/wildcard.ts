import { lowerAscii } from "./bytes.js";
import type { Bytes } from "./value.js";

type Parsed = { readonly parts: readonly Bytes[] } | { readonly fault: string };

/** Splits a pattern at its asterisks. */
function parseWildcard(pattern: Bytes): Parsed {
  const parts: Bytes[] = [];
  let part = "";
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    if (character === "*") {
      if (pattern[at + 1] === "*") {
        return { fault: "`**` is not allowed; a single `*` already matches any text, including slashes" };
      }
      parts.push(part);
      part = "";
    } else if (character === "\\") {
      const escaped = pattern[at + 1];
      if (escaped !== "*" && escaped !== "\\") return { fault: BACKSLASH };
      part += escaped;
      at += 1;
    } else part += character;
  }
  return { parts: [...parts, part] };
}

const BACKSLASH =
  "in a wildcard pattern a backslash must be followed by `*` or another backslash: `\\\\*` in a quoted text, `\\*` in a raw one";

/** Why a wildcard pattern is invalid. */
export function wildcardFault(pattern: Bytes): string | undefined {
  const parsed = parseWildcard(pattern);
  return "fault" in parsed ? parsed.fault : undefined;
}

/** Matches whole strings: `*` is any text, everything else is literal. Asterisks are lazy. */
export function compileWildcard(pattern: Bytes, strict: boolean): (bytes: Bytes) => boolean {
  const find = compileWildcardCaptures(pattern, strict);
  return (bytes) => find(bytes) !== undefined;
}

/** Matches whole strings, and returns what each asterisk matched. */
export function compileWildcardCaptures(
  pattern: Bytes,
  strict: boolean,
): (bytes: Bytes) => readonly Bytes[] | undefined {
  const fold = strict ? (bytes: Bytes): Bytes => bytes : lowerAscii;
  const parsed = parseWildcard(pattern);
  const parts = ("fault" in parsed ? [pattern] : parsed.parts).map(fold);
  const [head = "", ...rest] = parts;
  const tail = rest.pop();
  if (tail === undefined) return (bytes) => (fold(bytes) === head ? [] : undefined);
  return (bytes) => {
    const folded = fold(bytes);
    const end = folded.length - tail.length;
    if (end < head.length || !folded.startsWith(head) || !folded.endsWith(tail)) return undefined;
    const stars: Bytes[] = [];
    let at = head.length;
    for (const part of rest) {
      const found = folded.indexOf(part, at);
      if (found < 0 || found + part.length > end) return undefined;
      stars.push(bytes.slice(at, found));
      at = found + part.length;
    }
    return [...stars, bytes.slice(at, end)];
  };
}
