import Table from "cli-table3";

/** Rows of text under a heading row. */
export interface Rows {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table for a terminal. */
export function plainTable({ head, rows }: Rows): string {
  const noLines = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };
  const table = new Table({ head: [...head], style: { head: [], border: [] }, chars: noLines });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}
