import { compileVersions, type RulesetInput } from "../../../simulator/index.js";
import { Replay, type ReplayOptions } from "./count.js";
import { readRecording } from "./read.js";
import type { ReplayResult } from "./result.js";
import type { Unit } from "./units.js";

/** What requests are judged by, as it is passed to other threads. */
export interface Judgement extends ReplayOptions {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
}

/** What became of a unit. */
export interface JudgedUnit {
  readonly result: ReplayResult;
  readonly lines: number;
}

/** Returns what judges one unit after the other. */
export function judging({ before, after, ...options }: Judgement): (unit: Unit) => Promise<JudgedUnit> {
  const replay = new Replay(compileVersions(before, after), options);
  return async (unit) => {
    const lines = await readRecording(unit, (found, file, line) => {
      replay.add(found, file, line);
    });
    const result = replay.take();
    if (lines.why !== undefined) result.unreadFiles.push({ file: lines.name, why: lines.why });
    return { result, lines: lines.count };
  };
}
