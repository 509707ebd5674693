import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import type { FleetZone } from "../../../fleet/zones.js";
import type { FleetContext, FleetOptions } from "../context.js";

/** How much of what a command prints is kept: its end. */
const KEPT = 2000;

export interface OwnCommand {
  readonly wave: string;
  /** Those that the wave has reached. */
  readonly zones: readonly FleetZone[];
  readonly options: FleetOptions;
  readonly context: FleetContext;
}

/**
 * Runs a command of the user in the folder of the fleet. It gets the wave in FLEET_WAVE, the plan in FLEET_PLAN, and on its standard
 * input the zones, one JSON object a line.
 */
export function runCommand(
  command: string,
  { wave, zones, options, context }: OwnCommand,
): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, {
      shell: true,
      cwd: dirname(options.file),
      env: { ...context.env, FLEET_WAVE: wave, FLEET_PLAN: resolve(options.plan) },
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => {
        text = (text + part).slice(-KEPT);
      });
    child.on("error", fail);
    child.on("close", (code) => {
      const words = text.trim();
      done({ code: code ?? 1, text: words === "" ? `ended with ${String(code ?? "a signal")}` : words });
    });
    // A command that does not read its input has closed it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(zones.map((zone) => `${JSON.stringify(zone)}\n`).join(""));
  });
}
