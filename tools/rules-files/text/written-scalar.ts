import type { Scalar } from "yaml";
import type { Steps } from "../../../core/model/file-values.js";

/** A text, number or other single value, and where a document has it. */
export interface WrittenScalar {
  readonly steps: Steps;
  /** Whether it is the name of a member. */
  readonly isKey: boolean;
  readonly value: unknown;
  readonly notation: "plain" | "single" | "double" | "block";
  /** In the document, in UTF-16 units, with its quotes or the `|` of a block. */
  readonly start: number;
  readonly end: number;
}

const NOTATIONS: Readonly<Record<string, WrittenScalar["notation"]>> = {
  QUOTE_DOUBLE: "double",
  QUOTE_SINGLE: "single",
  BLOCK_FOLDED: "block",
  BLOCK_LITERAL: "block",
};

/** Reads a scalar of a document; undefined without a place. */
export function writtenScalar(node: Scalar, steps: Steps, isKey: boolean): WrittenScalar | undefined {
  if (node.range === undefined || node.range === null) return undefined;
  const [start, end] = node.range;
  return { steps, isKey, value: node.value, notation: NOTATIONS[node.type ?? ""] ?? "plain", start, end };
}

/**
 * Where each character of a text is in the document; one more for its end. Escapes, doubled quotes, and the line breaks and
 * indentation that YAML folds make the two differ.
 */
export function offsetsOf(source: string, { value, notation, start, end }: WrittenScalar): readonly number[] {
  const text = String(value);
  switch (notation) {
    case "double":
      return inDoubleQuotes(source, text, start + 1, end - 1);
    case "single":
      return aligned(source, text, start + 1, end - 1);
    case "plain":
      return aligned(source, text, start, end);
    case "block":
      return aligned(source, text, source.indexOf("\n", start) + 1, end);
  }
}

/** An escape of double quotes, or a line break, which ends a line that continues or is folded to a space. */
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\r?\n[ \t]*|[^])|[ \t]*\r?\n\s*/y;

function inDoubleQuotes(source: string, text: string, from: number, to: number): number[] {
  const offsets: number[] = [];
  let at = from;
  while (at < to && offsets.length < text.length) {
    ESCAPE.lastIndex = at;
    const escape = ESCAPE.exec(source)?.[0];
    if (escape === undefined) {
      offsets.push(at);
      at += 1;
      continue;
    }
    for (const _unit of unescaped(escape)) offsets.push(at);
    at += escape.length;
  }
  return padded(offsets, text.length, Math.min(at, to));
}

/** Something of the length that an escape stands for. */
function unescaped(escape: string): readonly unknown[] {
  if (/^\\\r?\n/.test(escape)) return [];
  if (!escape.startsWith("\\")) return new Array(Math.max(1, escape.split("\n").length - 2)).fill(" ") as unknown[];
  return escape.startsWith("\\U") && parseInt(escape.slice(2), 16) > 0xffff ? ["high", "low"] : ["one"];
}

/** Follows a text through a source that has, besides its characters, white space and doubled quotes. */
function aligned(source: string, text: string, from: number, to: number): number[] {
  const offsets: number[] = [];
  let at = from;
  for (const unit of text.split("")) {
    while (at < to && !isUnit(source, at, unit)) at += 1;
    offsets.push(Math.min(at, to));
    at += source.startsWith("''", at) && unit === "'" ? 2 : 1;
  }
  return padded(offsets, text.length, Math.min(at, to));
}

/** Whether a character of the source stands for one of the text: a folded line break stands for a space. */
function isUnit(source: string, at: number, unit: string): boolean {
  return source[at] === unit || (source[at] === "\n" && unit === " ");
}

function padded(offsets: number[], length: number, end: number): number[] {
  while (offsets.length <= length) offsets.push(end);
  return offsets;
}
