import { guessSlot } from "../../rules-files/explain/explanation.js";
import type { CheckOptions, Span } from "../../../core/language/index.js";
import { spanInDocument, type Embedded } from "./embedded.js";
import { findStrings, type FoundString } from "./program-scanner.js";
import { optionsAt } from "./slots.js";
import { fillIn, type Unit } from "./stand-in.js";

/** The expressions of a program: templates of the tag `expression`, and members such as `expression` that are strings. */
export function expressionsOfProgram(program: string): readonly Embedded[] {
  return findStrings(program).flatMap((found) => {
    const options = optionsAt(found.names);
    return options === undefined && !found.isTagged ? [] : [embeddedIn(program, found, options)];
  });
}

function embeddedIn(program: string, found: FoundString, options: CheckOptions | undefined): Embedded {
  const { text, offsets, inserted } = fillIn(unitsOf(program, found), found.span.end);
  const phase = found.phase();
  const embedded: Embedded = {
    text,
    span: found.span,
    options: { ...(options ?? guessed(text)), ...(phase === undefined ? {} : { phase }) },
    inserted,
    offsets: () => offsets,
    ...(found.quote === "`" ? { lineBreak: lineBreakAt(program, found.span.start) } : {}),
    change: (part, instead) => ({ span: spanInDocument(embedded, part), text: written(instead, found) }),
  };
  return embedded;
}

/** An expression that is kept in a variable is a filter, unless it can only be a value. */
function guessed(text: string): CheckOptions {
  return guessSlot(text) === "value" ? { slot: "value", type: "Scalar" } : {};
}

/** A further line of a template begins two columns after the line in which it begins. */
function lineBreakAt(program: string, start: number): string {
  const line = program.lastIndexOf("\n", start - 1) + 1;
  return `\n${/^[ \t]*/.exec(program.slice(line))?.[0] ?? ""}  `;
}

/** The characters of a string or a template, and what it inserts. */
function* unitsOf(program: string, found: FoundString): Generator<Unit> {
  let from = found.span.start;
  for (const hole of found.inserted) {
    yield* unitsIn(program, { start: from, end: hole.start }, found);
    yield { inserted: hole, behind: program.slice(hole.end, hole.end + BEHIND) };
    from = hole.end;
  }
  yield* unitsIn(program, { start: from, end: found.span.end }, found);
}

/** Enough to see an operator. */
const BEHIND = 20;

/** An escape of a string; the tag `expression` passes backslashes on, except before what would end or insert something. */
const ESCAPES = {
  string: /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|\r\n|[^])/y,
  tagged: /\\[`$]/y,
};
const NAMED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

function* unitsIn(program: string, { start, end }: Span, { isTagged }: FoundString): Generator<Unit> {
  const pattern = isTagged ? ESCAPES.tagged : ESCAPES.string;
  for (let at = start; at < end;) {
    pattern.lastIndex = at;
    const escape = program[at] === "\\" ? pattern.exec(program)?.[0] : undefined;
    yield { at, value: escape === undefined ? (program[at] ?? "") : unescaped(escape) };
    at += escape?.length ?? 1;
  }
}

function unescaped(escape: string): string {
  const code = /^\\(?:x|u\{?)([\da-fA-F]+)/.exec(escape)?.[1];
  if (code !== undefined) return fromCode(parseInt(code, 16));
  const character = escape.slice(1);
  return /[\r\n]/.test(character) ? "" : (NAMED[character] ?? character);
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** A text as the string or template has it. */
function written(text: string, { quote, isTagged }: FoundString): string {
  if (quote === '"') return JSON.stringify(text).slice(1, -1);
  if (quote === "'") return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  const escaped = isTagged ? text : text.replaceAll("\\", "\\\\");
  return escaped.replaceAll("`", "\\`").replaceAll("${", "\\${");
}
