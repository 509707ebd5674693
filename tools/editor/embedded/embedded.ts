import type { CheckOptions, Span } from "../../../core/language/index.js";

/** An expression inside a document: of rules, of invariants, or of a program. */
export interface Embedded {
  /** As the language reads it. What a program inserts is represented by something that can be read in its place. */
  readonly text: string;
  /** Where the document has it, without quotes. */
  readonly span: Span;
  readonly options: CheckOptions;
  /** The parts of `text` that stand for what a program inserts. */
  readonly inserted: readonly Span[];
  /** Where each character of `text` is in the document; one more for its end. */
  readonly offsets: () => readonly number[];
  /** The line break and the indentation of a further line; undefined where an expression has one line. */
  readonly lineBreak?: string;
  /** The edit of the document that changes a part of the text. */
  readonly change: (part: Span, text: string) => Edit;
}

/** Replaces a part of a document. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** A part of an expression as a part of the document. */
export function spanInDocument({ offsets }: Embedded, { start, end }: Span): Span {
  const all = offsets();
  const last = all.length - 1;
  return { start: all[Math.min(start, last)] ?? 0, end: all[Math.min(end, last)] ?? 0 };
}

/** The position in an expression of a position in the document; undefined outside, and in what a program inserts. */
export function offsetInExpression(embedded: Embedded, offset: number): number | undefined {
  const { span, inserted } = embedded;
  if (offset < span.start || offset > span.end) return undefined;
  const holes = inserted.map((part) => spanInDocument(embedded, part));
  if (holes.some(({ start, end }) => start < offset && offset < end)) return undefined;
  const all = embedded.offsets();
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The expression at a position of a document; expressions are in its order, and do not overlap. */
export function embeddedAt(all: readonly Embedded[], offset: number): Embedded | undefined {
  return all.find(({ span }) => span.start <= offset && offset <= span.end);
}
