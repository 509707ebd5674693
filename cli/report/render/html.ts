import { cards, dataTable, escaped, FILTER, list, renderPage } from "../../page/page.js";
import type { Rows } from "../../table.js";
import { LEVELS, type Report } from "../audit/report.js";
import { barStyle, picture } from "./html-picture.js";
import { STYLE } from "./html-style.js";
import { LEVEL_WORDS, notJudgedLines, summary, failureLines } from "./labels.js";
import { tablesOf } from "./tables.js";

/** Longer lists are collapsed. */
const MAX_OPEN_ROWS = 30;

/** A self-contained page: the picture of coverage, and tables that can be sorted and filtered. */
export function renderHtml(report: Report): string {
  const { findings, managed, rulesets } = tablesOf(report);
  const levels = (report.baseline?.worse ?? report.findings).map(({ level }) => level);
  const isCompared = report.baseline !== undefined;
  const counts = LEVELS.map((name) => ({
    name,
    count: levels.filter((level) => level === name).length,
    words: isCompared ? `${LEVEL_WORDS[name]}, worse` : `${LEVEL_WORDS[name]} findings`,
  }));
  const main = [
    `<p class="lead">${escaped(summary(report))}</p>`,
    cards([
      ...counts,
      { name: "zones", count: report.zones.length, words: report.zones.length === 1 ? "zone" : "zones" },
    ]),
    "<h2>Coverage</h2>",
    picture(report),
    FILTER,
    `<h2>${isCompared ? "Worse than before" : "Findings"}</h2>`,
    findings.rows.length === 0
      ? `<p>${isCompared ? "Nothing got worse." : "Nothing was found."}</p>`
      : dataTable(
          "findings",
          findings.head,
          findings.rows.map((row, index) => ({ rank: LEVELS.indexOf(levels[index] ?? "low"), cells: badged(row) })),
        ),
    ...(isCompared ? [] : [folded("What runs", "managed", managed), folded("Rulesets", "rulesets", rulesets)]),
    list("Could not be judged", notJudgedLines(report)),
    list("Could not be read", failureLines(report)),
  ];
  return renderPage({ title: "Protection of zones", style: `${STYLE}${barStyle(report)}`, main: main.join("\n") });
}

/** Renders the level as a badge and leaves the other cells unchanged. */
function badged([level = "", ...cells]: readonly string[]): string[] {
  return [`<span class="badge ${level}">${level}</span>`, ...cells.map(escaped)];
}

function folded(title: string, id: string, { head, rows }: Rows): string {
  if (rows.length === 0) return "";
  const table = dataTable(
    id,
    head,
    rows.map((row) => ({ cells: row.map(escaped) })),
  );
  return `<details${rows.length > MAX_OPEN_ROWS ? "" : " open"}><summary>${escaped(title)}</summary>\n${table}\n</details>`;
}
