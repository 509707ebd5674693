import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** This process, for the record of who runs a shard. */
export function thisProcess(): { readonly host: string; readonly pid: number } {
  return { host: hostname(), pid: process.pid };
}

/** Whether a process of this machine runs. One that has ended, and that nobody has asked for its exit code, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !/\) [ZX] /.test(statOf(pid));
}

/** What Linux says about a process; empty on other systems. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/stat`, "utf8");
  } catch {
    return "";
  }
}
