import { escaped } from "../../page/page.js";
import { phaseWords } from "../../../audit/phases.js";
import { STATES, type Cell, type Report, type State, type ZoneEntry } from "../../../audit/report.js";
import { anchorOf, type FindingGroup } from "./finding-groups.js";
import { cellWords, legend, STATE_LABELS } from "./labels.js";

/** Zones per block of the picture, so that blocks fit next to each other on a wide page. */
const ROWS = 25;
/** Up to this many zones, the cells have room for words. */
const MAX_ROOMY_ZONES = 12;

/** Coverage at a glance: a summary bar for each phase, and a cell for each zone and phase. */
export function picture(report: Report, groups: readonly FindingGroup[]): string {
  const { zones, phases } = report;
  const sorted = zones.toSorted((a, b) => worstRank(a) - worstRank(b) || (a.zoneName < b.zoneName ? -1 : 1));
  const blocks = Array.from({ length: Math.ceil(sorted.length / ROWS) }, (_, index) =>
    blockHtml(sorted.slice(index * ROWS, (index + 1) * ROWS), phases, groups),
  );
  const bars = zones.length > 1 ? summaryBars(report) : "";
  return `${legendList(report)}\n${bars}<div class="picture ${zones.length > MAX_ROOMY_ZONES ? "many" : "few"}">\n${blocks.join("\n")}\n</div>`;
}

/** Sorts the zone with the worst cell first. */
function worstRank({ coverage, failure }: ZoneEntry): number {
  if (failure !== undefined) return -1;
  const ranks = coverage.map(({ state }) => STATES.indexOf(state));
  return Math.min(STATES.length, ...ranks) * 100 + ranks.reduce((sum, rank) => sum + rank, 0) / 100;
}

function legendList(report: Report): string {
  const items = legend(report).map((state) => {
    const { words, meaning } = STATE_LABELS[state];
    return `<li>${signHtml(state)} <b>${words}</b> ${meaning}</li>`;
  });
  return `<ul class="legend" aria-label="Legend">${items.join("")}</ul>`;
}

/** Hidden from screen readers: the words are next to it. */
function signHtml(state: State): string {
  return `<span class="sign ${state}" aria-hidden="true">${STATE_LABELS[state].sign}</span>`;
}

function blockHtml(zones: readonly ZoneEntry[], phases: readonly string[], groups: readonly FindingGroup[]): string {
  const heads = phases.map((phase) => `<th scope="col"><span class="head">${escaped(phaseWords(phase))}</span></th>`);
  const rows = zones.map(({ zoneId, zoneName, coverage }) => {
    const cells = phases.map((phase) => {
      const cell = coverage.find((one) => one.phase === phase);
      return cellHtml(zoneName, phase, cell, cell === undefined ? undefined : anchorOf(groups, zoneId, cell));
    });
    return `<tr><th scope="row" title="${escaped(zoneName)}">${escaped(zoneName)}</th>${cells.join("")}</tr>`;
  });
  return `<table aria-label="Coverage of zones by phase">
<thead><tr><th scope="col">Zone</th>${heads.join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

/** A cell, which links to its most severe finding. */
function cellHtml(zone: string, phase: string, cell: Cell | undefined, anchor: string | undefined): string {
  const words = cell === undefined ? "not read" : cellWords(cell);
  const content = `${signHtml(cell?.state ?? "unknown")}<span class="words">${escaped(words)}</span>`;
  const title = `${zone}, ${phaseWords(phase)}: ${words}`;
  return `<td title="${escaped(title)}" data-label="${escaped(phaseWords(phase))}">${anchor === undefined ? content : `<a href="#${anchor}">${content}</a>`}</td>`;
}

interface Segment {
  readonly state: State;
  readonly zones: number;
}

/** The number of zones per state, the best state first. */
function segmentsOf({ zones }: Report, phase: string): Segment[] {
  const states = zones.map(({ coverage }) => coverage.find((cell) => cell.phase === phase)?.state ?? "unknown");
  return STATES.toReversed().flatMap((state) => {
    const number = states.filter((one) => one === state).length;
    return number === 0 ? [] : [{ state, zones: number }];
  });
}

/** A bar for each phase, with its numbers beside it. */
function summaryBars(report: Report): string {
  const total = report.zones.length;
  const bars = report.phases.map((phase) => {
    const segments = segmentsOf(report, phase);
    const words = segments.map(({ state, zones }) => `${String(zones)} ${STATE_LABELS[state].words}`);
    let x = 0;
    const shown = segments.map(({ state, zones }) => {
      x += zones;
      return `<rect class="${state}" x="${String(x - zones)}" width="${String(zones)}" height="1"/>`;
    });
    const bar = `<svg viewBox="0 0 ${String(total)} 1" preserveAspectRatio="none" aria-hidden="true">${shown.join("")}</svg>`;
    return `<dt>${escaped(phaseWords(phase))}</dt><dd>${bar}</dd><dd>${words.join(", ")}</dd>`;
  });
  return `<dl class="bars">${bars.join("\n")}</dl>\n`;
}
