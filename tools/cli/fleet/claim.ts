import { hostname } from "node:os";
import type { ShardResult } from "../../fleet/results.js";
import type { PlanFolder } from "./folder.js";
import { isAlive, thisProcess } from "./process.js";

/** The right to run a shard, or why another process has it. */
type Claim = Taken | { readonly why: string };

export interface Taken {
  /** The number of the run. */
  readonly attempt: number;
  /** The process of an earlier run that did not end. */
  readonly killed?: ShardResult["process"];
}

export interface ClaimOptions {
  /** Continue what a process on another machine began: nobody else runs this shard. */
  readonly takeOver?: boolean;
}

/**
 * Claims a shard for this process. Of several that try, however close together, one gets it: a run has a number, and a file that
 * only one of them can create.
 * @param before what is known about the shard
 */
export function claimShard(
  folder: PlanFolder,
  id: string,
  before: ShardResult | undefined,
  options: ClaimOptions,
): Claim {
  let killed: Taken["killed"];
  if (before !== undefined && isUnfinished(before)) {
    const why = whyHeld(before.process, options);
    if (why !== undefined) return { why };
    killed = before.process;
  }
  const last = before?.attempts ?? 0;
  for (let attempt = last + 1; ; attempt += 1) {
    if (folder.claim(id, attempt, thisProcess())) {
      const now = folder.result(id);
      return (now?.attempts ?? 0) === last && now?.state === before?.state
        ? { attempt, ...(killed === undefined ? {} : { killed }) }
        : { why: "another process has just run it" };
    }
    // It was killed before it recorded anything, or is about to.
    const holder = folder.claimant(id, attempt);
    const why = whyHeld(holder, options);
    if (why !== undefined) return { why };
    killed ??= holder;
  }
}

/** Whether a run has not said that it has ended: it is at work, or was killed. */
export function isUnfinished({ state, endedAt }: ShardResult): boolean {
  return state === "running" || (state === "rolling back" && endedAt === undefined);
}

/** Why a process may still be at work; undefined if it is gone. */
export function whyHeld(
  { host, pid, engine }: ShardResult["process"],
  { takeOver = false }: ClaimOptions,
): string | undefined {
  if (host !== hostname())
    return takeOver
      ? undefined
      : `process ${String(pid)} on ${host} runs it, or was killed. To continue: if it no longer runs, use --take-over`;
  const alive = [pid, ...(engine === undefined ? [] : [engine])].find(isAlive);
  return alive === undefined || alive === process.pid ? undefined : `process ${String(alive)} runs it`;
}
