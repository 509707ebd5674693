import { joinNames, plural } from "../../core/model/words.js";
import { DEFAULT_FOLDER, fleetCommand } from "./command-line.js";
import type { Amount } from "./definition.js";
import type { FleetPlan, PlanEntry } from "./plan.js";
import { SHARD_STATES, type FleetRecords, type ShardState } from "./results.js";

/** `waiting`: nothing has run it yet. */
type ShardStatus = "waiting" | ShardState;

interface WaveStatus {
  readonly wave: string;
  /** `done`: every shard has ended, and the gates have not passed yet. */
  readonly state: "waiting" | "running" | "done" | "passed" | "rolling back" | "rolled back";
  readonly zones: number;
  /** IDs of its shards by their status. */
  readonly shards: Readonly<Record<ShardStatus, readonly string[]>>;
}

/** What comes next. */
export type NextStep =
  | { readonly kind: "run"; readonly wave: string; readonly shards: readonly string[] }
  | { readonly kind: "gate"; readonly wave: string }
  | ({ readonly kind: "stopped" } & WhyStopped)
  | { readonly kind: "finished" };

interface WhyStopped {
  readonly why: string;
  /** What somebody can do. */
  readonly toContinue: string;
}

export interface FleetStatus {
  readonly waves: readonly WaveStatus[];
  readonly next: NextStep;
}

export const STATUSES = ["waiting", ...SHARD_STATES] as const;
/** A shard that was run to its end, whatever the end was. */
const ENDED: readonly ShardStatus[] = ["done", "moved", "failed", "rolled back"];

/** What helps when the plan does not fit any more. Its folder is needed for a rollback. */
export const PLAN_AGAIN = "plan again into a new folder: `fleet plan --plan <folder>`";

/**
 * How far a rollout is, from what its runs have left behind.
 * @param folder of the plan, for the commands that it names
 */
export function statusOf(plan: FleetPlan, records: FleetRecords, folder = DEFAULT_FOLDER): FleetStatus {
  const waves = plan.waves.map(({ name }): WaveStatus => {
    const members = plan.shards.filter(({ wave }) => wave === name);
    const status = (entry: PlanEntry): ShardStatus => records.results.get(entry.id)?.state ?? "waiting";
    const shards = Object.fromEntries(
      STATUSES.map((one) => [one, members.filter((entry) => status(entry) === one).map(({ id }) => id)]),
    ) as Record<ShardStatus, string[]>;
    return {
      wave: name,
      state: stateOf(members.map(status), records.gates.get(name)?.verdict === "passed"),
      zones: members.reduce((count, { zones }) => count + zones, 0),
      shards,
    };
  });
  return { waves, next: nextStep({ plan, records, waves, folder }) };
}

function stateOf(shards: readonly ShardStatus[], hasPassed: boolean): WaveStatus["state"] {
  for (const back of ["rolling back", "rolled back"] as const) if (shards.includes(back)) return back;
  if (shards.every((status) => ENDED.includes(status))) return hasPassed || shards.length === 0 ? "passed" : "done";
  return shards.every((status) => status === "waiting") ? "waiting" : "running";
}

interface Course {
  readonly plan: FleetPlan;
  readonly records: FleetRecords;
  readonly waves: readonly WaveStatus[];
  readonly folder: string;
}

function nextStep(course: Course): NextStep {
  const { plan, waves } = course;
  const stopped = whyStopped(course);
  if (stopped !== undefined) return { kind: "stopped", ...stopped };
  for (const { wave, state, shards } of waves) {
    if (state === "passed") continue;
    if (state === "done") return { kind: "gate", wave };
    const left = [...shards.running, ...shards.waiting];
    const unplanned = new Set(plan.shards.filter((entry) => entry.unplanned).map(({ id }) => id));
    const ready = left.filter((id) => !unplanned.has(id));
    if (ready.length > 0) return { kind: "run", wave, shards: ready };
    const why = `${joinNames(left)} of the wave ${wave} could not be planned`;
    return { kind: "stopped", why, toContinue: `remove the cause, and ${PLAN_AGAIN}` };
  }
  return { kind: "finished" };
}

/** Why no further shard may start. */
function whyStopped({ plan, records, waves, folder }: Course): WhyStopped | undefined {
  const { stop, gates } = records;
  const command = (words: string): string => `\`${fleetCommand(words, folder)}\``;
  if (stop !== undefined)
    return { why: `it was stopped at ${stop.at}: ${stop.reason}`, toContinue: `${command("resume")} removes the stop` };
  const back = waves.find(({ state }) => isRolledBack(state));
  if (back !== undefined) {
    const half = back.shards["rolling back"];
    return half.length > 0
      ? {
          why: `the wave ${back.wave} is being rolled back, or a rollback of it did not end (${joinNames(half)})`,
          toContinue: `${command(`rollback ${back.wave} --yes`)} ends it`,
        }
      : {
          why:
            (restoredNothing(back.wave, plan, records)
              ? `the rollback of the wave ${back.wave} restored nothing`
              : `the wave ${back.wave} was rolled back`) + stillOut(waves, records),
          toContinue: `fix the program, and ${PLAN_AGAIN}`,
        };
  }
  const count = (status: ShardStatus): readonly string[] => waves.flatMap(({ shards }) => shards[status]);
  for (const status of ["failed", "moved"] as const) {
    const shards = count(status);
    const allowed = amountOf(plan.failures[status], plan.shards.length);
    if (shards.length > allowed)
      return {
        why:
          `${plural(shards.length, "shard")} ${status === "failed" ? "failed" : "had a zone that moved"} (${joinNames(shards)}), ` +
          `and ${allowed === 0 ? "none" : String(allowed)} may`,
        toContinue: status === "failed" ? `${command("resume")} reruns what failed` : PLAN_AGAIN,
      };
  }
  const [refused] = refusedIn(waves, gates);
  return refused === undefined
    ? undefined
    : {
        why: `a gate of the wave ${refused} does not hold`,
        toContinue: `${command("resume")} checks it again; ${command(`rollback ${refused}`)} goes back`,
      };
}

/** Whether a wave was rolled back, or is being rolled back. */
export function isRolledBack(state: WaveStatus["state"] | undefined): boolean {
  return state === "rolled back" || state === "rolling back";
}

/** Whether rollbacks of a wave have ended without restoring anything. */
export function restoredNothing(
  wave: string,
  { shards }: Pick<FleetPlan, "shards">,
  { results }: FleetRecords,
): boolean {
  const own = shards.flatMap((shard) => (shard.wave === wave ? (results.get(shard.id) ?? []) : []));
  return own.every(({ state, restored }) => state !== "rolled back" || restored === 0);
}

/** What a rollback has not touched. */
function stillOut(waves: readonly WaveStatus[], { results }: FleetRecords): string {
  const isOut = (id: string): boolean => (results.get(id)?.left ?? []).length > 0;
  const out = waves
    .filter(({ shards }) => shards.done.length > 0 || shards["rolled back"].some(isOut))
    .map(({ wave }) => wave);
  return out.length === 0 ? "" : `; what the plan changed in ${joinNames(out)} is still there`;
}

/** The waves with a gate that does not hold. */
export function refusedWaves(plan: FleetPlan, records: FleetRecords): readonly string[] {
  return refusedIn(statusOf(plan, records).waves, records.gates);
}

function refusedIn(waves: readonly WaveStatus[], gates: FleetRecords["gates"]): readonly string[] {
  return waves.flatMap(({ wave, state }) => (state === "done" && gates.get(wave)?.verdict === "no" ? [wave] : []));
}

function amountOf(amount: Amount, shards: number): number {
  return "shards" in amount ? amount.shards : Math.floor((shards * amount.percent) / 100);
}

/** Why a shard may not be run now; undefined if it may. A shard whose run ended may be run again, which changes nothing twice. */
export function whyNotYet(plan: FleetPlan, records: FleetRecords, id: string): string | undefined {
  const { waves, next } = statusOf(plan, records);
  const own = plan.shards.find((entry) => entry.id === id)?.wave;
  const state = records.results.get(id)?.state;
  const isBack = waves.some(({ wave, state: reached }) => wave === own && isRolledBack(reached));
  // A failed or killed shard can be run again, although it stops the others; but not into a rollback.
  const canRetry = records.stop === undefined && !isBack && (state === "failed" || state === "running");
  if (next.kind === "stopped" && !canRetry) return `the rollout has stopped: ${next.why}`;
  for (const { wave, state: reached } of waves) {
    if (wave === own) return undefined;
    if (reached !== "passed")
      return reached === "done"
        ? `the gates of the wave ${wave} have not passed`
        : `the wave ${wave} before it is not done`;
  }
  return undefined;
}

/** The shards of a wave that failed and may be run once more. */
export function shardsToRetry(plan: FleetPlan, records: FleetRecords, wave: string): readonly string[] {
  const failed = [...records.results.values()].filter((one) => one.wave === wave && one.state === "failed");
  return failed.map(({ id }) => id).filter((id) => whyNotYet(plan, records, id) === undefined);
}
