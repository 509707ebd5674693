import Table from "cli-table3";
import { wrapLine } from "./wrap.js";

/** Rows of text under a heading row. */
export interface Rows {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * A table for a terminal. What is wider than `columns` is folded: each row becomes a block, with a line for each cell.
 *
 * @param columns undefined for any width
 */
export function plainTable({ head, rows }: Rows, columns = Infinity): string {
  const noLines = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };
  const table = new Table({ head: [...head], style: { head: [], border: [] }, chars: noLines });
  table.push(...rows.map((row) => [...row]));
  return table.width <= columns ? table.toString() : rows.map((row) => block(head, row, columns)).join("\n");
}

/** The first cell of a row, and below it the others with their headings. Empty cells are left out. */
function block(head: readonly string[], [first = "", ...others]: readonly string[], columns: number): string {
  const lines = others.flatMap((cell, index) => {
    const label = head[index + 1] ?? "";
    return cell === "" ? [] : wrapLine(`  ${label === "" ? "" : `${label}: `}${cell}`, columns);
  });
  return [first, ...lines].join("\n");
}
