import { cards, dataTable, escaped, FILTER, list, renderPage, type TableRow } from "../../page/page.js";
import type { Rows } from "../../table.js";
import { phaseWords } from "../../../audit/phases.js";
import { LEVELS, type Finding, type Regression, type Report } from "../../../audit/report.js";
import { groupFindings, placesOf, type FindingGroup } from "./finding-groups.js";
import { barStyle, picture } from "./html-picture.js";
import { STYLE } from "./html-style.js";
import { failureLines, invariantTexts, LEVEL_WORDS, notJudgedLines, ruleWords, summary } from "./labels.js";
import { REMEDIES } from "./remedies.js";
import { tablesOf } from "./tables.js";

/** Longer lists are collapsed. */
const MAX_OPEN_ROWS = 30;

/** A self-contained page: the picture of coverage, and tables that can be sorted and filtered. */
export function renderHtml(report: Report): string {
  const { managed, rulesets, quotas, invariants } = tablesOf(report);
  const shown: readonly (Finding | Regression)[] = report.baseline?.worse ?? report.findings;
  const groups = groupFindings(shown);
  const levels = shown.map(({ level }) => level);
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
    folded("Invariants", "invariants", invariants),
    list("What invariants say", invariantTexts(report)),
    "<h2>Coverage</h2>",
    picture(report, groups),
    FILTER,
    `<h2>${isCompared ? "Worse than before" : "Findings"}</h2>`,
    groups.length === 0
      ? `<p>${nothingWords(report)}</p>`
      : dataTable(
          "findings",
          ["Level", "Where", "Phase", "Rule", isCompared ? "Worse" : "Finding"],
          groups.map(findingRow),
        ),
    ...(isCompared ? [] : [folded("What runs", "managed", managed), folded("Rulesets", "rulesets", rulesets)]),
    folded("Quotas", "quotas", quotas),
    list("Could not be judged", notJudgedLines(report)),
    list("Could not be read", failureLines(report)),
  ];
  return renderPage({ title: "Protection of zones", style: `${STYLE}${barStyle(report)}`, main: main.join("\n") });
}

function nothingWords({ baseline }: Report): string {
  if (baseline === undefined) return "Nothing was found.";
  return baseline.notJudged.length === 0
    ? "Nothing got worse."
    : "Nothing is known to have got worse. Not everything could be judged: see below.";
}

/** A row for findings that are the same in several places, with what to do about them. */
function findingRow(group: FindingGroup): TableRow {
  const { id, first } = group;
  const level = LEVEL_WORDS[first.level];
  const text = first.name === undefined ? first.message : `${first.name}: ${first.message}`;
  const remedy = first.name === undefined ? "" : `<small>${escaped(REMEDIES[first.name])}</small>`;
  return {
    id,
    rank: LEVELS.indexOf(first.level),
    cells: [
      `<span class="badge ${level}">${level}</span>`,
      placesHtml(group),
      escaped(phaseWords(first.phase)),
      escaped(ruleWords(first)),
      `${escaped(text)}${remedy}`,
    ],
  };
}

function placesHtml(group: FindingGroup): string {
  const { summary: words, places } = placesOf(group);
  if (places.length === 1) return escaped(words);
  return `<details><summary>${escaped(words)}</summary>${places.map(escaped).join("<br>")}</details>`;
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
