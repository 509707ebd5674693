import type { Zone } from "../../../client/index.js";
import { typedRules } from "../../../core/previous-waf/adjust.js";
import { configDigest } from "../../../core/previous-waf/digest.js";
import {
  makeReport,
  findDroppedRules,
  unreadParts,
  type MigrationReport,
} from "../../../core/previous-waf/readiness/report.js";
import {
  generalMarkdown,
  generalText,
  zoneMarkdown,
  zoneText,
} from "../../../core/previous-waf/readiness/report-text.js";
import { obstaclesOf, stateDisagreement, type Survey } from "../../../core/previous-waf/survey.js";
import type { MigrationPhase, MigrationStatus, RetrievedConfig } from "../../../core/model/migration.js";
import { plural } from "../../../core/model/words.js";
import { ruleWords } from "../../../provider/ownership/rule-text.js";
import type { ZoneResult } from "../zones.js";
import { markdownTable } from "../markdown.js";
import { plainTable, type Rows } from "../table.js";

/** The output format. */
export type Format = "table" | "json" | "markdown";

/** One zone in the answer; parts that were not read are missing. */
export interface ZoneEntry extends Partial<MigrationStatus> {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly plan: string;
  readonly phase?: MigrationPhase;
  /** Whether the zone can be migrated now, or has been migrated. */
  readonly ready?: boolean;
  readonly obstacles?: readonly string[];
  /** Remarks that do not block the migration. */
  readonly notes?: readonly string[];
  readonly configDigest?: string;
  readonly config?: RetrievedConfig;
  readonly report?: MigrationReport;
  /** Parts of the previous WAF that could not be read, so that the report does not say what becomes of them. */
  readonly unread?: readonly string[];
  /** Why the zone could not be read. */
  readonly failure?: string;
}

function entry(zone: Zone, rest: Omit<ZoneEntry, "zoneId" | "zoneName" | "plan">): ZoneEntry {
  return { zoneId: zone.id, zoneName: zone.name, plan: zone.plan, ...rest };
}

/** One entry per zone, in the requested order. */
export function entriesOf<T>(
  results: readonly ZoneResult<T>[],
  view: (value: T) => Omit<ZoneEntry, "zoneId" | "zoneName" | "plan">,
): ZoneEntry[] {
  return results.map((result) =>
    "failure" in result ? entry(result.zone, { failure: result.failure }) : entry(result.zone, view(result.value)),
  );
}

/** A zone whose readiness was checked. */
export function checkView(survey: Survey): Omit<ZoneEntry, "zoneId" | "zoneName" | "plan"> {
  const obstacles = obstaclesOf(survey);
  const notes = stateDisagreement(survey);
  const own = { ...survey.status, phase: survey.phase, ready: obstacles.length === 0, obstacles };
  return notes.length === 0 ? own : { ...own, notes };
}

/** A zone with everything its migration would do. */
export function planView(survey: Survey): Omit<ZoneEntry, "zoneId" | "zoneName" | "plan"> {
  const { config } = survey;
  const result = config === undefined ? [] : typedRules(config);
  const lost = findDroppedRules(survey.entrypoint?.rules ?? [], result);
  const unread = unreadParts(survey);
  return {
    ...checkView(survey),
    ...(config === undefined ? {} : { configDigest: configDigest(config), config }),
    ...(unread.length === 0 ? {} : { unread }),
    report: makeReport(
      survey,
      result,
      lost.map((rule) => ruleWords(rule)),
    ),
  };
}

const COLUMNS: Readonly<Record<string, (item: ZoneEntry) => string>> = {
  Zone: ({ zoneName }) => zoneName,
  Plan: ({ plan }) => plan,
  Phase: ({ phase, failure }) => (failure === undefined ? (phase ?? "") : "not read"),
  State: ({ migrationState }) => migrationState ?? "",
  "Previous WAF": ({ previousWaf }) => previousWaf ?? "",
  "New WAF": ({ newWaf }) => newWaf ?? "",
  Ready: ({ ready, phase }) => (ready === undefined ? "" : phase === "finished" ? "migrated" : ready ? "yes" : "no"),
};

const COLUMNS_BY_COMMAND = {
  status: ["Zone", "Plan", "Phase", "State", "Previous WAF", "New WAF"],
  check: ["Zone", "Plan", "Phase", "Ready"],
  plan: ["Zone", "Plan", "Phase", "Ready"],
} as const;
export type Command = keyof typeof COLUMNS_BY_COMMAND;

function rowsOf(command: Command, entries: readonly ZoneEntry[]): Rows {
  const names = COLUMNS_BY_COMMAND[command];
  return { head: names, rows: entries.map((item) => names.map((name) => COLUMNS[name]?.(item) ?? "")) };
}

/** What blocks zones that have no report, remarks on them, and why some zones could not be read. */
function problems(entries: readonly ZoneEntry[]): string[] {
  return entries.flatMap(({ zoneName, obstacles = [], notes = [], failure, report }) => {
    const reasons = report === undefined ? [...obstacles, ...notes] : [];
    const lines = [...reasons, ...(failure === undefined ? [] : [failure])];
    return lines.length === 0
      ? []
      : [`${zoneName}:\n${lines.map((line) => `- ${line.replace(/\n/g, "\n  ")}`).join("\n")}`];
  });
}

interface Answer {
  readonly command: Command;
  readonly format: Format;
  readonly entries: readonly ZoneEntry[];
  readonly columns: number | undefined;
}

/** Renders the whole answer as text. */
export function render({ command, format, entries, columns }: Answer): string {
  if (format === "json") return JSON.stringify(entries, undefined, 2);
  const rows = rowsOf(command, entries);
  const table = format === "markdown" ? markdownTable(rows) : plainTable(rows, columns);
  const summary = summaryOf(entries);
  return [table, summary, ...problems(entries), ...reportsOf(entries, format)].join("\n\n");
}

/** The report of each zone, with the parts common to all zones printed once. */
function reportsOf(entries: readonly ZoneEntry[], format: Format): string[] {
  const [write, writeGeneral] = format === "markdown" ? [zoneMarkdown, generalMarkdown] : [zoneText, generalText];
  const known = entries.flatMap(({ report, configDigest }) => (report === undefined ? [] : [{ report, configDigest }]));
  const general = known.map(({ report }) => writeGeneral(report)).find((text) => text !== "");
  return [
    ...known.map(({ report, configDigest: digest }) => write(report, digest)),
    ...(general === undefined ? [] : [general]),
  ];
}

/** `200 zones: 180 ready, 15 migrated, 3 not ready, 2 could not be read`. */
function summaryOf(entries: readonly ZoneEntry[]): string {
  const count = (test: (item: ZoneEntry) => boolean): number => entries.filter(test).length;
  const counts: [number, string][] = [
    [count(({ phase, ready }) => ready === true && phase !== "finished"), "ready"],
    [count(({ phase }) => phase === "finished"), "migrated"],
    [count(({ ready }) => ready === false), "not ready"],
    [count(({ failure }) => failure !== undefined), "could not be read"],
    [count(({ unread = [] }) => unread.length > 0), "could not be read completely"],
  ];
  const parts = counts.filter(([number]) => number > 0).map(([number, what]) => `${String(number)} ${what}`);
  const total = plural(entries.length, "zone");
  return parts.length === 0 ? `${total}.` : `${total}: ${parts.join(", ")}.`;
}

/** 0 when every zone is ready or migrated, 2 when one is not ready, 3 when one, or a part of it, could not be read. */
export function exitCodeOf(entries: readonly ZoneEntry[]): 0 | 2 | 3 {
  if (entries.some(({ failure, unread = [] }) => failure !== undefined || unread.length > 0)) return 3;
  return entries.some(({ ready }) => ready === false) ? 2 : 0;
}
