import { defineQuery, defineSignal } from "@temporalio/workflow";
import type { WaveState } from "./contract.ts";

/** A rollout to start. */
export interface RollOut {
  /** Folder of the plan, relative to `fleet.yaml`. */
  readonly plan: string;
  /** Prefix of the task queues. */
  readonly fleet: string;
  /** Shards of one token at the same time, on all machines together. @default 1 */
  readonly parallel?: number;
}

/** Waves to roll back, in this order. */
export interface RollBack extends Pick<RollOut, "plan" | "fleet"> {
  readonly waves: readonly string[];
}

/** How a rollout is. */
export interface RollOutStatus {
  readonly state: "running" | "waiting" | "paused" | "stopped" | "finished" | "aborted";
  /** What it does or waits for, or why it stopped. */
  readonly words: string;
  readonly waves: readonly WaveState[];
  /** IDs of shards that are on a machine, or wait for one. */
  readonly running: readonly string[];
  /** What became of each shard of this run. */
  readonly shards: Readonly<Record<string, string>>;
  /** An order that could not be carried out. */
  readonly trouble?: string;
}

export const approve = defineSignal<[wave: string, by: string]>("approve");
/** No further shard starts; running ones end. */
export const pause = defineSignal<[by: string]>("pause");
/** Continues after a pause or a stop: runs failed shards again, and asks gates again that did not hold. */
export const resume = defineSignal<[by: string]>("resume");
/** Ends the rollout, as soon as running shards have ended. */
export const abort = defineSignal<[by: string]>("abort");
/** The process that ran a shard on another machine is gone. */
export const takeOver = defineSignal<[shard: string]>("takeOver");
export const status = defineQuery<RollOutStatus>("status");

/** The queue of steps for whole waves, which need every token; or of the shards of one token. */
export const wavesQueue = (fleet: string): string => fleet;
export const shardsQueue = (fleet: string, token: string | undefined): string =>
  `${fleet}-shards-${token ?? "default"}`;
