import pLimit from "p-limit";
import type { FleetPlan } from "../../../fleet/plan.js";
import { refusedWaves, shardsToRetry, statusOf } from "../../../fleet/status.js";
import { readParallel } from "../../options.js";
import type { PlanFolder } from "../folder.js";
import { noteChanges, planFolder, type FleetContext } from "../context.js";
import { checkGates, codeOf, renderGates, type GateFileOptions } from "../gate/command.js";
import { runShard, type RunShardOptions } from "../run-shard/command.js";
import { nextWords } from "../status/command.js";

export interface ResumeOptions extends RunShardOptions, GateFileOptions {
  /** Shards at the same time. */
  readonly parallel: string;
  /** Whether to run shards, or only to let others run them. @default true */
  readonly run?: boolean;
}

/**
 * Runs whatever of a rollout is not done yet, wave by wave, on this machine; what failed before is run once more. Returns the exit
 * code: 0 finished, 2 a gate or a limit says no, 3 something waits, failed or could not be judged.
 */
export async function runResume(options: ResumeOptions, context: FleetContext): Promise<0 | 2 | 3> {
  const limit = pLimit(readParallel(options.parallel));
  const folder = planFolder(options);
  const plan = folder.plan();
  const printNext = (): void => {
    const records = folder.records();
    context.print(nextWords(statusOf(plan, records, options.plan).next, { plan, records, folder: options.plan }));
  };
  noteChanges(options, plan, context);
  folder.removeStop();
  if (options.run === false) {
    printNext();
    return 0;
  }
  const ask = async (wave: string): Promise<0 | 2 | 3> => {
    const result = await checkGates(wave, options, context);
    context.print(renderGates(result, plan));
    if (result.verdict !== "passed") printNext();
    return codeOf(result.verdict);
  };
  const run = (shards: readonly string[]): Promise<readonly (0 | 2 | 3)[]> =>
    Promise.all(
      shards.map((id) =>
        limit(async () => {
          const { code, words } = await runShard(id, options, context);
          context.print(`${id}: ${words}`);
          return code;
        }),
      ),
    );
  const refusal = await repeat(plan, folder, { run, ask });
  if (refusal !== 0) return refusal;
  for (;;) {
    const { next } = statusOf(plan, folder.records());
    switch (next.kind) {
      case "finished":
        printNext();
        return 0;
      case "stopped":
        printNext();
        return 2;
      case "gate": {
        const code = await ask(next.wave);
        if (code !== 0) return code;
        break;
      }
      case "run": {
        const codes = await run(next.shards);
        const left = statusOf(plan, folder.records()).next;
        // Shards that could not be run would be tried for ever.
        if (left.kind === "run" && left.wave === next.wave && codes.every((code) => code === 3)) {
          printNext();
          return 3;
        }
      }
    }
  }
}

interface Steps {
  readonly run: (shards: readonly string[]) => Promise<readonly (0 | 2 | 3)[]>;
  readonly ask: (wave: string) => Promise<0 | 2 | 3>;
}

/**
 * Whoever resumes has repaired what failed and what a gate refused, or wants to know whether it still does. A wave of which a shard
 * has run again is asked again, before what failed in the waves after it may run.
 */
async function repeat(plan: FleetPlan, folder: PlanFolder, { run, ask }: Steps): Promise<0 | 2 | 3> {
  for (const [index, { name: wave }] of plan.waves.entries()) {
    await run(shardsToRetry(plan, folder.records(), wave));
    const records = folder.records();
    const later = new Set(plan.waves.slice(index + 1).map(({ name }) => name));
    const hasFailedLater = [...records.results.values()].some((one) => one.state === "failed" && later.has(one.wave));
    const isToAsk = refusedWaves(plan, records).includes(wave) || hasFailedLater;
    if (!isToAsk || statusOf(plan, records).waves[index]?.state !== "done") continue;
    const code = await ask(wave);
    if (code !== 0) return code;
  }
  return 0;
}
