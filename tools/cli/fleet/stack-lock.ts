import { hostname } from "node:os";
import type { ShardResult } from "../../fleet/results.js";
import { isAlive } from "./process.js";

const LOCKED = /currently locked by|update is currently in progress/;
const HOLDER = /created by \S*@(\S+) \(pid (\d+)\)/g;

/**
 * Whether a command of the engine failed because of a lock, and whether the lock was left by a process that is gone: one of this
 * machine that no longer runs, or the one of the run that was killed. Pulumi Cloud does not say whose its lock is.
 * @param stderr of the command
 * @param killed the process of an earlier run of the shard that did not end
 */
export function lockIn(stderr: string, killed: ShardResult["process"] | undefined): "none" | "left" | "held" {
  if (!LOCKED.test(stderr)) return "none";
  const holders = [...stderr.matchAll(HOLDER)].map(([, host = "", pid = ""]) => ({ host, pid: Number(pid) }));
  if (holders.length === 0) return killed === undefined ? "held" : "left";
  const isGone = ({ host, pid }: { readonly host: string; readonly pid: number }): boolean =>
    host === hostname() ? !isAlive(pid) : host === killed?.host && pid === killed.engine;
  return holders.every(isGone) ? "left" : "held";
}
