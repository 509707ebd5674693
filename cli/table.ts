import Table from "cli-table3";

/** Rows of text under a head. */
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

/** A table in Markdown. */
export function markdownTable({ head, rows }: Rows): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/\|/g, "\\|").replace(/\n/g, "<br>")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A text in which Markdown finds nothing to format: hosts have stars, calls have placeholders. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_<>[\]]/g, "\\$&");
}
