import type { Moved } from "./changes.js";
import { isObject } from "../../core/model/json.js";

/** How far a shard is. `running` and `rolling back` are also what a killed run leaves. */
export type ShardState = (typeof SHARD_STATES)[number];
export const SHARD_STATES = ["running", "done", "moved", "failed", "rolling back", "rolled back"] as const;

/** What is known about a shard: `results/<id>.json`. Every step replaces the file as a whole. */
export interface ShardResult {
  readonly version: 1;
  readonly id: string;
  readonly wave: string;
  readonly state: ShardState;
  /** How often it was run. */
  readonly attempts: number;
  /** In UTC. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The process that runs it, the process of the engine, and their machine. */
  readonly process: { readonly host: string; readonly pid: number; readonly engine?: number };
  /** Resources that the last run created, updated or deleted. */
  readonly changed?: number;
  /** The versions of the rulesets that its runs have written, for a rollback. */
  readonly written?: readonly RolledOut[];
  /** URNs of planned changes that the end of the run or the first rollback found not made. */
  readonly untouched?: readonly string[];
  readonly moved?: readonly Moved[];
  /** How many rulesets a rollback has restored. */
  readonly restored?: number;
  /** What could not be rolled back. */
  readonly left?: readonly LeftBehind[];
  /** What somebody should read first. */
  readonly message?: string;
}

/** A resource and the version of its ruleset, as a run left it. */
export interface RolledOut {
  readonly urn: string;
  readonly zoneId: string;
  readonly accountId: string;
  readonly rulesetId: string;
  /** The version that its last write made. Empty if that is not recorded: of what was deleted, and of what has no versions. */
  readonly version: string;
  /** The version before, if it is known. */
  readonly previousVersion?: string;
  /** The versions that its deletion made, if a run recorded them. */
  readonly deletions?: readonly string[];
}

/** Something that a rollback leaves as it is, and why. */
export interface LeftBehind {
  readonly urn: string;
  readonly zoneId: string;
  readonly why: string;
}

/** What a check of the gates of a wave found: `gates/<wave>.json`. */
export interface GateResult {
  readonly version: 1;
  readonly wave: string;
  readonly checkedAt: string;
  readonly verdict: GateVerdict;
  readonly gates: readonly CheckedGate[];
}

/** `no` and `unknown` stop the rollout; `waiting` means that asking again later can help. */
export type GateVerdict = (typeof VERDICTS)[number];
const VERDICTS = ["passed", "no", "waiting", "unknown"] as const;

export interface CheckedGate {
  /** As the definition has it: `prove: invariants`. */
  readonly gate: string;
  readonly verdict: GateVerdict;
  readonly words: string;
  /** When asking again can help, in UTC. */
  readonly retryAt?: string;
}

/** The verdict on a wave: the worst of its gates. */
export function verdictOn(gates: readonly Pick<CheckedGate, "verdict">[]): GateVerdict {
  const worst = (["no", "unknown", "waiting"] as const).find((one) => gates.some(({ verdict }) => verdict === one));
  return worst ?? "passed";
}

/** An approval: `approvals/<wave>.json`. */
export interface Approval {
  readonly version: 1;
  readonly wave: string;
  readonly by: string;
  readonly at: string;
}

/** Why no shard may start: `stop.json`. */
export interface Stop {
  readonly version: 1;
  readonly at: string;
  readonly reason: string;
}

/** Everything that runs have left in the folder of a plan. */
export interface FleetRecords {
  readonly results: ReadonlyMap<string, ShardResult>;
  readonly gates: ReadonlyMap<string, GateResult>;
  readonly approvals: ReadonlyMap<string, Approval>;
  readonly stop?: Stop;
}

/* Whether a file has what the commands read of it. What is damaged must not pass for something that has not begun. */

export function isShardResult(value: unknown): value is ShardResult {
  return (
    isRecord(value, ["id", "wave", "startedAt"]) &&
    SHARD_STATES.some((state) => state === value.state) &&
    Number.isInteger(value.attempts) &&
    isObject(value.process) &&
    ["written", "untouched", "moved", "left"].every((name) => value[name] === undefined || Array.isArray(value[name]))
  );
}

export function isGateResult(value: unknown): value is GateResult {
  const isVerdict = (one: unknown): boolean => isObject(one) && VERDICTS.some((verdict) => verdict === one.verdict);
  return (
    isRecord(value, ["wave", "checkedAt"]) &&
    isVerdict(value) &&
    Array.isArray(value.gates) &&
    value.gates.every(isVerdict)
  );
}

export function isApproval(value: unknown): value is Approval {
  return isRecord(value, ["wave", "by", "at"]);
}

export function isStop(value: unknown): value is Stop {
  return isRecord(value, ["at", "reason"]);
}

function isRecord(value: unknown, texts: readonly string[]): value is Readonly<Record<string, unknown>> {
  return isObject(value) && value.version === 1 && texts.every((name) => typeof value[name] === "string");
}
