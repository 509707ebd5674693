import { parseClass } from "./parse-class.js";
import { parseEscape } from "./parse-escape.js";
import { Reader, RegexError } from "./reader.js";
import type { RegexFault, RegexNode } from "./tree.js";

/** No pattern of 4,096 characters needs more; the limit protects the stack when the tree is traversed. */
const MAX_DEPTH = 250;

/** Parses a pattern of the service's engine (the syntax of Rust's `regex`, bytes, Unicode off unless `(?u)`). */
export function parseRegex(pattern: string): RegexNode | RegexFault {
  try {
    const reader = new Reader(pattern);
    const node = parseAlternation(reader, 0);
    if (!reader.done) reader.fail("`)` has no matching `(`");
    return node;
  } catch (error) {
    if (error instanceof RegexError) return error.fault;
    throw error;
  }
}

/** Why a pattern is invalid, as far as that is known here. */
export function regexFault(pattern: string): RegexFault | undefined {
  const parsed = parseRegex(pattern);
  return "kind" in parsed ? undefined : parsed;
}

function parseAlternation(reader: Reader, depth: number): RegexNode {
  if (depth > MAX_DEPTH) reader.fail("groups are nested too deep", false);
  const items: RegexNode[] = [];
  do {
    items.push(parseConcat(reader, depth));
  } while (reader.take("|"));
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "alternate", items };
}

function parseConcat(reader: Reader, depth: number): RegexNode {
  const items: RegexNode[] = [];
  for (;;) {
    reader.skipIgnored();
    const next = reader.peek();
    if (next === "" || next === "|" || next === ")") break;
    if (next === "*" || next === "+" || next === "?" || next === "{") parseRepetition(reader, items);
    else items.push(parseAtom(reader, depth));
  }
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "concat", items };
}

function parseAtom(reader: Reader, depth: number): RegexNode {
  switch (reader.peek()) {
    case "(":
      return parseGroup(reader, depth);
    case "[":
      return { kind: "class", ranges: parseClass(reader), unicode: reader.flags.unicode };
    case "\\":
      return parseEscape(reader);
    case ".":
      reader.take(".");
      return dot(reader);
    case "^":
      reader.take("^");
      return { kind: "assertion", what: line(reader, "start") };
    case "$":
      reader.take("$");
      return { kind: "assertion", what: line(reader, "end") };
    default:
      return reader.literal(reader.next());
  }
}

function line({ flags }: Reader, where: "start" | "end"): "unsupported" | `${"line" | "text"}-${"start" | "end"}` {
  if (flags.multiline && flags.crlf) return "unsupported";
  return `${flags.multiline ? "line" : "text"}-${where}`;
}

function dot({ flags }: Reader): RegexNode {
  const max = flags.unicode ? 0x10ffff : 0xff;
  if (flags.dotAll) return { kind: "class", ranges: [[0, max]], unicode: flags.unicode };
  const ends: [number, number][] = [[0, 9]];
  if (flags.crlf) ends.push([11, 12], [14, max]);
  else ends.push([11, max]);
  return { kind: "class", ranges: ends, unicode: flags.unicode };
}

/** A repetition applies to the item before it; consecutive repetitions are nested. */
function parseRepetition(reader: Reader, items: RegexNode[]): void {
  const sign = reader.peek();
  const of = items.pop();
  if (of === undefined || of.kind === "flags") {
    reader.fail(
      `\`${sign}\` has nothing to repeat${sign === "{" ? "; a literal brace is written `\\{`" : ""}`,
      sign !== "{",
    );
  } else {
    const { min, max } = parseCount(reader);
    const lazy = reader.take("?");
    items.push({ kind: "repeat", of, min, max, greedy: lazy === reader.flags.swapGreed });
  }
}

const COUNT = /\{\s*(\d+)\s*(?:(,)(?:\s*(\d+)\s*)?)?\}/y;
const MAX_COUNT = 2 ** 32 - 1;

function parseCount(reader: Reader): { readonly min: number; readonly max: number | undefined } {
  if (reader.take("*")) return { min: 0, max: undefined };
  if (reader.take("+")) return { min: 1, max: undefined };
  if (reader.take("?")) return { min: 0, max: 1 };
  const found = reader.match(COUNT);
  const [, from = "", comma, to = ""] = found ?? [];
  if (found === undefined) {
    return reader.fail(
      "`{` starts a repetition count, such as `{2}` or `{1,3}`; a literal brace is written `\\{`",
      false,
    );
  }
  const min = Number(from);
  const max = comma === undefined ? min : to === "" ? undefined : Number(to);
  if (min > MAX_COUNT || (max ?? 0) > MAX_COUNT) reader.fail("the number of repetitions is too great");
  if (max !== undefined && max < min) reader.fail(`\`${found[0]}\` has a maximum below its minimum`);
  return { min, max };
}

const LOOK_AROUND = /\(\?(?:<?[=!])/y;
const NAMED = /\(\?P?<([A-Za-z_][A-Za-z0-9_.[\]]*)>/y;
const FLAGS = /\(\?([A-Za-z-]*)([:)])/y;

function parseGroup(reader: Reader, depth: number): RegexNode {
  if (reader.match(LOOK_AROUND, false) !== undefined) {
    reader.fail(
      "look-around, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`, is not supported by the service's regular expressions",
    );
  }
  const name = reader.match(NAMED)?.[1];
  if (name !== undefined) return closeGroup(reader, depth, reader.nameGroup(name));
  const flags = reader.match(FLAGS);
  if (flags !== undefined) return parseFlags(reader, depth, flags[1] ?? "", flags[2] === ":");
  if (reader.take("(?")) reader.fail("`(?` does not start a valid group");
  reader.take("(");
  return closeGroup(reader, depth, true);
}

function parseFlags(reader: Reader, depth: number, letters: string, opens: boolean): RegexNode {
  const before = reader.flags;
  if (letters === "" && !opens) reader.fail("`(?)` does not set a flag");
  const flags = reader.withFlags(letters);
  if (!opens) {
    // Flags apply to the end of the enclosing group, which restores the previous ones.
    reader.flags = flags;
    return { kind: "flags" };
  }
  reader.flags = flags;
  const of = closeGroup(reader, depth, false);
  reader.flags = before;
  return of;
}

function closeGroup(reader: Reader, depth: number, captures: boolean): RegexNode {
  const before = reader.flags;
  const of = parseAlternation(reader, depth + 1);
  reader.flags = before;
  if (!reader.take(")")) reader.fail("a group has no closing `)`");
  // Even a non-capturing group gets its own node, so that a repetition after it applies to the whole group.
  return captures ? { kind: "capture", of } : { kind: "concat", items: [of] };
}
