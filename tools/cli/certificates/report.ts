import type { ChainAssessment } from "../../../core/certificates/assessment.js";
import { hasNoAnswer } from "../../../core/model/unread.js";
import { plural } from "../../../core/model/words.js";
import type { ZoneFindings } from "./collect.js";
import { KIND_WORDS, shortName, VERDICT_WORDS, VERDICTS, type Verdict } from "./words.js";

/** One zone in the report: what was found, or why it could not be read. */
export interface ZoneEntry extends Partial<ZoneFindings> {
  readonly zoneId: string;
  readonly zoneName: string;
  /** Why the zone could not be read. */
  readonly failure?: string;
}

/** Everything a report shows. */
export interface Report {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly zones: readonly ZoneEntry[];
}

/** The number of certificates with a verdict, over all zones. */
function total({ zones }: Report, verdict: Verdict): number {
  return zones.reduce((sum, { counts }) => sum + (counts?.[verdict] ?? 0), 0);
}

/** `3 zones, as of 2024-09-10: 2 action needed, 10 not affected.` */
export function summary(report: Report): string {
  const parts = VERDICTS.flatMap((verdict) => {
    const number = total(report, verdict);
    return number === 0 ? [] : [`${String(number)} ${VERDICT_WORDS[verdict]}`];
  });
  const unread = report.zones.filter(({ failure }) => failure !== undefined).length;
  const failed = unread === 0 ? "" : ` (${String(unread)} could not be read)`;
  const head = `${plural(report.zones.length, "zone")}${failed}, as of ${report.date}`;
  if (unread === report.zones.length) return `${head}.`;
  const isPartial = unread > 0 || report.zones.some((one) => (one.unread ?? []).length > 0);
  const found = parts.length === 0 ? "no certificates" : parts.join(", ");
  return `${head}: ${found}${isPartial ? " in what could be read" : ""}.`;
}

/** A finding with its zone. */
export interface Row {
  readonly zoneName: string;
  readonly entry: ChainAssessment;
}

/** The findings of all zones, the most urgent first. */
export function rowsOf({ zones }: Report): Row[] {
  const rows = zones.flatMap(({ zoneName, entries = [] }) => entries.map((entry): Row => ({ zoneName, entry })));
  const rank = ({ entry }: Row): number => VERDICTS.indexOf(entry.verdict);
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

/** Those that are not affected, one line each; of many, only the first. */
export function unaffectedLines({ zones }: Report): string[] {
  const all = zones.flatMap(({ zoneName, unaffected = [] }) =>
    unaffected.map(({ kind, name, what }) => `${zoneName}: ${KIND_WORDS[kind]}: ${shortName(name)}: ${what}`),
  );
  const more = all.length - MAX_UNAFFECTED;
  return more <= 0 ? all : [...all.slice(0, MAX_UNAFFECTED), `${String(more)} more, which --json lists`];
}
const MAX_UNAFFECTED = 20;

/** Everything that could not be read, one line each. */
export function failureLines({ zones }: Report): string[] {
  return zones.flatMap(({ zoneName, failure, unread = [] }) => [
    ...(failure === undefined ? [] : [`${zoneName}: ${failure}`]),
    ...unread.map(({ what, reason }) => `${zoneName}: not read, ${what}: ${reason}`),
  ]);
}

/** 0 when no action is needed, 2 when action is needed, 3 when a zone or a part could not be read. */
export function exitCodeOf(report: Report, allowForbidden = false): 0 | 2 | 3 {
  const hasNone = ({ failure, unread = [] }: ZoneEntry): boolean =>
    failure !== undefined || hasNoAnswer(unread, { allowForbidden });
  if (report.zones.some(hasNone)) return 3;
  return total(report, "act") > 0 ? 2 : 0;
}
