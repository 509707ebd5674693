import type { Reading } from "./readings.js";

/** A span of a text: start (inclusive) and end (exclusive). */
export type Span = readonly [number, number];

/**
 * Finds parts of known texts in other texts: any part of a given length, or the whole of a shorter known text. A search
 * makes one pass per length, however many texts are known.
 */
export class Parts {
  /** All parts, by length. */
  private readonly byLength = new Map<number, Set<string>>();

  /**
   * @param length length of a part
   * @param least shorter texts are ignored, because they occur everywhere
   */
  constructor(
    private readonly length: number,
    private readonly least = length,
  ) {}

  add(text: string): void {
    if (text.length < this.least) return;
    const length = Math.min(text.length, this.length);
    const parts = this.byLength.get(length) ?? new Set();
    for (let at = 0; at + length <= text.length; at += 1) parts.add(text.slice(at, at + length));
    this.byLength.set(length, parts);
  }

  /** Whether any part occurs in a text. */
  isFoundIn(text: string): boolean {
    for (const [length, parts] of this.byLength) {
      for (let at = 0; at + length <= text.length; at += 1) if (parts.has(text.slice(at, at + length))) return true;
    }
    return false;
  }

  /** Spans of the original text where parts were found, in any order. */
  find({ text, starts, ends }: Reading): Span[] {
    const found: Span[] = [];
    for (const [length, parts] of this.byLength) {
      for (let at = 0; at + length <= text.length; at += 1) {
        if (parts.has(text.slice(at, at + length))) found.push([starts[at] ?? 0, ends[at + length - 1] ?? 0]);
      }
    }
    return found;
  }
}

/** Sorts spans and merges those that touch or overlap. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [begin, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}

/** Replaces spans of a text by a mark; adjacent spans are replaced by a single one. */
export function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  let result = "";
  let at = 0;
  for (const [begin, end] of mergeSpans(spans)) {
    result += `${text.slice(at, begin)}${mark}`;
    at = end;
  }
  return `${result}${text.slice(at)}`;
}
