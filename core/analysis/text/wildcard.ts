import { lowerAscii } from "../../language/bytes.js";
import type { Bytes } from "../../language/value.js";
import { compileWildcard } from "../../language/wildcard.js";
import { classesOf, lazily, type Automaton, type TextBase } from "./automaton.js";
import { searching } from "./literals.js";

/** Strings that a wildcard pattern matches as a whole. */
export function wildcard(pattern: Bytes, strict: boolean): TextBase {
  return {
    key: `${strict ? "strict " : ""}wildcard ${JSON.stringify(pattern)}`,
    has: compileWildcard(pattern, strict),
    automaton: lazily(() => build(strict ? pattern : lowerAscii(pattern), strict)),
  };
}

/** The parts between the asterisks; a backslash escapes the next character. */
function partsOf(pattern: Bytes): readonly Bytes[] {
  const parts = [""];
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "*") {
      parts.push("");
      continue;
    }
    if (pattern[at] === "\\") at += 1;
    parts[parts.length - 1] = `${parts.at(-1) ?? ""}${pattern[at] ?? ""}`;
  }
  return parts;
}

const REJECTED = -1;

/** Matches the parts in order, each at its first occurrence; the last one must end the string. */
function build(pattern: Bytes, strict: boolean): Automaton {
  const [head = "", ...rest] = partsOf(pattern);
  const finders = rest.map(searching);
  // The first state of each part; states are numbered part by part.
  const offsets: number[] = [];
  let next = head.length + 1;
  for (const part of rest) {
    offsets.push(next);
    next += part.length + 1;
  }
  const last = rest.length - 1;
  const enter = (index: number): number => {
    const part = rest[index];
    if (part === undefined) return head.length;
    return part === "" && index < last ? enter(index + 1) : (offsets[index] ?? 0);
  };
  const begin = (length: number): number => (length === head.length && rest.length > 0 ? enter(0) : length);
  const partAt = (state: number): number => {
    let index = last;
    while (index >= 0 && (offsets[index] ?? 0) > state) index -= 1;
    return index;
  };
  const step = (state: number, given: number): number => {
    if (state === REJECTED) return REJECTED;
    const byte = !strict && given >= 65 && given <= 90 ? given + 32 : given;
    const index = partAt(state);
    if (index < 0) return head.charCodeAt(state) === byte ? begin(state + 1) : REJECTED;
    const offset = offsets[index] ?? 0;
    const found = finders[index]?.(state - offset, byte) ?? 0;
    return index < last && found === rest[index]?.length ? enter(index + 1) : offset + found;
  };
  const accepts = (state: number): boolean => {
    if (state === REJECTED) return false;
    const index = partAt(state);
    return index < 0
      ? last < 0 && state === head.length
      : index === last && state - (offsets[index] ?? 0) === rest[last]?.length;
  };
  const isOpen = last >= 0 && rest[last] === "";
  return {
    start: begin(0),
    step,
    accepts,
    settled: (state) => (state === REJECTED ? false : isOpen && partAt(state) === last ? true : undefined),
    classes: classesOf(strict ? [pattern] : [pattern, pattern.toUpperCase()]),
  };
}
