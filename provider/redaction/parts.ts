import type { Reading } from "./readings.js";

/** A stretch of a text: from, up to and not including. */
export type Span = readonly [number, number];

/**
 * Texts of which parts are found in other texts: any part of a given length, and of a shorter text the whole. A text is
 * searched in one pass for each length, however many texts there are.
 */
export class Parts {
  /** By length, every part of that length. */
  private readonly byLength = new Map<number, Set<string>>();

  /**
   * @param length how long a part must be
   * @param least shorter texts than this are passed over: they stand everywhere
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

  /** Where parts stand, in places of the original text, in any order. */
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

/** The same stretches in order, those that touch or overlap as one. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: [number, number][] = [];
  for (const [begin, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}

/** Replaces stretches of a text, each run of them by one mark. */
export function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  let result = "";
  let at = 0;
  for (const [begin, end] of mergeSpans(spans)) {
    result += `${text.slice(at, begin)}${mark}`;
    at = end;
  }
  return `${result}${text.slice(at)}`;
}
