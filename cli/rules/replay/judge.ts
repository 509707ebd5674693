import { compileVersions, type RulesetInput } from "../../../simulator/index.js";
import { Replay, type ReplayOptions } from "./count.js";
import type { Answer } from "./joined-units.js";
import { readBlock, readRecording } from "./read.js";
import type { Unit } from "./units.js";

/** What requests are judged by, as it is passed to other threads. */
export interface Judgement extends ReplayOptions {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
}

/** What is judged in one go: a unit, or some lines of a file. */
export type Task = Unit & { readonly block?: Uint8Array<ArrayBuffer> };

/** Returns what judges one task after the other. */
export function judging({ before, after, ...options }: Judgement): (task: Task) => Promise<Answer> {
  const replay = new Replay(compileVersions(before, after), options);
  const take: Replay["add"] = (found, file, line) => {
    replay.add(found, file, line);
  };
  return async ({ block, ...unit }) => {
    if (block !== undefined) {
      const lines = await readBlock(unit.file, block, take);
      return { result: replay.take().toJSON(), lines };
    }
    const { name, count, why } = await readRecording(unit, take);
    const result = replay.take();
    if (why !== undefined) result.unreadFiles.push({ file: name, why });
    return { result: result.toJSON(), lines: count };
  };
}
