// Not from the language's index, so that a program does not load the evaluator.
import { findField } from "../../../core/language/catalogue/index.js";
import type { Type } from "../../../core/language/type.js";

/** Position of a value in an expression, which determines how the value is written. */
export type ValuePosition =
  /** After `matches`: a regular expression, with its own backslashes. */
  | "pattern"
  /** Compared with a field that contains an IP address: an address, without quotes. */
  | "address"
  /** After `$`: the name of a list. */
  | "list"
  | "value"
  /** Inside quotes of the program. */
  | "quoted";

const PATTERN = /(?:\bmatches|~)\s*$/;
const COMPARED = /([A-Za-z][\w.]*)((?:\[[^\][]*\])*)\s*(?:\b(?:eq|ne|lt|le|gt|ge|in)|[=!<>]=|[<>])\s*(?:\{[^{}]*)?$/;

/** Reads the text of an expression piece by piece, and determines the position of the value after each piece. */
export class Places {
  /** Position of the items of a set that is still open. */
  private inSet: ValuePosition | undefined;

  /** The position of the value after a piece of text. The piece begins outside quotes. */
  after(piece: string): ValuePosition {
    const text = withoutQuoted(piece);
    if (text === undefined) return "quoted";
    const opened = text.lastIndexOf("{");
    const closed = text.lastIndexOf("}");
    if (closed > opened) this.inSet = undefined;
    if (text.endsWith("$")) return "list";
    if (PATTERN.test(text)) return "pattern";
    if (opened <= closed && this.inSet !== undefined) return this.inSet;
    const place = isAddress(text) ? "address" : "value";
    if (opened > closed) this.inSet = place;
    return place;
  }
}

function isAddress(text: string): boolean {
  const [, name = "", indexes = ""] = COMPARED.exec(text) ?? [];
  const steps = indexes.split("[").length - 1;
  let type: Type | undefined = findField(name)?.type;
  for (let step = 0; step < steps; step += 1) type = type !== undefined && "of" in type ? type.of : undefined;
  return type?.kind === "ip";
}

/** Enough for the `#` characters of a raw string, and for an operator before it. */
const BEFORE_QUOTE = 300;

/** A text with its quoted strings emptied; undefined if it ends inside a string or a pattern. */
function withoutQuoted(text: string): string | undefined {
  let outside = "";
  for (let from = 0; ;) {
    const at = text.indexOf('"', from);
    if (at < 0) return outside + text.slice(from);
    const before = text.slice(Math.max(from, at - BEFORE_QUOTE), at);
    const hashes = /\br(#*)$/.exec(before)?.[1];
    const end =
      hashes === undefined ? endOfQuoted(text, at + 1, PATTERN.test(before)) : endOf(text, `"${hashes}`, at + 1);
    if (end < 0) return undefined;
    outside += `${text.slice(from, at)}""`;
    from = end;
  }
}

/** Where a text ends that is closed by another one; -1 if it is not. */
export function endOf(text: string, close: string, from: number): number {
  const at = text.indexOf(close, from);
  return at < 0 ? -1 : at + close.length;
}

/** In a pattern, a quote between `[` and `]` does not end it. */
function endOfQuoted(text: string, from: number, isPattern: boolean): number {
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === '"' && !inClass) return at + 1;
    else if (isPattern && character === "[") inClass = true;
    else if (character === "]") inClass = false;
  }
  return -1;
}
