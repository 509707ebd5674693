import { formatNumber, plural } from "../../../../../core/model/words.js";
import { estimateWords, type Estimate } from "../../traffic/estimate.js";
import type { AnalyticsChange, AnalyticsReplay, Counted } from "../../traffic/replay.js";

/** What the command shows. */
export interface AnalyticsReport extends AnalyticsReplay {
  readonly zone: string;
  /** RFC 3339, UTC. */
  readonly from: string;
  readonly until: string;
  /** All requests of the period. */
  readonly all: Estimate;
  /** How often rules acted, as the service counted it: `block by "Block admin"`. */
  readonly events: readonly Counted[];
  readonly notes: readonly string[];
  readonly queries: number;
}

export function renderAnalytics(report: AnalyticsReport): string {
  const { zone, from, until, all, requests, outcomes, changes, unknown, unread, events, notes, queries } = report;
  const changed = changes.length === 0 ? "none is treated differently" : `${plural(changes.length, "kind")} of change`;
  const width = Math.max(7, ...outcomes.map(({ outcome }) => outcome.length));
  const part =
    requests.count < all.count ? ` The answer has ${numberWords(requests)} of them; the others are not covered.` : "";
  return [
    `${numberWords(all)} requests to ${zone} from ${from} to ${until}: ${changed}.${part}`,
    "",
    `${"outcome".padEnd(width)}  before → after`,
    ...outcomes.map(
      ({ outcome, before, after }) => `${outcome.padEnd(width)}  ${numberWords(before)} → ${numberWords(after)}`,
    ),
    ...changes.flatMap(changeLines),
    ...list("Unknown, because:", unknown),
    ...list("What rules did, as the service counted it:", events),
    ...(unread.count === 0 ? [] : ["", `${numberWords(unread)} requests could not be read.`]),
    "",
    ...notes.map((note) => `Note: ${note}`),
    `Read with ${plural(queries, "request")} to the service's analytics.`,
  ].join("\n");
}

function changeLines({ from, to, direction, requests, countries, paths }: AnalyticsChange): readonly string[] {
  return [
    "",
    `${from} → ${to}: ${numberWords(requests)} requests${direction === "other" ? "" : ` (${direction})`}`,
    `  countries: ${countedWords(countries)}`,
    `  paths: ${countedWords(paths)}`,
  ];
}

function list(title: string, counted: readonly Counted[]): readonly string[] {
  return counted.length === 0
    ? []
    : ["", title, ...counted.map(({ name, requests }) => `  ${name}: ${numberWords(requests)}`)];
}

/** `de 1,200, fr 300`. */
function countedWords(counted: readonly Counted[]): string {
  return counted.map(({ name, requests }) => `${name} ${numberWords(requests)}`).join(", ");
}

/** A number of requests, exact or estimated. */
function numberWords(number: Estimate): string {
  return estimateWords(number, formatNumber);
}
