import type { ChainAssessment } from "../../../core/certificates/assessment.js";
import { hasNoAnswer } from "../../../core/model/unread.js";
import { plural } from "../../../core/model/words.js";
import type { Acknowledgement } from "./acknowledgements.js";
import type { UnreadPart, ZoneFindings } from "./collect.js";
import { COUNT_WORDS, COUNTS, KIND_WORDS, shortName, type Count } from "./words.js";

/** A finding, and its acknowledgement if it has one. */
interface Entry extends ChainAssessment {
  readonly acknowledged?: Pick<Acknowledgement, "reason" | "until">;
}

/** One zone in the report. */
interface ZoneEntry {
  readonly zoneId: string;
  readonly zoneName: string;
  /** The number of certificates per verdict; acknowledged ones are counted separately. */
  readonly counts?: Readonly<Record<Count, number>>;
  /** The affected certificates. */
  readonly entries?: readonly Entry[];
  readonly unaffected?: readonly ChainAssessment[];
  /** Parts that could not be read, and why. */
  readonly unread?: readonly UnreadPart[];
  /** Why the zone could not be read. */
  readonly failure?: string;
}

/** An acknowledgement that no longer has any effect, and why. */
interface StaleAcknowledgement {
  readonly finding: string;
  readonly why: string;
}

/** Everything a report shows. */
export interface Report {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly zones: readonly ZoneEntry[];
  readonly staleAcknowledgements: readonly StaleAcknowledgement[];
}

/** The result for one zone: the findings, or why it could not be read. */
export type ZoneOutcome = Pick<ZoneEntry, "zoneId" | "zoneName"> & (ZoneFindings | { readonly failure: string });

/** The report on zones, with acknowledged findings counted separately. */
export function reportOn(
  date: string,
  outcomes: readonly ZoneOutcome[],
  acknowledgements: readonly Acknowledgement[],
): Report {
  const valid = new Map(
    acknowledgements.filter(({ until }) => until === undefined || until >= date).map((item) => [item.finding, item]),
  );
  return {
    date,
    zones: outcomes.map((outcome) => ("failure" in outcome ? outcome : withAcknowledgements(outcome, valid))),
    staleAcknowledgements: findStale(acknowledgements, outcomes, date),
  };
}

function withAcknowledgements(
  { counts, entries, ...zone }: ZoneOutcome & ZoneFindings,
  valid: ReadonlyMap<string, Acknowledgement>,
): ZoneEntry {
  const all = entries.map((entry): Entry => {
    const found = valid.get(entry.key);
    if (found === undefined) return entry;
    const { reason, until } = found;
    return { ...entry, acknowledged: { reason, ...(until === undefined ? {} : { until }) } };
  });
  const accepted = all.filter(({ acknowledged }) => acknowledged !== undefined);
  const left = { ...counts, acknowledged: accepted.length };
  for (const { verdict } of accepted) left[verdict] -= 1;
  return { ...zone, counts: left, entries: all };
}

/** Acknowledgements that have expired or whose finding no longer exists. Zones that were not read prove nothing. */
function findStale(
  acknowledgements: readonly Acknowledgement[],
  outcomes: readonly ZoneOutcome[],
  date: string,
): StaleAcknowledgement[] {
  const read = outcomes.flatMap((outcome) => ("failure" in outcome || outcome.unread.length > 0 ? [] : [outcome]));
  const keys = new Set(
    outcomes.flatMap((outcome) => ("failure" in outcome ? [] : outcome.entries.map(({ key }) => key))),
  );
  const zones = new Set(read.map(({ zoneId }) => zoneId));
  return acknowledgements.flatMap(({ finding, until }) => {
    if (keys.has(finding))
      return until === undefined || until >= date
        ? []
        : [{ finding, why: `it was valid until ${until}, so the finding counts again` }];
    const isRead = zones.has(finding.split("/")[1] ?? "");
    return isRead ? [{ finding, why: "there is no such finding in the zone; remove the entry" }] : [];
  });
}

/** The number of certificates with a verdict, over all zones. */
export function total({ zones }: Report, count: Count): number {
  return zones.reduce((sum, { counts }) => sum + (counts?.[count] ?? 0), 0);
}

/** `3 zones, as of 2024-09-10: 2 action needed, 1 acknowledged, 10 not affected.` */
export function summary(report: Report): string {
  const parts = COUNTS.flatMap((count) => {
    const number = total(report, count);
    return number === 0 ? [] : [`${String(number)} ${COUNT_WORDS[count]}`];
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
  readonly entry: Entry;
}

/** What a finding counts as. */
export function countOf({ verdict, acknowledged }: Entry): Count {
  return acknowledged === undefined ? verdict : "acknowledged";
}

/** The findings of all zones, the most urgent first. */
export function rowsOf({ zones }: Report): Row[] {
  const rows = zones.flatMap(({ zoneName, entries = [] }) => entries.map((entry): Row => ({ zoneName, entry })));
  const rank = ({ entry }: Row): number => COUNTS.indexOf(countOf(entry));
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

/** Why a finding is acknowledged, and until when. */
export function acknowledgedText({ reason, until }: NonNullable<Entry["acknowledged"]>): string {
  return until === undefined ? reason : `${reason} (until ${until})`;
}

/** Unused acknowledgements, one line each. */
export function staleLines({ staleAcknowledgements }: Report): string[] {
  return staleAcknowledgements.map(({ finding, why }) => `${finding}: ${why}`);
}

/** Everything that could not be read, one line each. */
export function failureLines({ zones }: Report): string[] {
  return zones.flatMap(({ zoneName, failure, unread = [] }) => [
    ...(failure === undefined ? [] : [`${zoneName}: ${failure}`]),
    ...unread.map(({ what, reason }) => `${zoneName}: not read, ${what}: ${reason}`),
  ]);
}

/** 0 when no action is needed or all of it is acknowledged, 2 when action is needed, 3 when a zone or a part could not be read. */
export function exitCodeOf(report: Report, allowForbidden = false): 0 | 2 | 3 {
  const hasNone = ({ failure, unread = [] }: ZoneEntry): boolean =>
    failure !== undefined || hasNoAnswer(unread, { allowForbidden });
  if (report.zones.some(hasNone)) return 3;
  return total(report, "act") > 0 ? 2 : 0;
}
