import type { Range, RegexNode } from "./tree.js";
import { utf8Sequences } from "./utf8.js";

/** RE2's limit for a repetition count. */
const MAX_REPEAT = 1000;
/** The limit for expanding repetitions into copies. */
const MAX_COPIES = 100_000;

/**
 * Converts the pattern to RE2 over byte strings. Case folding and classes are written out as byte ranges, so the result does
 * not depend on RE2's flags or tables. Undefined if RE2 cannot express the pattern.
 */
export function emitRe2(node: RegexNode): string | undefined {
  switch (node.kind) {
    case "flags":
      return "(?:)";
    case "class":
      return node.unicode ? emitUnicode(node.ranges) : emitClass(node.ranges);
    case "assertion":
      return ASSERTIONS[node.what];
    case "concat":
      return join(node.items.map(emitRe2), "");
    case "alternate":
      return wrap(join(node.items.map(emitRe2), "|"), "(?:");
    case "repeat":
      return emitRepeat(node);
    case "capture":
      return wrap(emitRe2(node.of), "(");
  }
}

const ASSERTIONS = {
  "text-start": "\\A",
  "text-end": "\\z",
  "line-start": "(?m:^)",
  "line-end": "(?m:$)",
  "word-boundary": "\\b",
  "no-word-boundary": "\\B",
  unsupported: undefined,
} as const;

function join(parts: readonly (string | undefined)[], by: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(by);
}

function wrap(inner: string | undefined, open: string): string | undefined {
  return inner === undefined ? undefined : `${open}${inner})`;
}

function emitRepeat(node: Extract<RegexNode, { kind: "repeat" }>): string | undefined {
  const one = node.of.kind === "class" && !node.of.unicode ? emitRe2(node.of) : wrap(emitRe2(node.of), "(?:");
  if (one === undefined) return undefined;
  const lazy = node.greedy ? "" : "?";
  const { min, max } = node;
  if (max === undefined && min <= 1) return `${one}${min === 0 ? "*" : "+"}${lazy}`;
  if (min === 0 && max === 1) return `${one}?${lazy}`;
  if (min > MAX_COPIES) return undefined;
  const parts: string[] = [];
  let rest = min;
  for (; rest > MAX_REPEAT; rest -= MAX_REPEAT) parts.push(`${one}{${String(MAX_REPEAT)}}`);
  if (max === undefined) parts.push(`${one}{${String(rest)},}${lazy}`);
  else if (max - min <= MAX_REPEAT && max <= MAX_REPEAT) parts.push(`${one}{${String(rest)},${String(max)}}${lazy}`);
  else if (max === min) parts.push(`${one}{${String(rest)}}`);
  else return undefined;
  return wrap(parts.join(""), "(?:");
}

function emitClass(ranges: readonly Range[]): string {
  const [only] = ranges;
  if (only === undefined) return "[^\\x00-\\xff]";
  if (ranges.length === 1 && only[0] === only[1]) return byte(only[0]);
  return `[${ranges.map(([first, last]) => (first === last ? byte(first) : `${byte(first)}-${byte(last)}`)).join("")}]`;
}

function byte(code: number): string {
  const character = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(character) ? character : `\\x${code.toString(16).padStart(2, "0")}`;
}

/** Code points as their UTF-8 bytes. */
function emitUnicode(ranges: readonly Range[]): string {
  const sequences = ranges.flatMap(([first, last]) => utf8Sequences(first, last));
  if (sequences.length === 0) return emitClass([]);
  return `(?:${sequences.map((sequence) => sequence.map((range) => emitClass([range])).join("")).join("|")})`;
}
