import { fleetCommand } from "../../../fleet/command-line.js";
import { PLAN_AGAIN, STATUSES, statusOf, type FleetStatus, type NextStep } from "../../../fleet/status.js";
import { gateWords } from "../../../fleet/gates.js";
import type { FleetRecords, GateResult, ShardResult } from "../../../fleet/results.js";
import type { FleetPlan } from "../../../fleet/plan.js";
import { formatNumber, joinNames, plural } from "../../../../core/model/words.js";
import { plainTable } from "../../table.js";
import { wrapText } from "../../wrap.js";
import { isUnfinished, whyHeld } from "../claim.js";
import { noteChanges, planFolder, type FleetContext, type FleetOptions } from "../context.js";

export interface StatusOptions extends FleetOptions {
  /** Only list the shards of this wave, as JSON on one line. */
  readonly shards?: string;
}

/** Prints how far a rollout is, and returns the exit code: 0 finished or under way, 2 stopped. */
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
  const status = statusOf(plan, records, options.plan);
  print(
    options.json === true
      ? JSON.stringify(valueOf(status, records), undefined, 2)
      : renderStatus(status, { plan, records, columns, folder: options.plan }),
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
  /** Where the plan is. */
  readonly folder: string;
  readonly columns: number | undefined;
}

function renderStatus({ waves, next }: FleetStatus, { plan, records, folder, columns }: Course): string {
  const { results, gates, approvals } = records;
  // No column for what does not happen on most days.
  const shown = STATUSES.filter((one) => one !== "rolling back" || waves.some(({ shards }) => shards[one].length > 0));
  const rows = waves.map(({ wave, state, zones, shards }) => [
    wave,
    state,
    formatNumber(zones),
    ...shown.map((one) => String(shards[one].length)),
  ]);
  const asked = new Set(
    plan.waves.flatMap((wave) => wave.gates.filter(({ kind }) => kind === "approval").map(gateWords)),
  );
  const held = [...gates.values()].flatMap((result) =>
    result.gates.flatMap(({ gate, verdict, words }) => {
      if (verdict === "passed") return [];
      const approval = asked.has(gate) ? approvals.get(result.wave) : undefined;
      const now = approval === undefined ? words : `approved by ${approval.by} since it was asked`;
      return [`gate of ${result.wave} at ${result.checkedAt}, ${gate}: ${now}`];
    }),
  );
  return [
    plainTable(
      {
        head: ["wave", "state", "zones", ...shown],
        rows,
      },
      columns,
    ),
    ...[...results.values()].flatMap(troubleOf),
    ...held,
    wrapText(nextWords(next, { plan, records, folder }), columns),
  ].join("\n\n");
}

/** What somebody has to know about a shard; empty if there is nothing. */
function troubleOf(result: ShardResult): string[] {
  const { id, state, startedAt, message = "", left = [] } = result;
  if (isUnfinished(result)) {
    const held = whyHeld(result.process, {});
    return [`${id} ${state} since ${startedAt}: ${held ?? "its process is gone; run it again"}`];
  }
  return state === "failed" || state === "moved" || left.length > 0 ? [`${id} ${state}: ${message}`] : [];
}

/** What comes next, and what to do for it. */
export function nextWords(next: NextStep, { plan, records, folder }: Omit<Course, "columns">): string {
  const command = (words: string): string => `\`${fleetCommand(words, folder)}\``;
  switch (next.kind) {
    case "run":
      return `Next: ${plural(next.shards.length, "shard")} of the wave ${next.wave} (${joinNames(next.shards)}).\nTo continue: ${command("resume")}`;
    case "gate":
      return `Next: the gates of the wave ${next.wave}.\nTo continue: ${command("resume")} checks them`;
    case "stopped":
      return `Stopped: ${next.why}.\nTo continue: ${next.toContinue}`;
    case "finished": {
      const missed = plan.shards.filter(({ id }) => records.results.get(id)?.state !== "done");
      if (missed.length === 0) return `Finished: all ${String(plan.shards.length)} shards.`;
      const zones = missed.reduce((sum, shard) => sum + shard.zones, 0);
      return (
        `Finished: ${String(plan.shards.length - missed.length)} of ${String(plan.shards.length)} shards. Not rolled out: ` +
        `${plural(zones, "zone")} in ${joinNames(missed.map(({ id, zones: count }) => `${id} (${String(count)})`))}.\n` +
        `To continue: look at them with ${command("status")}, and ${PLAN_AGAIN}`
      );
    }
  }
}
