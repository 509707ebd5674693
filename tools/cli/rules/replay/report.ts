import { writeFile, writeOutput } from "../../write-output.js";
import { writePartial, type PartialHead } from "./partial-file.js";
import { renderReplay, replayReport } from "./render.js";
import type { ReplayResult } from "./result.js";

/** What becomes of a result, of one run or of many. */
export interface ReportOptions {
  /** `false` with --no-looser: fail when enforcement weakens. */
  readonly looser: boolean;
  /** With --no-looser, pass unless a request shows that enforcement weakens. */
  readonly allowUnknown?: boolean;
  /** The file for a result that can be merged with others; `-` is standard output. */
  readonly partial?: string;
  readonly json?: boolean;
  readonly output?: string;
}

export type ReplayExitCode = 0 | 2 | 3;

/** Writes a result, and returns the exit code. */
export function reportReplay(
  result: ReplayResult,
  options: ReportOptions & { readonly head: PartialHead },
  print: (line: string) => void,
): ReplayExitCode {
  const report = replayReport(result);
  const { partial, head, json, output, looser } = options;
  if (partial === undefined) {
    writeOutput(json === true ? JSON.stringify(report, undefined, 2) : renderReplay(report), { output }, print);
  } else if (partial === "-") print(writePartial(head, result));
  else writeFile(partial, writePartial(head, result));
  const isStrict = !looser && options.allowUnknown !== true;
  if (!looser && report.changes.some(({ direction }) => direction === "looser")) return 2;
  if (isStrict && result.undecided > 0) return 2;
  // Nothing is known of what was not read.
  const saysNothing = report.requests === 0 && (!looser || report.unread > 0);
  if (report.unreadFiles.length > 0 || saysNothing || (!looser && report.unread > 0)) return 3;
  return isStrict && result.withoutLimits ? 3 : 0;
}
