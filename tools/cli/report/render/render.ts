import { plainTable, type Rows } from "../../table.js";
import { wrapText } from "../../wrap.js";
import type { Report } from "../../../audit/report.js";
import { failureLines, legend, STATE_LABELS, summary } from "./labels.js";
import { tablesOf } from "./tables.js";

/** Renders the whole report as text. */
export function renderText(report: Report, columns?: number): string {
  const shown = sections(report).map(({ title, table, lines = [], isProse }) =>
    [
      `${title}:`,
      ...(table === undefined || table.rows.length === 0
        ? []
        : [isProse === true ? prose(table) : plainTable(table, columns)]),
      ...lines.map((line) => (table === undefined ? `- ${line}` : line)),
    ].join("\n"),
  );
  return wrapText([summary(report), ...shown].join("\n\n"), columns);
}

interface Section {
  readonly title: string;
  readonly table?: Rows;
  readonly lines?: readonly string[];
  /** Whether the last column is a sentence, too long for a column of a terminal. */
  readonly isProse?: boolean;
}

function sections(report: Report): Section[] {
  const { coverage, findings, managed, rulesets } = tablesOf(report);
  const all: Section[] = [
    { title: "Coverage", table: coverage, lines: legendLines(report) },
    { title: "Findings", table: findings, isProse: true },
    { title: "What runs", table: managed },
    { title: "Rulesets", table: rulesets },
    { title: "Could not be read", lines: failureLines(report) },
  ];
  return all.filter(({ table, lines }) => (table?.rows.length ?? 0) + (lines?.length ?? 0) > 0);
}

function legendLines(report: Report): string[] {
  return legend(report).map((state) => {
    const { sign, words, meaning } = STATE_LABELS[state];
    return `${sign} ${words}: ${meaning}`;
  });
}

/** Two lines for each row: the location, and the sentence. */
function prose({ rows }: Rows): string {
  const width = Math.max(...rows.map(([level = ""]) => level.length));
  return rows
    .flatMap(([level = "", ...cells]) => {
      const where = cells.slice(0, -1).filter((cell) => cell !== "");
      return [`${level.padEnd(width)}  ${where.join(", ")}`, `${" ".repeat(width)}  ${cells.at(-1) ?? ""}`];
    })
    .join("\n");
}
