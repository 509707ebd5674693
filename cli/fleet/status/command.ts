import { statusOf, type FleetStatus, type NextStep } from "../../../fleet/status.js";
import type { FleetRecords, GateResult, ShardResult } from "../../../fleet/results.js";
import type { FleetPlan } from "../../../fleet/plan.js";
import { formatNumber } from "../../../provider/model/words.js";
import { plainTable } from "../../table.js";
import { noteChanges, planFolder, type FleetContext, type FleetOptions } from "../context.js";

export interface StatusOptions extends FleetOptions {
  /** Only list the shards of this wave, as JSON on one line. */
  readonly shards?: string;
}

/** Prints how far a roll-out is, and returns the exit code: 0 finished or under way, 2 stopped. */
export function runStatus(options: StatusOptions, context: FleetContext): 0 | 2 {
  const { print, columns } = context;
  const folder = planFolder(options);
  const plan = folder.plan();
  noteChanges(options, plan, context);
  if (options.shards !== undefined) {
    print(JSON.stringify(plan.shards.filter(({ wave }) => wave === options.shards).map(({ id }) => id)));
    return 0;
  }
  const records = folder.records();
  const status = statusOf(plan, records);
  print(
    options.json === true
      ? JSON.stringify(valueOf(status, records), undefined, 2)
      : renderStatus(status, { plan, records, columns }),
  );
  return status.next.kind === "stopped" ? 2 : 0;
}

/** With `--json`. */
export type StatusJson = FleetStatus & {
  readonly results: Readonly<Record<string, ShardResult>>;
  readonly gates: Readonly<Record<string, GateResult>>;
};

function valueOf(status: FleetStatus, { results, gates }: FleetRecords): StatusJson {
  return { ...status, results: Object.fromEntries(results), gates: Object.fromEntries(gates) };
}

interface Course {
  readonly plan: FleetPlan;
  readonly records: FleetRecords;
  readonly columns: number | undefined;
}

function renderStatus({ waves, next }: FleetStatus, { plan, records, columns }: Course): string {
  const { results, gates } = records;
  const rows = waves.map(({ wave, state, zones, shards }) => [
    wave,
    state,
    formatNumber(zones),
    ...(["waiting", "running", "done", "moved", "failed", "rolled back"] as const).map((one) =>
      String(shards[one].length),
    ),
  ]);
  const troubled = [...results.values()].filter(({ state }) => state === "failed" || state === "moved");
  const held = [...gates.values()].filter(({ verdict }) => verdict !== "passed");
  return [
    plainTable(
      {
        head: ["wave", "state", "zones", "waiting", "running", "done", "moved", "failed", "rolled back"],
        rows,
      },
      columns,
    ),
    ...troubled.map(({ id, state, message = "" }) => `${id} ${state}: ${message}`),
    ...held.flatMap(({ wave, gates: checked }) =>
      checked
        .filter(({ verdict }) => verdict !== "passed")
        .map(({ gate, words }) => `gate of ${wave}, ${gate}: ${words}`),
    ),
    nextWords(next, plan),
  ].join("\n\n");
}

/** What comes next, in a sentence. */
export function nextWords(next: NextStep, plan: FleetPlan): string {
  switch (next.kind) {
    case "run":
      return `Next: the shards ${next.shards.join(", ")} of the wave ${next.wave}.`;
    case "gate":
      return `Next: the gates of the wave ${next.wave}.`;
    case "stopped":
      return `Stopped: ${next.why}.\nTo continue: ${next.toContinue}.`;
    case "finished":
      return `Finished: all ${String(plan.shards.length)} shards.`;
  }
}
