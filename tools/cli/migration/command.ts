import type { Client, Zone } from "../../../client/index.js";
import { observeZone, observeZoneBriefly, readStatus } from "../../../provider/kinds/waf-migration/observe.js";
import { phaseOf } from "../../../core/previous-waf/phase.js";
import { columnsFor, writeOutput } from "../write-output.js";
import { readEach, checkZonesOptions, requireZones, selectZones, type ZonesOptions } from "../zones.js";
import type { ZonesOutput } from "../context.js";
import type { Progress } from "../progress.js";
import {
  checkView,
  entriesOf,
  exitCodeOf,
  planView,
  render,
  type Command,
  type Format,
  type ZoneEntry,
} from "./views.js";

export interface MigrationOptions extends ZonesOptions {
  readonly markdown?: boolean;
}

/** Reads every zone, writes the answer, and returns the exit code. */
export async function runMigration(
  command: Command,
  options: MigrationOptions,
  connect: () => Client,
  io: ZonesOutput,
): Promise<number> {
  const parallel = checkZonesOptions(options, ["json", "markdown"]);
  requireZones(options);
  const client = connect();
  const { zones, failures } = await selectZones(options, client);
  const entries = [
    ...(await readAll(command, client, zones, parallel, io.progress)),
    ...entriesOf<never>(failures, (value) => value),
  ];
  const format: Format = options.json === true ? "json" : options.markdown === true ? "markdown" : "table";
  writeOutput(render({ command, format, entries, columns: columnsFor(options, io.columns) }), options, io.print);
  return exitCodeOf(entries);
}

async function readAll(
  command: Command,
  client: Client,
  zones: readonly Zone[],
  parallel: number,
  progress: Progress,
): Promise<ZoneEntry[]> {
  const each = <T>(one: (zone: Zone) => Promise<T>) => readEach(zones, { parallel, progress, read: one });
  switch (command) {
    case "status":
      return entriesOf(await each(({ id }) => readStatus(client, id)), (status) => ({
        ...status,
        phase: phaseOf(status),
      }));
    case "check":
      return entriesOf(await each((zone) => observeZoneBriefly(client, zone)), checkView);
    case "plan":
      return entriesOf(await each((zone) => observeZone(client, zone.id, zone)), planView);
  }
}
