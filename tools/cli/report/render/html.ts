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
} from "../../page/page.js";
import type { Rows } from "../../table.js";
import { phaseWords } from "../../../audit/phases.js";
import type { Report } from "../../../audit/report.js";
import { FINDINGS } from "../../../../core/language/generated/findings.js";
import { SEVERITIES, type Severity } from "../../../../core/language/index.js";
import { groupFindings, placesOf, type FindingGroup } from "./finding-groups.js";
import { picture } from "./html-picture.js";
import { failureLines, ruleWords, summary } from "./labels.js";
import { tablesOf } from "./tables.js";

const TONES: Readonly<Record<Severity, Tone>> = { error: "stop", warning: "warn", info: "quiet" };

/** A self-contained page: the picture of coverage, and tables that can be sorted and filtered. */
export function renderHtml(report: Report, style: string): string {
  const { managed, rulesets } = tablesOf(report);
  const groups = groupFindings(report.findings);
  const cards = SEVERITIES.map((name) => ({
    tone: TONES[name],
    count: report.findings.filter(({ severity }) => severity === name).length,
    words: `${name}s`,
  }));
  const { length } = report.zones;
  const page: Page = {
    title: "Protection of zones",
    lead: summary(report),
    cards: [...cards, { tone: "quiet", count: length, words: length === 1 ? "zone" : "zones" }],
    parts: [
      "<h2>Coverage</h2>",
      picture(report, groups),
      "<h2>Findings</h2>",
      groups.length === 0
        ? "<p>Nothing was found.</p>"
        : dataTable(["Severity", "Where", "Phase", "Rule", "Finding"], groups.map(findingRow)),
      folded("What runs", managed),
      folded("Rulesets", rulesets),
      list("Could not be read", failureLines(report)),
    ],
  };
  return renderPage(page, style);
}

/** A row for findings that are the same in several places, with what to do about them. */
function findingRow(group: FindingGroup): TableRow {
  const { id, first } = group;
  const { code, severity, message } = first;
  const text = `${code}: ${message}`;
  const remedy = `<small>${escaped(FINDINGS[code].remedy)}</small>`;
  return {
    id,
    rank: SEVERITIES.indexOf(severity),
    cells: [
      badge(TONES[severity], severity),
      placesHtml(group),
      escaped(phaseWords(first.phase)),
      escaped(ruleWords(first)),
      `${breakable(text)}${remedy}`,
    ],
  };
}

function placesHtml(group: FindingGroup): string {
  const { summary: words, places } = placesOf(group);
  if (places.length === 1) return escaped(words);
  return `<details><summary>${escaped(words)}</summary>${places.map(escaped).join("<br>")}</details>`;
}

function folded(title: string, { head, rows }: Rows): string {
  return foldedTable(
    title,
    head,
    rows.map((row) => ({ cells: row.map(breakable) })),
  );
}
