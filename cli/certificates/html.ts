import { authorityName } from "../../provider/certificates/authorities.js";
import { cards, dataTable, escaped, FILTER, list, renderPage, type TableRow } from "../page/page.js";
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

/** The styles of this page, in addition to those of every page. */
const STYLE = `
.cards .act { border-color: var(--red); } .cards .acknowledged { border-color: var(--violet); } .cards .watch { border-color: var(--amber); } .cards .automatic { border-color: var(--blue); } .cards .none { border-color: var(--green); }
svg { display: block; width: 100%; height: auto; margin: 8px 0 16px; }
svg text { fill: var(--ink); font: 600 13px system-ui, sans-serif; } svg .note { fill: var(--soft); font-weight: 400; }
svg line { stroke: var(--ink); } svg .before { fill: var(--line); } svg .switching { fill: var(--blue); opacity: .55; }
svg .self { fill: var(--amber); opacity: .7; } svg .after { fill: var(--red); opacity: .6; } svg .mark { fill: var(--ink); }
small.key { font: 12px ui-monospace, monospace; white-space: normal; overflow-wrap: anywhere; }
.badge.act { color: var(--red); } .badge.acknowledged { color: var(--violet); } .badge.watch { color: var(--amber); } .badge.automatic { color: var(--blue); }
.scroll svg { min-width: 640px; }
.days { display: none; }
@media (min-width: 1101px) {
  .data td:nth-child(4) { white-space: nowrap; } .data td:nth-child(6), .data td:nth-child(7) { min-width: 220px; overflow-wrap: anywhere; }
  small.key { max-width: 230px; }
}
@media (max-width: 760px) {
  svg { display: none; } .days { display: block; margin: 12px 0 20px; padding: 0; list-style: none; color: var(--soft); } .days b { color: var(--ink); }
}
`;

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
