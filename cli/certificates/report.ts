import { VERDICT_WORDS, VERDICTS, type Verdict, type ZoneCertificateReport } from "./collect.js";

/** One zone in an answer. */
export interface ZoneEntry extends Partial<ZoneCertificateReport> {
  readonly zoneId: string;
  readonly zoneName: string;
  /** Why the zone could not be asked. */
  readonly failure?: string;
}

/** Everything a report shows. */
export interface Report {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly zones: readonly ZoneEntry[];
}

/** How many certificates of all zones have a verdict. */
export function total({ zones }: Report, verdict: Verdict): number {
  return zones.reduce((sum, { counts }) => sum + (counts?.[verdict] ?? 0), 0);
}

/** `3 zones on 2024-09-10: 12 certificates: 2 somebody must act, 10 not touched.` */
export function summary(report: Report): string {
  const counts = VERDICTS.map((verdict) => [total(report, verdict), VERDICT_WORDS[verdict]] as const);
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${String(count)} ${words}`);
  const zones = report.zones.length === 1 ? "1 zone" : `${String(report.zones.length)} zones`;
  return `${zones}, seen on ${report.date}: ${said.length === 0 ? "no certificates" : said.join(", ")}.`;
}

/** Everything that went wrong, a line each. */
export function troubles({ zones }: Report): string[] {
  return zones.flatMap(({ zoneName, failure, unread = [] }) => [
    ...(failure === undefined ? [] : [`${zoneName}: ${failure}`]),
    ...unread.map((line) => `${zoneName}: not read, ${line}`),
  ]);
}

/** 0 when nobody must act, 2 when somebody must, 3 when a zone could not be asked. */
export function exitCodeOf(report: Report): 0 | 2 | 3 {
  if (report.zones.some(({ failure }) => failure !== undefined)) return 3;
  return total(report, "act") > 0 ? 2 : 0;
}
