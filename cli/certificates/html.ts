import { authorityName } from "../../provider/certificates/authorities.js";
import { cards, dataTable, escaped, FILTER, list, renderPage, type TableRow } from "../page/page.js";
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
import { CHAIN_TIMELINE } from "../../provider/chain/timeline.js";

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

const EVENTS = [
  { day: CHAIN_TIMELINE.switching, label: "June 2024", text: ["managed certificates", "start to be switched"] },
  {
    day: CHAIN_TIMELINE.selfSigned,
    label: "9 September 2024",
    text: ["self-signed chain only,", "in issuing and bundling"],
  },
  { day: CHAIN_TIMELINE.expired, label: "30 September 2024", text: ["the cross-signed", "chain expires"] },
];
const TIMELINE_START = Date.parse("2024-05-01");
const TIMELINE_END = Date.parse("2024-11-01");
const [LEFT, RIGHT] = [40, 920];

function position(day: string): number {
  const share = (Date.parse(day) - TIMELINE_START) / (TIMELINE_END - TIMELINE_START);
  return Math.round(LEFT + Math.min(1, Math.max(0, share)) * (RIGHT - LEFT));
}

/** The three dates of the chain change, and where the date of the report falls. */
function timeline(date: string): string {
  const [switching, selfSigned, expired] = EVENTS.map(({ day }) => position(day)) as [number, number, number];
  const bar = (from: number, to: number, name: string): string =>
    `<rect class="${name}" x="${String(from)}" y="60" width="${String(to - from)}" height="12"/>`;
  const events = EVENTS.map(({ day, label, text }, index) => {
    const x = position(day);
    // The last two dates are close together, so one label goes to the left and the other to the right.
    const anchor = index === 0 ? "middle" : index === 1 ? "end" : "start";
    const at = x + (index === 1 ? -4 : index === 2 ? 4 : 0);
    const lines = text.map(
      (line, number) =>
        `<text class="note" x="${String(at)}" y="${String(108 + number * 16)}" text-anchor="${anchor}">${line}</text>`,
    );
    return `<line x1="${String(x)}" y1="54" x2="${String(x)}" y2="78"/><text x="${String(at)}" y="92" text-anchor="${anchor}">${label}</text>${lines.join("")}`;
  });
  const x = position(date);
  const outside = Date.parse(date) < TIMELINE_START ? "← " : Date.parse(date) > TIMELINE_END ? " →" : "";
  const mark = outside === "← " ? `← ${date}` : `${date}${outside}`;
  const side = x > 800 ? "end" : x < 120 ? "start" : "middle";
  return `<div class="scroll"><svg viewBox="0 0 960 140" role="img" aria-label="Timeline of the chain change, with the date of this report">
${bar(LEFT, switching, "before")}${bar(switching, selfSigned, "switching")}${bar(selfSigned, expired, "self")}${bar(expired, RIGHT, "after")}
${events.join("\n")}
<path class="mark" d="M${String(x)} 56 l-7 -12 h14 z"/><text class="mark" x="${String(x)}" y="36" text-anchor="${side}">this report: ${mark}</text>
</svg></div>
<ul class="days">${days(date)}</ul>`;
}

/** The same dates as a list, for pages too narrow for the picture. */
function days(date: string): string {
  const events = EVENTS.map(({ day, label, text }) => ({ day, words: `<b>${label}</b> ${text.join(" ")}` }));
  const all = [...events, { day: date, words: `<b>this report</b> ${date}` }];
  return all
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map(({ words }) => `<li>${words}</li>`)
    .join("");
}
