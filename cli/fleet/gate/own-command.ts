import { spawn, type ChildProcess } from "node:child_process";
import { dirname, resolve } from "node:path";
import { DEFAULT_TIMEOUT, type Gate } from "../../../fleet/definition.js";
import type { FleetZone } from "../../../fleet/zones.js";
import { formatDuration } from "../../../provider/model/words.js";
import type { FleetContext, FleetOptions } from "../context.js";

/** How much of what a command prints is kept: its end. */
const KEPT = 2000;
/** Neither yes nor no. */
const NO_ANSWER = 1;

export interface OwnCommand {
  readonly wave: string;
  /** Those that the wave has reached. */
  readonly zones: readonly FleetZone[];
  readonly options: FleetOptions;
  readonly context: FleetContext;
}

/** What ends this process from outside ends its command first. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a command of the user in the folder of the fleet. It gets the wave in FLEET_WAVE, the plan in FLEET_PLAN, and on its standard
 * input the zones, one JSON object a line. One that takes too long is ended with all that it has started, and has no answer.
 */
export function runCommand(
  { command, timeout = DEFAULT_TIMEOUT }: Gate & { readonly kind: "run" },
  { wave, zones, options, context }: OwnCommand,
): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, {
      shell: true,
      // A group of its own, which can be ended as a whole.
      detached: true,
      cwd: dirname(options.file),
      env: { ...context.env, FLEET_WAVE: wave, FLEET_PLAN: resolve(options.plan) },
    });
    let text = "";
    const streams = [child.stdout, child.stderr];
    for (const stream of streams)
      stream.setEncoding("utf8").on("data", (part: string) => {
        text = (text + part).slice(-KEPT);
      });
    const pass = (signal: NodeJS.Signals): void => {
      leave();
      endGroup(child);
      process.kill(process.pid, signal);
    };
    const timer = setTimeout(() => {
      leave();
      endGroup(child);
      for (const stream of streams) stream.destroy();
      const printed = text.trim();
      const words =
        `it did not end within ${formatDuration(timeout * 1000)}, and was ended. To continue: repair the command, or give it ` +
        "more time in a new plan, such as `timeout: 30m` beside `run`";
      done({ code: NO_ANSWER, text: printed === "" ? words : `${words}. It printed: ${printed}` });
    }, timeout * 1000);
    const leave = (): void => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, pass);
    };
    for (const signal of SIGNALS) process.on(signal, pass);
    child.on("error", (error) => {
      leave();
      fail(error);
    });
    child.on("close", (code) => {
      leave();
      const words = text.trim();
      done({ code: code ?? NO_ANSWER, text: words === "" ? `ended with ${String(code ?? "a signal")}` : words });
    });
    // A command that does not read its input has closed it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(zones.map((zone) => `${JSON.stringify(zone)}\n`).join(""));
  });
}

/** Ends a command and all that it has started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
