import { authorityName } from "../../../core/certificates/authorities.js";
import { plainTable, type Rows } from "../table.js";
import { notesOn, type Note } from "./notes.js";
import { failureLines, rowsOf, summary, unaffectedLines, type Report, type Row } from "./report.js";
import { KIND_WORDS, shortName, VERDICT_WORDS } from "./words.js";
import { titledList } from "../../../core/model/words.js";

function tableOf(rows: readonly Row[], numbers: readonly number[]): Rows {
  return {
    head: ["Zone", "Type", "Name", "Authority", "Verdict", "Note"],
    rows: rows.map(({ zoneName, entry }, index) => [
      zoneName,
      KIND_WORDS[entry.kind],
      shortName(entry.name),
      authorityName(entry.certificateAuthority),
      VERDICT_WORDS[entry.verdict],
      String(numbers[index]),
    ]),
  };
}

/** Renders the whole report as text. */
export function renderText(report: Report, columns?: number): string {
  const rows = rowsOf(report);
  const { notes, numbers } = notesOn(rows);
  return [
    summary(report),
    ...(rows.length === 0 ? [] : [plainTable(tableOf(rows, numbers), columns)]),
    ...notes.map(plainNote),
    ...titledList("Not affected", unaffectedLines(report)),
    ...titledList("Could not be read", failureLines(report)),
  ].join("\n\n");
}

function plainNote({ title, lines, each }: Note, index: number): string {
  const width = Math.max(...lines.map(([label]) => label.length)) + 2;
  const details = lines.map(([label, text]) => `   ${`${label}:`.padEnd(width)}${text}`);
  const list = each.length === 0 ? [] : ["   One by one:", ...each.map((line) => `     ${line}`)];
  return [`${String(index + 1)}. ${title}`, ...details, ...list].join("\n");
}
