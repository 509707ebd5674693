import type { ResolveCaa } from "../../../core/certificates/authorities.js";
import type { Client } from "../../../client/index.js";
import { columnsFor, writeOutput } from "../write-output.js";
import { readEach, checkZonesOptions, requireZones, selectZones, type ZonesOptions } from "../zones.js";
import type { ZonesOutput } from "../context.js";
import { collectFindings } from "./collect.js";
import { dayOf, isDay } from "../../../core/model/day.js";
import { renderText } from "./render.js";
import { exitCodeOf, type Report, type ZoneEntry } from "./report.js";

/** Options of the report. */
export interface ReportOptions extends ZonesOptions {
  /** `YYYY-MM-DD`, in UTC. @default today */
  readonly date?: string;
  /** Pass although parts are excluded by the plan or the credentials. */
  readonly allowForbidden?: boolean;
  /** IP address of the DNS server that looks up CAA records. @default that of the environment, or the machine's own */
  readonly dnsServer?: string;
}

/** Assesses every zone, writes the report, and returns the exit code. */
export async function runCertificateReport(
  options: ReportOptions,
  connect: () => Client,
  io: ZonesOutput & { readonly resolveCaa: ResolveCaa },
): Promise<number> {
  const parallel = checkZonesOptions(options, []);
  const date = options.date ?? dayOf(new Date());
  if (!isDay(date)) throw new Error(`--date must be a day such as 2024-09-30, not ${JSON.stringify(date)}`);
  const at = new Date(`${date}T00:00:00Z`);
  requireZones(options);
  const client = connect();
  const { zones, failures } = await selectZones(options, client);
  const results = await readEach(zones, {
    parallel,
    progress: io.progress,
    read: (zone) => collectFindings({ client, resolveCaa: io.resolveCaa }, zone, at),
  });
  const outcomes = [...results, ...failures].map((result): ZoneEntry => {
    const zone = { zoneId: result.zone.id, zoneName: result.zone.name };
    return "value" in result ? { ...zone, ...result.value } : { ...zone, failure: result.failure };
  });
  const report: Report = { date, zones: outcomes };
  const text =
    options.json === true ? JSON.stringify(report, undefined, 2) : renderText(report, columnsFor(options, io.columns));
  writeOutput(text, options, io.print);
  return exitCodeOf(report, options.allowForbidden);
}
