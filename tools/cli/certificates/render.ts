import { authorityName } from "../../../core/certificates/authorities.js";
import { markdownTable } from "../markdown.js";
import { markdownText } from "../../../core/model/markdown.js";
import { plainTable, type Rows } from "../table.js";
import { notesOn, type Note } from "./notes.js";
import {
  acknowledgedText,
  countOf,
  rowsOf,
  staleLines,
  summary,
  failureLines,
  unaffectedLines,
  type Report,
  type Row,
} from "./report.js";
import { COUNT_WORDS, KIND_WORDS, shortName } from "./words.js";
import { titledList } from "../../../core/model/words.js";
import type { Format } from "../write-output.js";

/** Renders the whole report as text. */
export function render(report: Report, format: Exclude<Format, "html">, columns?: number): string {
  if (format === "json") return JSON.stringify(report, undefined, 2);
  return format === "markdown" ? renderMarkdown(report) : renderTable(report, columns);
}

function tableOf(rows: readonly Row[], numbers: readonly number[]): Rows {
  return {
    head: ["Zone", "Type", "Name", "Authority", "Verdict", "Note"],
    rows: rows.map(({ zoneName, entry }, index) => [
      zoneName,
      KIND_WORDS[entry.kind],
      shortName(entry.name),
      authorityName(entry.certificateAuthority),
      COUNT_WORDS[countOf(entry)],
      String(numbers[index]),
    ]),
  };
}

/** The acknowledged findings with their reasons. */
function acknowledged(rows: readonly Row[]): string[] {
  return rows.flatMap(({ entry: { acknowledged: item, name } }) =>
    item === undefined ? [] : [`${shortName(name)}: ${acknowledgedText(item)}`],
  );
}

function renderTable(report: Report, columns?: number): string {
  const rows = rowsOf(report);
  const { notes, numbers } = notesOn(rows);
  return [
    summary(report),
    ...(rows.length === 0 ? [] : [plainTable(tableOf(rows, numbers), columns)]),
    ...notes.map(plainNote),
    ...titledList("Acknowledged", acknowledged(rows)),
    ...titledList("Not affected", unaffectedLines(report)),
    ...titledList("Unused acknowledgements", staleLines(report)),
    ...titledList("Could not be read", failureLines(report)),
  ].join("\n\n");
}

function plainNote({ title, lines, each }: Note, index: number): string {
  const width = Math.max(...lines.map(([label]) => label.length)) + 2;
  const details = lines.map(([label, text]) => `   ${`${label}:`.padEnd(width)}${text}`);
  const list = each.length === 0 ? [] : ["   One by one:", ...each.map((line) => `     ${line}`)];
  return [`${String(index + 1)}. ${title}`, ...details, ...list].join("\n");
}

function renderMarkdown(report: Report): string {
  const rows = rowsOf(report);
  const { notes, numbers } = notesOn(rows);
  const { head, rows: cells } = tableOf(rows, numbers);
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}\n\n${lines.map((line) => `- ${markdownText(line)}`).join("\n")}`];
  return [
    "# Certificates and the chain change",
    markdownText(summary(report)),
    ...(rows.length === 0 ? [] : [markdownTable({ head, rows: cells })]),
    ...(notes.length === 0 ? [] : ["## Notes", ...notes.map(markdownNote)]),
    ...list("Acknowledged", acknowledged(rows)),
    ...list("Not affected", unaffectedLines(report)),
    ...list("Unused acknowledgements", staleLines(report)),
    ...list("Could not be read", failureLines(report)),
  ].join("\n\n");
}

function markdownNote({ title, lines, each }: Note, index: number): string {
  const details = lines.map(([label, text]) => `- **${label}:** ${markdownText(text)}`);
  const list = each.length === 0 ? [] : ["- **One by one:**", ...each.map((line) => `  - ${markdownText(line)}`)];
  return [`### ${String(index + 1)}. ${markdownText(title)}`, "", ...details, ...list].join("\n");
}
