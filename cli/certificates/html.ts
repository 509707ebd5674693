import { authorityWords } from "../../provider/certificates/authorities.js";
import { CHAIN_TIMELINE } from "../../provider/certificates/chain.js";
import type { ChainAssessment } from "../../provider/certificates/chain.js";
import { KIND_WORDS, VERDICT_WORDS, VERDICTS } from "./collect.js";
import { summary, total, troubles, type Report } from "./report.js";

/** A page that holds everything it needs: summary, a picture of the timeline, and a table that sorts and filters. */
export function renderHtml(report: Report): string {
  const rows = report.zones.flatMap(({ zoneName, entries = [] }) => entries.map((entry) => row(zoneName, entry)));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Certificates and the chain change</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Certificates and the chain change</h1>
<p class="lead">${escaped(summary(report))}</p>
<ul class="cards">
${VERDICTS.map((verdict) => `<li class="${verdict}"><b>${String(total(report, verdict))}</b> ${VERDICT_WORDS[verdict]}</li>`).join("\n")}
</ul>
${timeline(report.date)}
${table(rows)}
${troubleList(troubles(report))}
</main>
<script>${SCRIPT}</script>
</body>
</html>`;
}

function table(rows: readonly string[]): string {
  if (rows.length === 0) return "<p>No certificate is touched.</p>";
  const head = ["Verdict", "Zone", "Type", "Name", "Authority", "What happens", "To do"];
  return `<p><label>Show only what contains <input type="search" id="filter" autocomplete="off"></label> <span id="shown"></span></p>
<div class="scroll"><table id="certificates">
<thead><tr>${head.map((name) => `<th><button type="button">${name}</button></th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table></div>`;
}

function row(zone: string, entry: ChainAssessment): string {
  const { verdict, kind, name, certificateAuthority, what, clients, email, action } = entry;
  const small = (label: string, text: string): string =>
    text === "" ? "" : `<small><i>${label}</i> ${escaped(text)}</small>`;
  const names = escaped(name).replaceAll(", ", "<br>");
  const order = String(VERDICTS.indexOf(verdict));
  return (
    `<tr><td data-order="${order}"><span class="badge ${verdict}">${VERDICT_WORDS[verdict]}</span></td>` +
    `<td>${escaped(zone)}</td><td>${KIND_WORDS[kind]}</td><td>${names}</td>` +
    `<td>${escaped(authorityWords(certificateAuthority))}</td>` +
    `<td>${escaped(what)}${small("Affected:", clients)}${small("Told by e-mail:", email)}</td>` +
    `<td>${escaped(action)}</td></tr>`
  );
}

function troubleList(lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `<h2>Not everything could be read</h2>\n<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;
}

const EVENTS = [
  { day: CHAIN_TIMELINE.switching, label: "June 2024", text: ["managed certificates", "start to be switched"] },
  {
    day: CHAIN_TIMELINE.selfSigned,
    label: "9 September",
    text: ["self-signed chain only,", "in issuing and bundling"],
  },
  { day: CHAIN_TIMELINE.expired, label: "30 September", text: ["the cross-signed", "chain expires"] },
];
const FROM = Date.parse("2024-05-01");
const TO = Date.parse("2024-11-01");
const [LEFT, RIGHT] = [40, 920];

function position(day: string): number {
  const share = (Date.parse(day) - FROM) / (TO - FROM);
  return Math.round(LEFT + Math.min(1, Math.max(0, share)) * (RIGHT - LEFT));
}

/** The three days that count, and where the date of the report falls. */
function timeline(date: string): string {
  const [switching, selfSigned, expired] = EVENTS.map(({ day }) => position(day)) as [number, number, number];
  const bar = (from: number, to: number, name: string): string =>
    `<rect class="${name}" x="${String(from)}" y="60" width="${String(to - from)}" height="12"/>`;
  const events = EVENTS.map(({ day, label, text }, index) => {
    const x = position(day);
    // The last two are close together: their words go to either side.
    const anchor = index === 0 ? "middle" : index === 1 ? "end" : "start";
    const at = x + (index === 1 ? -4 : index === 2 ? 4 : 0);
    const lines = text.map(
      (line, number) =>
        `<text class="note" x="${String(at)}" y="${String(108 + number * 16)}" text-anchor="${anchor}">${line}</text>`,
    );
    return `<line x1="${String(x)}" y1="54" x2="${String(x)}" y2="78"/><text x="${String(at)}" y="92" text-anchor="${anchor}">${label}</text>${lines.join("")}`;
  });
  const x = position(date);
  const outside = Date.parse(date) < FROM ? "← " : Date.parse(date) > TO ? " →" : "";
  const mark = outside === "← " ? `← ${date}` : `${date}${outside}`;
  const side = x > 800 ? "end" : x < 120 ? "start" : "middle";
  return `<div class="scroll"><svg viewBox="0 0 960 140" role="img" aria-label="Timeline of the chain change, with the date of this report">
${bar(LEFT, switching, "before")}${bar(switching, selfSigned, "switching")}${bar(selfSigned, expired, "self")}${bar(expired, RIGHT, "after")}
${events.join("\n")}
<path class="mark" d="M${String(x)} 56 l-7 -12 h14 z"/><text class="mark" x="${String(x)}" y="36" text-anchor="${side}">this report: ${mark}</text>
</svg></div>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --paper: #fff; --panel: #f5f7fa;
  --act: #b3261e; --watch: #9a6700; --automatic: #1f5fbf; --none: #3d7a3d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #39424f; --paper: #151a21; --panel: #1e252f;
  --act: #ff8a80; --watch: #f0c060; --automatic: #8ab4f8; --none: #8fd18f; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1360px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; }
.lead { color: var(--soft); margin: 0 0 20px; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; list-style: none; margin: 0 0 12px; padding: 0; }
.cards li { background: var(--panel); border-left: 4px solid; border-radius: 4px; padding: 10px 18px; min-width: 130px; }
.cards b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.cards .act { border-color: var(--act); } .cards .watch { border-color: var(--watch); } .cards .automatic { border-color: var(--automatic); } .cards .none { border-color: var(--none); }
svg { display: block; width: 100%; height: auto; margin: 8px 0 16px; }
svg text { fill: var(--ink); font: 600 13px system-ui, sans-serif; } svg .note { fill: var(--soft); font-weight: 400; }
svg line { stroke: var(--ink); } svg .before { fill: var(--line); } svg .switching { fill: var(--automatic); opacity: .55; }
svg .self { fill: var(--watch); opacity: .7; } svg .after { fill: var(--act); opacity: .6; } svg .mark { fill: var(--ink); }
input { font: inherit; padding: 4px 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--paper); color: inherit; }
#shown { color: var(--soft); margin-left: 8px; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 8px 10px; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; background: var(--paper); padding: 4px 2px; }
th button { all: unset; cursor: pointer; font-weight: 600; padding: 4px 8px; border-radius: 4px; white-space: nowrap; }
th button:hover, th button:focus-visible { background: var(--panel); } th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
td:nth-child(4) { white-space: nowrap; } td:nth-child(6), td:nth-child(7) { min-width: 200px; overflow-wrap: anywhere; } small { display: block; color: var(--soft); margin-top: 4px; } small i { font-style: normal; font-weight: 600; }
.badge { border: 1px solid; border-radius: 10px; padding: 1px 9px; white-space: nowrap; font-size: 13px; }
.badge.act { color: var(--act); } .badge.watch { color: var(--watch); } .badge.automatic { color: var(--automatic); }
.scroll svg { min-width: 640px; }
@media (max-width: 1100px) { .scroll { overflow-x: auto; } th { position: static; } td:nth-child(6), td:nth-child(7) { min-width: 260px; } }
@media print { th { position: static; } label, #shown { display: none; } }
`;

const SCRIPT = `
const table = document.getElementById("certificates");
if (table) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, index) => row.cells[index].dataset.order ?? row.cells[index].textContent;
  heads.forEach((head, index) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => value(a, index).localeCompare(value(b, index), undefined, { numeric: true }) * (down ? -1 : 1));
    body.append(...rows);
  }));
  const filter = document.getElementById("filter"), shown = document.getElementById("shown");
  const apply = () => {
    const text = filter.value.toLowerCase();
    let count = 0;
    for (const row of rows) { row.hidden = !row.textContent.toLowerCase().includes(text); if (!row.hidden) count += 1; }
    shown.textContent = count + " of " + rows.length;
  };
  filter.addEventListener("input", apply);
  apply();
}
`;
