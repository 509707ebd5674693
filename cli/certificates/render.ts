import { authorityWords } from "../../provider/certificates/authorities.js";
import { markdownTable, plainTable, type Rows } from "../table.js";
import { KIND_WORDS, VERDICT_WORDS } from "./collect.js";
import { renderHtml } from "./html.js";
import { summary, troubles, type Report } from "./report.js";

export type Format = "table" | "json" | "markdown" | "html";

function rowsOf({ zones }: Report): Rows {
  return {
    head: ["Zone", "Type", "Name", "Authority", "Verdict"],
    rows: zones.flatMap(({ zoneName, entries = [] }) =>
      entries.map(({ kind, name, certificateAuthority, verdict }) => [
        zoneName,
        KIND_WORDS[kind],
        name,
        authorityWords(certificateAuthority),
        VERDICT_WORDS[verdict],
      ]),
    ),
  };
}

/** What is to be done, by what is the same for many. */
function actions({ zones }: Report): string[] {
  const names = new Map<string, string[]>();
  for (const { entries = [], zoneId } of zones) {
    for (const { action, name, id } of entries.filter((entry) => entry.action !== "")) {
      const general = action.replaceAll(id, "<id>").replaceAll(zoneId, "<zone>");
      names.set(general, [...(names.get(general) ?? []), name]);
    }
  }
  return [...names].map(([action, of]) => `${action}\n  For ${shortened(of)}.`);
}

function shortened(names: readonly string[]): string {
  const shown = names.slice(0, 5).join("; ");
  return names.length <= 5 ? shown : `${shown}; and ${String(names.length - 5)} more`;
}

/** The whole report as a text. */
export function render(report: Report, format: Format): string {
  if (format === "json") return JSON.stringify(report, undefined, 2);
  if (format === "html") return renderHtml(report);
  const rows = rowsOf(report);
  const markdown = format === "markdown";
  const table = rows.rows.length === 0 ? [] : [markdown ? markdownTable(rows) : plainTable(rows)];
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0
      ? []
      : [`${markdown ? `## ${title}\n` : `${title}:`}\n${lines.map((line) => `- ${line}`).join("\n")}`];
  return [
    ...(markdown ? ["# Certificates and the chain change"] : []),
    summary(report),
    ...table,
    ...list("To do", actions(report)),
    ...list("Not everything could be read", troubles(report)),
  ].join("\n\n");
}
