import { authorityName } from "../../provider/certificates/authorities.js";
import { cards, dataTable, escaped, FILTER, list, renderPage, type TableRow } from "../page/page.js";
import { STYLE } from "./html-style.js";
import { timeline } from "./html-timeline.js";
import {
  acknowledgedText,
  countOf,
  rankOf,
  rowsOf,
  staleLines,
  summary,
  total,
  failureLines,
  type Report,
  type Row,
} from "./report.js";
import { COUNT_WORDS, COUNTS, KIND_WORDS } from "./words.js";

const HEAD = ["Verdict", "Zone", "Type", "Name", "Authority", "What happens", "To do"];

/** A self-contained page: summary, a picture of the timeline, and a table that can be sorted and filtered. */
export function renderHtml(report: Report): string {
  const rows = rowsOf(report).map(row);
  const main = [
    `<p class="lead">${escaped(summary(report))}</p>`,
    cards(COUNTS.map((name) => ({ name, count: total(report, name), words: COUNT_WORDS[name] }))),
    timeline(report.date),
    ...(rows.length === 0 ? ["<p>No certificate is affected.</p>"] : [FILTER, dataTable("certificates", HEAD, rows)]),
    list("Unused acknowledgements", staleLines(report)),
    list("Could not be read", failureLines(report)),
  ];
  return renderPage({ title: "Certificates and the chain change", style: STYLE, main: main.join("\n") });
}

function row({ zoneName, entry }: Row): TableRow {
  const { kind, name, key, certificateAuthority, what, clients, email, action, caa = "", acknowledged } = entry;
  const count = countOf(entry);
  const reason = acknowledged === undefined ? "" : small("", acknowledgedText(acknowledged));
  const cells = [
    `<span class="badge ${count}">${COUNT_WORDS[count]}</span>${reason}`,
    escaped(zoneName),
    KIND_WORDS[kind],
    `${escaped(name).replaceAll(", ", "<br>")}<small class="key">${escaped(key)}</small>`,
    escaped(authorityName(certificateAuthority)),
    `${escaped(what)}${small("Affected clients:", clients)}${small("Notified by e-mail:", email)}${small("CAA record:", caa)}`,
    escaped(action),
  ];
  return { rank: rankOf(entry), cells };
}

function small(label: string, text: string): string {
  if (text === "") return "";
  return `<small>${label === "" ? "" : `<i>${label}</i> `}${escaped(text)}</small>`;
}
