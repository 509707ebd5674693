import { authorityWords } from "../../provider/certificates/authorities.js";
import { SCRIPT, STYLE } from "./html-assets.js";
import { timeline } from "./html-timeline.js";
import {
  acknowledgedText,
  countOf,
  rankOf,
  rowsOf,
  stale,
  summary,
  total,
  failures,
  type Report,
  type Row,
} from "./report.js";
import { COUNT_WORDS, COUNTS, KIND_WORDS } from "./words.js";

/** A page that holds everything it needs: summary, a picture of the timeline, and a table that sorts and filters. */
export function renderHtml(report: Report): string {
  const rows = rowsOf(report).map(row);
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
${COUNTS.map((count) => `<li class="${count}"><b>${String(total(report, count))}</b> ${COUNT_WORDS[count]}</li>`).join("\n")}
</ul>
${timeline(report.date)}
${table(rows)}
${list("Acknowledgements that do nothing", stale(report))}
${list("Not everything could be read", failures(report))}
</main>
<script>${SCRIPT}</script>
</body>
</html>`;
}

const HEAD = ["Verdict", "Zone", "Type", "Name", "Authority", "What happens", "To do"];

function table(rows: readonly string[]): string {
  if (rows.length === 0) return "<p>No certificate is affected.</p>";
  return `<p><label>Filter <input type="search" id="filter" autocomplete="off"></label> <span id="shown"></span></p>
<div class="scroll"><table id="certificates">
<thead><tr>${HEAD.map((name) => `<th><button type="button">${name}</button></th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table></div>`;
}

function row({ zoneName, entry }: Row): string {
  const { kind, name, key, certificateAuthority, what, clients, email, action, acknowledged } = entry;
  const count = countOf(entry);
  const reason = acknowledged === undefined ? "" : small("", acknowledgedText(acknowledged));
  const contents = [
    `<span class="badge ${count}">${COUNT_WORDS[count]}</span>${reason}`,
    escaped(zoneName),
    KIND_WORDS[kind],
    `${escaped(name).replaceAll(", ", "<br>")}<small class="key">${escaped(key)}</small>`,
    escaped(authorityWords(certificateAuthority)),
    `${escaped(what)}${small("Affected clients:", clients)}${small("Told by e-mail:", email)}`,
    escaped(action),
  ];
  // The labels stand in for the head where the page is narrow.
  const cells = contents.map((content, index) => `<td data-label="${HEAD[index] ?? ""}">${content}</td>`);
  return `<tr data-rank="${String(rankOf(entry))}">${cells.join("")}</tr>`;
}

function small(label: string, text: string): string {
  if (text === "") return "";
  return `<small>${label === "" ? "" : `<i>${label}</i> `}${escaped(text)}</small>`;
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `<h2>${title}</h2>\n<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
