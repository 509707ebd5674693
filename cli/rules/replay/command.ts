import { createRequire } from "node:module";
import type { Client } from "../../../provider/client/index.js";
import { compileVersions } from "../../../simulator/index.js";
import { writeOutput } from "../../write-output.js";
import type { ProgramOptions } from "../source/program.js";
import { readPair } from "../source/pair.js";
import { Replay } from "./count.js";
import { readDefaults, type DefaultOptions } from "./defaults.js";
import { readRecording } from "./read.js";
import { renderReplay, replayReport } from "./render.js";

const load = createRequire(__filename);

export interface ReplayCommand extends ProgramOptions, DefaultOptions {
  readonly before?: string;
  readonly after: string;
  /** Without `before`, the zone whose deployed rules are used; otherwise the ID of the zone that the requests were sent to. */
  readonly zone?: string;
  /** `false` with --no-looser: fail when a request is stopped less firmly. */
  readonly looser: boolean;
  /** Instead of a file: replay the requests that the analytics of the zone have, since a time such as `7d`. */
  readonly since?: string;
  readonly json?: boolean;
  readonly output?: string;
}

export interface ReplayContext {
  readonly connect: () => Client;
  readonly print: (line: string) => void;
  /** Milliseconds since the epoch. @default the machine's clock */
  readonly now?: () => number;
}

/** Runs recorded requests through both versions of the rules, and returns the exit code. */
export async function runReplay(
  file: string | undefined,
  options: ReplayCommand,
  context: ReplayContext,
): Promise<0 | 2> {
  const { since, zone } = options;
  if (since !== undefined) {
    if (file !== undefined) throw new Error("--since replays what analytics have, and reads no file");
    if (zone === undefined) throw new Error("--since needs --zone, whose analytics are read");
    const { runAnalyticsReplay } = load("./analytics/command.js") as typeof import("./analytics/command.js");
    const { connect, print, now = Date.now } = context;
    return runAnalyticsReplay({ ...options, since, zone }, { client: connect(), print, now: now() });
  }
  if (file === undefined) throw new Error("pass a file of requests, or --since with --zone for those of analytics");
  const defaults = readDefaults(options);
  const pair = await readPair(options.before, options.after, options, context.connect);
  const { before, after } = pair;
  const programs = compileVersions(before, after);
  const replay = new Replay(programs, { zone: options.before === undefined ? undefined : options.zone, defaults });
  for await (const line of readRecording(file)) replay.add(line);
  const report = replayReport(replay);
  const text = options.json === true ? JSON.stringify(report, undefined, 2) : renderReplay(report);
  writeOutput(pair.hide(text), { output: options.output }, context.print);
  return !options.looser && report.changes.some(({ direction }) => direction === "looser") ? 2 : 0;
}
