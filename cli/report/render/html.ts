import { cards, dataTable, escaped, FILTER, list, renderPage, type TableRow } from "../../page/page.js";
import type { Rows } from "../../table.js";
import { phaseWords } from "../../../audit/phases.js";
import { LEVELS, type Finding, type Regression, type Report, type FindingName } from "../../../audit/report.js";
import { groupFindings, placesOf, type FindingGroup } from "./finding-groups.js";
import { barStyle, picture } from "./html-picture.js";
import { failureLines, invariantTexts, LEVEL_WORDS, notJudgedLines, ruleWords, summary } from "./labels.js";
import { tablesOf } from "./tables.js";

/** The styles of this page, in addition to those of every page. */
const STYLE = `
.cards .high { border-color: var(--red); } .cards .medium { border-color: var(--amber); } .cards .low { border-color: var(--blue); } .cards .zones { border-color: var(--green); }
.badge.high { color: var(--red); } .badge.medium { color: var(--amber); } .badge.low { color: var(--blue); }
.legend { display: flex; flex-wrap: wrap; gap: 6px 20px; list-style: none; margin: 8px 0 12px; padding: 0; color: var(--soft); font-size: 13px; } .legend b { color: var(--ink); }
.sign { display: inline-block; box-sizing: border-box; width: 22px; height: 22px; border: 1px solid transparent; border-radius: 4px; font: 700 13px/20px system-ui, sans-serif; text-align: center; }
.sign.protected { background: var(--ok-fill); color: var(--ok-ink); } .sign.weakened { background: var(--warn-fill); color: var(--warn-ink); }
.sign.logging { background: var(--panel); color: var(--ink); border: 2px solid var(--warn-fill); line-height: 18px; }
.sign.unprotected { background: var(--bad-fill); color: var(--bad-ink); } .sign.unknown { border: 1px dashed var(--ink); color: var(--ink); }
.sign.default { border-color: var(--green); color: var(--green); } .sign.notInPlan { border-color: var(--line); color: var(--soft); }
:root { --ok-fill: #3d7a3d; --ok-ink: #fff; --warn-fill: #f0b429; --warn-ink: #2b1d00; --bad-fill: #b3261e; --bad-ink: #fff; }
@media (prefers-color-scheme: dark) { :root { --ok-fill: #2f6b3a; --ok-ink: #d6f5d6; --warn-fill: #c28f1a; --warn-ink: #201500; --bad-fill: #c5392f; --bad-ink: #fff; } }
.picture { display: flex; flex-wrap: wrap; gap: 16px 28px; align-items: flex-start; }
.picture table { border-collapse: collapse; flex: 0 0 auto; max-width: 100%; font-size: 13px; }
.picture td, .picture thead th { padding: 2px 3px; text-align: center; }
.picture thead th { font-weight: 400; color: var(--soft); vertical-align: bottom; height: 108px; } .picture thead th:first-child { text-align: left; }
.picture:not(.few) thead .head { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
.picture tbody th { font-weight: 400; text-align: left; padding: 2px 10px 2px 0; max-width: 214px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.picture tbody tr:hover { background: var(--panel); }
.picture:not(.few) .words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: 6px 14px; align-items: center; margin: 0 0 20px; max-width: 860px; } .bars dt { margin: 0; } .bars dd { margin: 0; }
.bar { display: flex; height: 22px; border-radius: 4px; overflow: hidden; } .bar .sign { width: auto; height: 22px; min-width: 34px; border-radius: 0; flex: 1 1 0; }
.said { list-style: none; padding: 0; } .said > li { margin: 0 0 12px; font-weight: 600; } .said ul { font-weight: 400; } .said li { overflow-wrap: anywhere; }
details { margin: 32px 0 8px; } summary { cursor: pointer; font-size: 18px; font-weight: 700; }
.few table { font-size: 15px; } .few td, .few thead th { text-align: left; padding: 6px 28px 6px 0; vertical-align: top; height: auto; } .few .words { margin-left: 8px; } .few tbody tr { border-top: 1px solid var(--line); } .few tbody th { padding: 6px 28px 6px 0; max-width: 320px; vertical-align: top; }
.data td { overflow-wrap: break-word; }
.picture a { color: inherit; text-decoration: none; } .picture a .words { text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: 3px; }
.picture a:hover .words { text-decoration-color: currentcolor; } .picture a:hover .sign, .picture a:focus-visible .sign { outline: 2px solid var(--blue); outline-offset: 1px; }
.data tr:target { background: var(--panel); box-shadow: inset 4px 0 var(--blue); scroll-margin-top: 48px; }
@media (max-width: 1100px) { .data tr:target { box-shadow: -8px 0 var(--panel), -12px 0 var(--blue); } }
.data details { margin: 0; } .data summary { font-size: inherit; font-weight: 400; }
@media (min-width: 1101px) { #findings td:nth-child(3) { white-space: nowrap; } #findings td:nth-child(2) { max-width: 240px; } #findings td:last-child { min-width: 420px; } }
@media (max-width: 760px) { .picture tbody th { max-width: 170px; }
  .few table, .few tbody, .few tr, .few tbody th { display: block; } .few thead { display: none; } .few tbody th { font-weight: 700; } .few td { padding: 3px 0; } .few td { display: flex; gap: 8px; } .few td::before { content: attr(data-label); color: var(--soft); flex: 0 0 128px; } .few td a { display: flex; gap: 8px; } .few .sign { flex: 0 0 22px; } .few .words { margin: 0; }
  .bars { grid-template-columns: 1fr; gap: 2px; } .bars dd { margin-bottom: 8px; } }
`;

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
    folded("Invariants", "invariants", invariants, verdictHtml),
    invariantList(report),
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

/** What invariants say, each with the zones that break it. */
function invariantList(report: Report): string {
  const items = invariantTexts(report).map(({ title, lines }) => {
    const inside = lines.map((line) => `<li>${escaped(line)}</li>`).join("");
    return `<li>${escaped(title)}${inside === "" ? "" : `<ul>${inside}</ul>`}</li>`;
  });
  return items.length === 0 ? "" : `<h2>What invariants say</h2>\n<ul class="said">${items.join("")}</ul>`;
}

/** A verdict by the sign that it begins with. */
const VERDICT_BADGES = { "✗": "high", "?": "medium", "(": "low" } as const;

function verdictHtml(text: string): string {
  const badge = VERDICT_BADGES[text.charAt(0) as keyof typeof VERDICT_BADGES] as string | undefined;
  return badge === undefined ? escaped(text) : `<span class="badge ${badge}">${escaped(text)}</span>`;
}

function folded(title: string, id: string, { head, rows }: Rows, cell = escaped): string {
  if (rows.length === 0) return "";
  const table = dataTable(
    id,
    head,
    rows.map((row) => ({ cells: row.map((text) => cell(text)) })),
  );
  return `<details${rows.length > MAX_OPEN_ROWS ? "" : " open"}><summary>${escaped(title)}</summary>\n${table}\n</details>`;
}

/** What to do about each finding. */
const REMEDIES: Readonly<Record<FindingName, string>> = {
  "no-protection":
    "Deploy rules in this phase, as in the other zones, or remove what the zone does not need to protect.",
  "log-only": "Change the action of the rules to block or managed_challenge once their matches have been reviewed.",
  "managed-ruleset-off": "Enable the rule that executes it, or its rules in the overrides.",
  "managed-rules-off":
    "Remove the overrides that switch rules off, or replace them with a skip rule for the requests concerned.",
  "managed-rules-logged": "Remove the overrides that only log once their matches have been reviewed.",
  "sensitivity-lowered": "Remove the overrides of the sensitivity, or limit them to the rules that need them.",
  "dead-override": "Delete it, or name the rule that took its place; `managed diff` shows what changed.",
  "managed-for-some": "Execute it for every request, with a skip rule for exceptions.",
  "skip-for-everybody": "Limit the expression to the requests that must pass, or remove the rule.",
  "skip-without-description": "Describe for whom the rule is and who asked for it, or remove it.",
  skip: "Check that the requests still need to pass; name addresses and paths as narrowly as possible.",
  "disabled-rule": "Enable the rule, or delete it.",
  expired: "Delete the rule, or give it another end.",
  expiring: "Decide whether the rule is still needed, and give it another end or none.",
  "never-matches": "Correct the expression, or delete the rule.",
  covered: "Move the rule before those that cover it, or delete it.",
  "late-skip": "Move the rule before what it is to skip.",
  "invalid-expression": "Correct the expression; `rules explain` shows where it fails.",
  "not-executed": "Execute the ruleset in the entry point of its phase, or delete it.",
  quota: "Join rules, use lists, or order more rules before the quota is used up.",
  "unused-list": "Delete the list, or use it in a rule.",
  "list-of-everything": "Remove items until the list names only those that it is for.",
  "wide-item": "Replace the item with the networks that it is for.",
  "expired-item": "Remove the item, or give it a new date.",
};
