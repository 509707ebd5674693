import { createHash } from "node:crypto";

/** A page of a report: what it is about, its key figures, and the parts below them. */
export interface Page {
  readonly title: string;
  readonly lead: string;
  readonly cards: readonly Card[];
  /** HTML. All text in it is already escaped. */
  readonly parts: readonly string[];
}

/** How grave something is, which gives it a colour: a failure, a warning, nothing to do, or nothing to judge. */
export type Tone = "stop" | "warn" | "pass" | "quiet";

interface Card {
  readonly tone: Tone;
  readonly count: number;
  readonly words: string;
}

/** The whole document. It loads nothing: its content security policy allows this style and script alone. */
export function renderPage({ title, lead, cards, parts }: Page, style: string): string {
  const policy = `default-src 'none'; style-src '${digest(style)}'; script-src '${digest(TABLES_SCRIPT)}'`;
  const figures = cards.map(
    ({ tone, count, words }) =>
      `<li class="${count === 0 ? "quiet" : tone}"><b>${String(count)}</b> ${escaped(words)}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p class="lead">${escaped(lead)}</p>
<ul class="cards">
${figures.join("\n")}
</ul>
${parts.filter((part) => part !== "").join("\n")}
</main>
<script>${TABLES_SCRIPT}</script>
</body>
</html>`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Escapes text for HTML. */
export function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** Text in which long words, such as paths and calls, break after a sign and not inside a name. */
export function breakable(text: string): string {
  const parts = text
    .split(/(\S{30,})/)
    .map((part, index) => (index % 2 === 0 ? [part] : part.split(/(?<=[/,:.?&={}])/)));
  return parts.map((pieces) => pieces.map(escaped).join("<wbr>")).join("");
}

export function badge(tone: Tone, words: string): string {
  return `<span class="badge ${tone}">${escaped(words)}</span>`;
}

/** Lines under a heading; empty if there are no lines. */
export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `<h2>${escaped(title)}</h2>\n<ul>${lines.map((line) => `<li>${breakable(line)}</li>`).join("")}</ul>`;
}

/** A row of a table: HTML cells, and the sort key of the first column if it differs from its text. */
export interface TableRow {
  /** Its anchor, for links on the page. @default none */
  readonly id?: string;
  readonly rank?: number;
  readonly cells: readonly string[];
}

/** Longer tables are folded, and shorter ones need no filter. */
const [MAX_OPEN_ROWS, MIN_FILTERED_ROWS] = [30, 6];

/** A table that can be folded; empty if it has no rows. */
export function foldedTable(title: string, head: readonly string[], rows: readonly TableRow[]): string {
  if (rows.length === 0) return "";
  const open = rows.length > MAX_OPEN_ROWS ? "" : " open";
  return `<details${open}><summary>${escaped(title)}</summary>\n${dataTable(head, rows)}\n</details>`;
}

/** A table that sorts by its headings, under a field that filters its rows. */
export function dataTable(head: readonly string[], rows: readonly TableRow[]): string {
  const heads = head.map((name) => `<th scope="col"><button type="button">${escaped(name)}</button></th>`).join("");
  const lines = rows.map(({ id: anchor, rank, cells }) => {
    const name = anchor === undefined ? "" : ` id="${escaped(anchor)}"`;
    const order = rank === undefined ? "" : ` data-rank="${String(rank)}"`;
    const contents = cells.map((cell, index) => `<td data-label="${escaped(head[index] ?? "")}">${cell}</td>`);
    return `<tr${name}${order}>${contents.join("")}</tr>`;
  });
  const filter = `<p class="filter"><label>Filter <input type="search" autocomplete="off"></label> <span role="status"></span></p>\n`;
  return `<div class="table">
${rows.length < MIN_FILTERED_ROWS ? "" : filter}<table class="data">
<thead><tr>${heads}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>`;
}

/** Sorts each table by its headings, and filters its rows by the field above it. */
const TABLES_SCRIPT = `
for (const place of document.querySelectorAll(".table")) {
  const table = place.querySelector("table"), body = table.tBodies[0], rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, index) => index === 0 && row.dataset.rank !== undefined ? row.dataset.rank : row.cells[index].textContent;
  heads.forEach((head, index) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => value(a, index).localeCompare(value(b, index), undefined, { numeric: true }) * (down ? -1 : 1));
    body.append(...rows);
  }));
  const filter = place.querySelector("input"), shown = place.querySelector("[role=status]");
  if (!filter) continue;
  const apply = () => {
    const text = filter.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(text);
    if (text !== "") for (const box of body.querySelectorAll("details")) box.open = true;
    shown.textContent = rows.filter((row) => !row.hidden).length + " of " + rows.length + " rows";
  };
  filter.addEventListener("input", apply);
  apply();
  addEventListener("hashchange", () => {
    const row = document.getElementById(location.hash.slice(1));
    if (row && row.hidden && body.contains(row)) { filter.value = ""; apply(); row.scrollIntoView(); }
  });
}
`;
