import type { Span } from "../../../core/language/index.js";

/** A part of a text that changes, and what comes in its place. */
export interface Hunk extends Span {
  readonly text: string;
}

const TOKEN = /"(?:[^"\\]|\\[^])*"|[\w.]+|\s+|[^]/gu;
/** Longer texts change as a whole. */
const MOST_CELLS = 2_000_000;

/** The smallest changes of words and signs that turn one text into another. */
export function hunksBetween(before: string, after: string): readonly Hunk[] {
  const [old, wanted] = [tokensOf(before), tokensOf(after)];
  if (old.length * wanted.length > MOST_CELLS) return [{ start: 0, end: before.length, text: after }];
  const common = commonLengths(old, wanted);
  const hunks: Hunk[] = [];
  let at = 0;
  for (let [row, column] = [0, 0]; row < old.length || column < wanted.length;) {
    const [gone = "", come = ""] = [old[row], wanted[column]];
    if (row < old.length && gone === come) {
      [row, column, at] = [row + 1, column + 1, at + gone.length];
      continue;
    }
    const isGone =
      row < old.length && (column === wanted.length || cell(common, row + 1, column) >= cell(common, row, column + 1));
    const last = hunks.at(-1);
    const joined = last?.end === at ? hunks.pop() : undefined;
    const { start = at, text = "" } = joined ?? {};
    hunks.push(isGone ? { start, end: at + gone.length, text } : { start, end: at, text: text + come });
    if (isGone) [row, at] = [row + 1, at + gone.length];
    else column += 1;
  }
  return hunks;
}

function tokensOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

/** How many tokens the rests of two lists have in common, by where the rests begin. */
function commonLengths(old: readonly string[], wanted: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(wanted.length + 1));
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = wanted.length - 1; column >= 0; column -= 1) {
      const value =
        old[row] === wanted[column]
          ? cell(rows, row + 1, column + 1) + 1
          : Math.max(cell(rows, row + 1, column), cell(rows, row, column + 1));
      rows[row]?.fill(value, column, column + 1);
    }
  }
  return rows;
}

function cell(rows: readonly Uint32Array[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
