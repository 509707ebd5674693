import { markdownTable } from "../../markdown.js";
import { markdownText } from "../../../../core/model/markdown.js";
import { plainTable, type Rows } from "../../table.js";
import { wrapText } from "../../wrap.js";
import type { Report } from "../../../audit/report.js";
import { failureLines, invariantTexts, legend, notJudgedLines, STATE_LABELS, summary } from "./labels.js";
import { tablesOf } from "./tables.js";
import type { Format } from "../../write-output.js";

/** Renders the whole report as text. */
export function render(report: Report, format: Exclude<Format, "html">, columns?: number): string {
  if (format === "json") return JSON.stringify(report, undefined, 2);
  const parts = sections(report);
  return format === "markdown" ? asMarkdown(report, parts) : asText(report, parts, columns);
}

interface Section {
  readonly title: string;
  readonly table?: Rows;
  readonly lines?: readonly string[];
  /** Whether the last column is a sentence, too long for a column of a terminal. */
  readonly isProse?: boolean;
}

/** With a baseline, only what got worse. */
function sections(report: Report): Section[] {
  const { coverage, findings, managed, rulesets, quotas, invariants } = tablesOf(report);
  const isCompared = report.baseline !== undefined;
  const all: Section[] = [
    {
      title: "Invariants",
      table: invariants,
      lines: invariantTexts(report).flatMap(({ title, lines }) => [title, ...lines]),
    },
    ...(isCompared ? [] : [{ title: "Coverage", table: coverage, lines: legendLines(report) }]),
    { title: isCompared ? "Worse than before" : "Findings", table: findings, isProse: true },
    ...(isCompared
      ? []
      : [
          { title: "What runs", table: managed },
          { title: "Rulesets", table: rulesets },
        ]),
    { title: "Quotas", table: quotas },
    { title: "Could not be judged", lines: notJudgedLines(report) },
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

function asText(report: Report, parts: readonly Section[], columns?: number): string {
  const shown = parts.map(({ title, table, lines = [], isProse }) =>
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

function asMarkdown(report: Report, parts: readonly Section[]): string {
  const shown = parts.flatMap(({ title, table, lines = [] }) => [
    `## ${title}`,
    ...(table === undefined || table.rows.length === 0 ? [] : [markdownTable(table)]),
    ...(lines.length === 0 ? [] : [lines.map((line) => `- ${markdownText(line)}`).join("\n")]),
  ]);
  return ["# Protection of zones", markdownText(summary(report)), ...shown].join("\n\n");
}
