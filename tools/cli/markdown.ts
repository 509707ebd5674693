import { clean, markdownText, oneLine } from "../../core/model/markdown.js";
import type { Rows } from "./table.js";

/** A table in Markdown. Its cells are plain text. */
export function markdownTable({ head, rows }: Rows): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const text = (cells: readonly string[]): string =>
    line(cells.map((cell) => cell.split("\n").map(markdownText).join("<br>")));
  return [text(head), line(head.map(() => "---")), ...rows.map(text)].join("\n");
}

/** Formats text as code, enclosed in more backticks than it contains, and safe in a table cell. */
export function code(text: string): string {
  const line = oneLine(text).replace(/\|/g, "\\|");
  if (line === "") return '`""`';
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 || line.startsWith(" ") || line.endsWith(" ")
    ? `${fence} ${line} ${fence}`
    : `${fence}${line}${fence}`;
}

/** Formats text as a block of code. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${clean(text)}\n${fence}`;
}
