import type { Client } from "../../provider/client/index.js";
import { askEach, checkFleet, deliver, findZones, type FleetOptions, type Progress } from "../fleet.js";
import { collect } from "./collect.js";
import { render, type Format } from "./render.js";
import { exitCodeOf, type Report, type ZoneEntry } from "./report.js";

/** What the report is told. */
export interface ReportOptions extends FleetOptions {
  readonly html?: boolean;
  /** `YYYY-MM-DD`, in UTC. @default today */
  readonly date?: string;
}

/** Assesses every zone, writes the report, and returns the exit code. */
export async function runCertificateReport(
  options: ReportOptions,
  client: Client,
  io: { readonly print: (line: string) => void; readonly progress: Progress },
): Promise<number> {
  const parallel = checkFleet(options, ["json", "markdown", "html"]);
  const date = options.date ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    throw new Error(`--date ${date} is no day; write it as 2024-09-30`);
  const at = new Date(`${date}T00:00:00Z`);
  const { zones, failures } = await findZones(client, options.zone ?? [], options.account ?? []);
  const results = await askEach(zones, parallel, io.progress, (zone) => collect(client, zone, at));
  const entries = [...results, ...failures].map((result): ZoneEntry => {
    const { id, name } = result.zone;
    const told = "value" in result ? result.value : { failure: result.failure };
    return { zoneId: id, zoneName: name, ...told };
  });
  const report: Report = { date, zones: entries };
  deliver(render(report, formatOf(options)), options, io.print);
  return exitCodeOf(report);
}

function formatOf({ json, markdown, html }: ReportOptions): Format {
  return json === true ? "json" : markdown === true ? "markdown" : html === true ? "html" : "table";
}
