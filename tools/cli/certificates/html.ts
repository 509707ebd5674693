import { authorityName } from "../../../core/certificates/authorities.js";
import { CHAIN_TIMELINE } from "../../../core/certificates/timeline.js";
import {
  badge,
  breakable,
  dataTable,
  escaped,
  foldedTable,
  list,
  renderPage,
  type Page,
  type TableRow,
  type Tone,
} from "../page/page.js";
import {
  acknowledgedText,
  countOf,
  failureLines,
  rankOf,
  rowsOf,
  staleLines,
  summary,
  total,
  unaffectedIn,
  type Report,
  type Row,
} from "./report.js";
import { COUNT_WORDS, COUNTS, KIND_WORDS, type Count } from "./words.js";

const TONES: Readonly<Record<Count, Tone>> = {
  act: "stop",
  watch: "warn",
  automatic: "quiet",
  acknowledged: "quiet",
  none: "pass",
};

const HEAD = ["Verdict", "Zone", "Type", "Name", "Authority", "What happens, and what to do"];

/** A self-contained page: summary, the dates that matter, and tables that can be sorted and filtered. */
export function renderHtml(report: Report, style: string): string {
  const rows = rowsOf(report).map(row);
  const page: Page = {
    title: "Certificates and the chain change",
    lead: summary(report),
    cards: COUNTS.map((name) => ({ tone: TONES[name], count: total(report, name), words: COUNT_WORDS[name] })),
    parts: [
      days(report.date),
      "<h2>Affected certificates</h2>",
      rows.length === 0 ? "<p>No certificate is affected.</p>" : dataTable(HEAD, rows),
      foldedTable(
        "Not affected",
        ["Zone", "Type", "Name", "Authority", "Why"],
        unaffectedIn(report).map(unaffectedRow),
      ),
      list("Unused acknowledgements", staleLines(report)),
      list("Could not be read", failureLines(report)),
    ],
  };
  return renderPage(page, style);
}

function row({ zoneName, entry }: Row): TableRow {
  const { what, clients, email, action, caa = "", acknowledged } = entry;
  const count = countOf(entry);
  const reason = acknowledged === undefined ? "" : small("", acknowledgedText(acknowledged));
  const about = [
    escaped(what),
    action === "" ? "" : `<p>${breakable(action)}</p>`,
    small("Affected clients:", clients),
    small("Notified by e-mail:", email),
    small("CAA record:", caa),
  ];
  const verdict = `${badge(TONES[count], COUNT_WORDS[count])}${reason}`;
  return { rank: rankOf(entry), cells: [verdict, ...certificate({ zoneName, entry }), about.join("")] };
}

function unaffectedRow({ zoneName, entry }: Row): TableRow {
  return { cells: [...certificate({ zoneName, entry }), escaped(entry.what)] };
}

/** Zone, type, name and authority. */
function certificate({
  zoneName,
  entry: { kind, name, key, certificateAuthority },
}: Omit<Row, "zoneId">): readonly string[] {
  return [
    escaped(zoneName),
    KIND_WORDS[kind],
    `${escaped(name).replaceAll(", ", "<br>")}<small><code>${breakable(key)}</code></small>`,
    escaped(authorityName(certificateAuthority)),
  ];
}

function small(label: string, text: string): string {
  if (text === "") return "";
  return `<small>${label === "" ? "" : `<b>${label}</b> `}${breakable(text)}</small>`;
}

const EVENTS = [
  { day: CHAIN_TIMELINE.switching, label: "June 2024", text: "managed certificates start to be switched" },
  {
    day: CHAIN_TIMELINE.selfSigned,
    label: "9 September 2024",
    text: "self-signed chain only, in issuing and bundling",
  },
  { day: CHAIN_TIMELINE.expired, label: "30 September 2024", text: "the cross-signed chain expires" },
];

/** The three dates of the chain change and that of the report, in order. */
function days(date: string): string {
  const all = [...EVENTS, { day: date, label: date, text: "this report" }];
  const lines = all
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map(({ label, text }) => `<li><b>${label}</b> ${text}</li>`);
  return `<ul class="days">${lines.join("")}</ul>`;
}
