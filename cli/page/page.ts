import { createHash } from "node:crypto";
import { BASE_STYLE } from "./style.js";

/** A self-contained page that loads nothing. */
interface Page {
  readonly title: string;
  /** In addition to the styles of every page. */
  readonly style: string;
  /** HTML content of `<main>`. All text in it is already escaped. */
  readonly main: string;
}

/** The whole document. Its content security policy allows only inline styles and scripts, and nothing from elsewhere. */
export function renderPage({ title, style, main }: Page): string {
  const styles = `${BASE_STYLE}${style}`;
  const policy = `default-src 'none'; style-src '${digest(styles)}'; script-src '${digest(TABLES_SCRIPT)}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${main}
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

/** The key figures at the top of a page, each in the colour of its class. */
export function cards(
  items: readonly { readonly name: string; readonly count: number; readonly words: string }[],
): string {
  const shown = items.map(
    ({ name, count, words }) => `<li class="${name}"><b>${String(count)}</b> ${escaped(words)}</li>`,
  );
  return `<ul class="cards">\n${shown.join("\n")}\n</ul>`;
}

/** Lines under a heading; empty if there are no lines. */
export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `<h2>${escaped(title)}</h2>\n<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;
}

/** The field that filters the rows of all tables on the page. */
export const FILTER = `<p class="filter"><label>Filter rows <input type="search" id="filter" autocomplete="off"></label> <span id="shown" role="status"></span></p>`;

/** A row of a table: HTML cells, and the sort key of the first column if it differs from its text. */
export interface TableRow {
  /** Its anchor, for links on the page. @default none */
  readonly id?: string;
  readonly rank?: number;
  readonly cells: readonly string[];
}

/**
 * A table that sorts by its headings and can be filtered. On a narrow page each row becomes a block with the headings in its
 * cells.
 */
export function dataTable(id: string, head: readonly string[], rows: readonly TableRow[]): string {
  const heads = head.map((name) => `<th scope="col"><button type="button">${escaped(name)}</button></th>`).join("");
  const lines = rows.map(({ id: anchor, rank, cells }) => {
    const name = anchor === undefined ? "" : ` id="${escaped(anchor)}"`;
    const order = rank === undefined ? "" : ` data-rank="${String(rank)}"`;
    const contents = cells.map((cell, index) => `<td data-label="${escaped(head[index] ?? "")}">${cell}</td>`);
    return `<tr${name}${order}>${contents.join("")}</tr>`;
  });
  return `<div class="scroll"><table class="data" id="${id}">
<thead><tr>${heads}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>`;
}

/** Sorts the tables of a page by their headings, and filters their rows. */
const TABLES_SCRIPT = `
const tables = [...document.querySelectorAll("table.data")];
const all = tables.flatMap((table) => [...table.tBodies[0].rows]);
for (const table of tables) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, index) => index === 0 && row.dataset.rank !== undefined ? row.dataset.rank : row.cells[index].textContent;
  heads.forEach((head, index) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => value(a, index).localeCompare(value(b, index), undefined, { numeric: true }) * (down ? -1 : 1));
    body.append(...rows);
  }));
}
const filter = document.getElementById("filter"), shown = document.getElementById("shown");
if (filter) {
  const apply = () => {
    const text = filter.value.toLowerCase();
    let count = 0;
    for (const row of all) { row.hidden = !row.textContent.toLowerCase().includes(text); if (!row.hidden) count += 1; }
    for (const box of document.querySelectorAll("details")) if (text !== "") box.open = true;
    shown.textContent = count + " of " + all.length + " rows";
  };
  filter.addEventListener("input", apply);
  apply();
  addEventListener("hashchange", () => {
    const row = document.getElementById(location.hash.slice(1));
    if (row && row.hidden) { filter.value = ""; apply(); row.scrollIntoView(); }
  });
}
`;
