import type { Client } from "../../../client/index.js";
import { columnsFor, writeOutput } from "../write-output.js";
import { readEach, checkZonesOptions, requireZones, selectZones, type ZonesOptions } from "../zones.js";
import type { ZonesOutput } from "../context.js";
import { audit } from "../../audit/audit.js";
import type { Report } from "../../audit/report.js";
import { FactsReader } from "../read-facts.js";
import { isAtLeast, type Severity } from "../../../core/language/index.js";
import { pick } from "../../../core/model/json.js";
import { hasNoAnswer } from "../../../core/model/unread.js";
import { readStyle } from "../page/read.js";
import { renderHtml } from "./render/html.js";
import { renderText } from "./render/render.js";

/** What fails the command. */
interface Gate {
  /** The lowest severity that does. */
  readonly failOn: Severity | "never";
  /** Whether parts that the credentials may not read do not. @default false */
  readonly allowForbidden?: boolean;
}

/** Options of the command. */
export interface ReportCommand extends ZonesOptions, Gate {
  readonly html?: boolean;
  /** @default 7 */
  readonly expiryWarningDays?: number;
}

interface ReportIo extends ZonesOutput {
  readonly now: () => number;
}

/** Reads zones and their accounts, reports what protects them and what weakens that protection, and returns the exit code. */
export async function runReport(
  options: ReportCommand,
  connect: () => Client,
  { print, columns, progress, now }: ReportIo,
): Promise<0 | 2 | 3> {
  const parallel = checkZonesOptions(options, ["json", "html"]);
  requireZones(options);
  const client = connect();
  const { zones, failures } = await selectZones(options, client);
  const reader = new FactsReader(client);
  const results = await readEach(zones, { parallel, progress, read: (zone) => reader.zone(zone) });
  const failed = results.flatMap((result) =>
    "failure" in result ? [{ id: result.zone.id, name: result.zone.name, failure: result.failure }] : [],
  );
  const facts = await reader.facts(results, { lists: true });
  const isWhole = options.zone === undefined && failed.length + failures.length === 0;
  const at = new Date(now());
  const createdAt = at.toISOString();
  const audited = audit({ facts, failed, isWhole, createdAt, ...pick(options, ["expiryWarningDays"]) });
  const report = {
    ...audited,
    unread: [...audited.unread, ...failures.map(({ label, failure }) => ({ what: label, reason: failure }))],
  };
  writeOutput(render(report, options, columns), options, print);
  return exitCodeOf(report, options);
}

function render(report: Report, options: ReportCommand, columns: number | undefined): string {
  if (options.json === true) return JSON.stringify(report, undefined, 2);
  return options.html === true ? renderHtml(report, readStyle()) : renderText(report, columnsFor(options, columns));
}

/**
 * 0 when no finding reaches the given severity, 2 when one does, 3 when a zone, or a part of it or of its account, could not be
 * read.
 */
function exitCodeOf(
  { zones, accounts, unread, findings }: Report,
  { failOn, allowForbidden = false }: Gate,
): 0 | 2 | 3 {
  const isUnread =
    zones.some(({ failure }) => failure !== undefined) ||
    [{ unread }, ...zones, ...accounts].some((one) => hasNoAnswer(one.unread, { allowForbidden }));
  if (isUnread) return 3;
  return findings.some((one) => isAtLeast(one, failOn)) ? 2 : 0;
}
