import { checksumOf, type FoldedChange, type PlannedChange } from "./changes.js";
import type { AllowedFailures, StackNames, Token, Wave } from "./definition.js";
import { isObject } from "../../core/model/json.js";
import type { FleetLock, Shard } from "./shards.js";
import type { FleetZone } from "./zones.js";

/** A saved plan: `plan.json` of its folder. It contains neither tokens nor values of secrets. */
export interface FleetPlan {
  readonly version: 3;
  /** When it was made, in UTC. */
  readonly createdAt: string;
  /** Folder of the program, relative to the file of the fleet. */
  readonly program: string;
  readonly stacks: StackNames;
  /** The address of the service, to which every step sends its requests. */
  readonly baseUrl: string;
  readonly tokens: readonly Token[];
  readonly waves: readonly Pick<Wave, "name" | "gates">[];
  readonly failures: AllowedFailures;
  /** Checksums of the files that gates read, by the words of the gate and the path of the file. */
  readonly gateFiles: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The checksum of the fleet that it was made for. */
  readonly definition: string;
  /** Whether every zone was read again for it, so that it knows what others changed. */
  readonly refreshed: boolean;
  /** In the order in which they are rolled out. */
  readonly shards: readonly PlanEntry[];
  /** What changes where, folded by equal changes. */
  readonly changes: readonly FoldedChange[];
}

/** A shard in `plan.json`. */
export interface PlanEntry {
  readonly id: string;
  readonly wave: string;
  readonly zones: number;
  /** The resources that change. */
  readonly changes: number;
  readonly token?: string;
  /** Its preview failed, so it is not run. */
  readonly unplanned?: true;
  /** Of the shard's own file, so that nothing is applied that nobody planned. */
  readonly checksum: string;
}

/** The plan of one shard: `shards/<id>.json`. */
export interface ShardPlan {
  readonly version: 1;
  readonly id: string;
  readonly wave: string;
  readonly stack: string;
  readonly token?: string;
  readonly zones: readonly FleetZone[];
  /** Zones that have left the fleet; missing if there are none. */
  readonly left?: Shard["left"];
  readonly changes: readonly PlannedChange[];
  readonly folded: readonly FoldedChange[];
  /** Whether a refresh in the preview found changes by others. */
  readonly drift: boolean;
  /** Why the preview failed; such a shard is not run. */
  readonly errors: readonly string[];
}

/** The names of zones by their IDs, also of those that have left. */
export function zoneNames({ zones, left = [] }: Pick<ShardPlan, "zones" | "left">): ReadonlyMap<string, string> {
  return new Map([...zones, ...left].map(({ id, name }) => [id, name]));
}

/** Takes zones that have left the fleet out of a lock if the plans of their shards change nothing there: nothing is left of them. */
export function withoutGone(lock: FleetLock, plans: readonly ShardPlan[]): FleetLock {
  const shards = Object.entries(lock.shards).map(([id, shard]) => {
    const plan = plans.find((one) => one.id === id);
    if (plan === undefined || plan.errors.length > 0) return [id, shard] as const;
    const there = new Set([...plan.zones.map((zone) => zone.id), ...plan.changes.map(({ zoneId }) => zoneId)]);
    return [
      id,
      { ...shard, zones: Object.fromEntries(Object.entries(shard.zones).filter(([zone]) => there.has(zone))) },
    ] as const;
  });
  return { ...lock, shards: Object.fromEntries(shards) };
}

/** The entry of a shard in the plan of the fleet. */
export function entryOf(plan: ShardPlan): PlanEntry {
  const { id, wave, zones, changes, token, errors } = plan;
  return {
    id,
    wave,
    zones: zones.length,
    changes: changes.length,
    ...(token === undefined ? {} : { token }),
    ...(errors.length === 0 ? {} : { unplanned: true }),
    checksum: checksumOf(plan),
  };
}

/** A wave of a plan. Throws if the plan does not have it. */
export function waveNamed({ waves }: FleetPlan, wave: string): FleetPlan["waves"][number] {
  const found = waves.find(({ name }) => name === wave);
  if (found === undefined)
    throw new Error(`the plan has no wave ${wave}; it has ${waves.map(({ name }) => name).join(", ")}`);
  return found;
}

/** The stack of a shard. */
export function stackOf({ prefix }: StackNames, { id }: Pick<Shard, "id">): string {
  return `${prefix}${id}`;
}

/** Throws unless the plan of a shard is the one that the plan of the fleet was made with. */
export function requireUnchanged({ shards }: FleetPlan, plan: ShardPlan): void {
  const entry = shards.find(({ id }) => id === plan.id);
  if (entry?.checksum !== checksumOf(plan))
    throw new Error(
      `shards/${plan.id}.json is not the file that the plan was made with: its checksum is different. To continue: make a new plan`,
    );
}

/** What `plan.json` has: the plan, with a checksum of all of it. Its waves and gates are what somebody has reviewed. */
export function sealPlan(plan: FleetPlan): FleetPlan & { readonly checksum: string } {
  return { ...plan, checksum: checksumOf(plan) };
}

/** The plan in a file. Throws unless it is as `sealPlan` made it. */
export function openPlan(sealed: unknown, path: string): FleetPlan {
  if (!isObject(sealed) || sealed.version !== 3)
    throw new Error(`${path} was written by another program or version. To continue: make a new plan`);
  const { checksum, ...plan } = sealed;
  if (checksum !== checksumOf(plan))
    throw new Error(
      `${path} is not as \`fleet plan\` wrote it: its checksum is different. To continue: make a new plan`,
    );
  return plan as unknown as FleetPlan;
}
