import { judgeRulesets, weakensOf, type Comparison } from "../../../../core/analysis/index.js";
import type { Client } from "../../../../client/index.js";
import { writeOutput } from "../../write-output.js";
import { readPair, type PairSource } from "../source/pair.js";
import { renderDiff, toJsonValue } from "../../../rules-files/diff/render.js";

export interface DiffCommand extends PairSource {
  /** `false` with --no-looser: fail unless it is proved that every request is stopped at least as firmly as before. */
  readonly looser: boolean;
  /** With --no-looser, pass unless a request shows that enforcement weakens. */
  readonly allowUnknown?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

interface DiffContext {
  readonly connect: () => Client;
  readonly print: (line: string) => void;
  readonly now: Date;
}

/**
 * Reports what an edit does to requests, and returns the exit code.
 * @param paths before and after; with a zone, a single path to compare with what is deployed there
 */
export async function runDiff(
  paths: readonly string[],
  options: DiffCommand,
  context: DiffContext,
): Promise<0 | 2 | 3> {
  const [first = ".", second] = paths;
  if (paths.length > 2) throw new Error(`only two versions can be compared, not ${String(paths.length)}`);
  if (second !== undefined && options.zone !== undefined)
    throw new Error("--zone takes the place of the first path: pass only the second one");
  const [before, after] = second === undefined ? [undefined, first] : [first, second];
  const pair = await readPair(before, after, options, context.connect);
  const found = judgeRulesets({ ...pair, now: context.now.getTime() / 1000 });
  const { notes, unread } = pair;
  const text = pair.hide(options.json === true ? toJson(found, notes) : renderDiff(found, notes));
  writeOutput(text, { output: options.output }, context.print);
  const weakens = weakensOf(found);
  const isFine = weakens === "no" || (weakens === "unknown" && options.allowUnknown === true);
  if (options.looser) return 0;
  if (!isFine) return 2;
  // Other rules may stop less after the edit than before, for example because it changes what they see.
  return unread.length > 0 && options.allowUnknown !== true ? 3 : 0;
}

function toJson(found: Comparison, notes: readonly string[]): string {
  const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);
  return JSON.stringify({ ...toJsonValue(found), notes }, plain, 2);
}
