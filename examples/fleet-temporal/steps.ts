import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Context } from "@temporalio/activity";
import { ApplicationFailure } from "@temporalio/common";
import type {
  GateAnswer,
  Gates,
  NextStep,
  Plan,
  PlannedShard,
  Rollback,
  ShardAnswer,
  Status,
  WaveState,
} from "./contract.ts";

/* The steps of a rollout as activities. Each is a command of the fleet: what it decides, it says by its exit code and its JSON. */

/** How far a rollout is. */
export interface FleetState {
  readonly waves: readonly WaveState[];
  readonly next: NextStep;
  /** IDs of shards whose last run failed. */
  readonly failed: readonly string[];
  /** Waves with a gate that does not hold. */
  readonly refused: readonly string[];
}

/** What a rollback leaves as it is, in sentences. */
export interface RollbackAnswer {
  readonly wave: string;
  readonly complete: boolean;
  readonly left: readonly string[];
}

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Every this often, the service is told that a step still runs. */
const HEARTBEAT = 5_000;

/** @param folder with `fleet.yaml`; the program must find `pulumi-rulesets` from there */
export function stepsIn(folder: string) {
  const fleet = (plan: string, ...args: readonly string[]): Promise<Answer> =>
    runCommand(resolve(folder), [...args, "--plan", plan]);
  return {
    /** The shards of a plan, which never changes. */
    plannedShards(plan: string): Promise<readonly PlannedShard[]> {
      const { shards } = JSON.parse(readFileSync(resolve(folder, plan, "plan.json"), "utf8")) as Plan;
      return Promise.resolve(shards.map(({ id, token }) => ({ id, token })));
    },

    async fleetState(plan: string): Promise<FleetState> {
      const { waves, next, results, gates } = jsonOf(await fleet(plan, "status", "--json"), [0, 2]) as Status;
      return {
        waves: waves.map(({ wave, state, zones }) => ({ wave, state, zones })),
        next,
        failed: Object.keys(results).filter((id) => results[id]?.state === "failed"),
        refused: waves
          .filter(({ wave, state }) => state === "done" && gates[wave]?.verdict === "no")
          .map(({ wave }) => wave),
      };
    },

    async runShard(plan: string, id: string, takeOver: boolean): Promise<ShardAnswer> {
      const args = ["run-shard", id, "--json", ...(takeOver ? ["--take-over"] : [])];
      const { code, words, state } = jsonOf(await fleet(plan, ...args), [0, 2, 3]) as ShardAnswer;
      return { code, words, state };
    },

    async checkGates(plan: string, wave: string): Promise<GateAnswer> {
      const { verdict, gates } = jsonOf(await fleet(plan, "gate", wave, "--json"), [0, 2, 3]) as Gates;
      const open = gates.filter((one) => one.verdict !== "passed");
      const [retryAt] = open.flatMap((one) => one.retryAt ?? []).sort();
      return { verdict, words: open.map(({ gate, words }) => `${gate}: ${words}`).join("\n"), retryAt };
    },

    async approve(plan: string, wave: string, by: string): Promise<void> {
      textOf(await fleet(plan, "approve", wave, "--by", by), [0]);
    },

    /** Lets no further shard start, on any machine. */
    async stop(plan: string, reason: string): Promise<void> {
      textOf(await fleet(plan, "stop", "--reason", reason), [0]);
    },

    /** Lets shards start again. */
    async removeStop(plan: string): Promise<void> {
      textOf(await fleet(plan, "resume", "--no-run"), [0]);
    },

    async rollBack(plan: string, wave: string): Promise<RollbackAnswer> {
      const answer = await fleet(plan, "rollback", wave, "--yes", "--json");
      // A wave that was never run needs no rollback, and is said without JSON.
      if (answer.code === 0 && !answer.stdout.startsWith("{")) return { wave, complete: true, left: [] };
      const { shards } = jsonOf(answer, [0, 3]) as Rollback;
      const left = shards.flatMap((shard) => shard.left ?? []);
      return { wave, complete: left.length === 0, left: left.map(({ zoneId, why }) => `zone ${zoneId}: ${why}`) };
    },
  };
}

export type Steps = ReturnType<typeof stepsIn>;

/** Runs a command of the fleet. A step that is cancelled ends what it is writing, as after Ctrl-C. */
function runCommand(folder: string, args: readonly string[]): Promise<Answer> {
  const { cancellationSignal, heartbeat } = Context.current();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ["--no-warnings", commandIn(folder), "fleet", ...args], { cwd: folder });
    const beat = setInterval(() => heartbeat(), HEARTBEAT);
    const end = (): void => void child.kill("SIGTERM");
    cancellationSignal.addEventListener("abort", end);
    const finish = (): void => {
      clearInterval(beat);
      cancellationSignal.removeEventListener("abort", end);
    };
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (part: string) => {
        texts[name] += part;
      });
    child.on("error", (error) => {
      finish();
      fail(error);
    });
    child.on("close", (code) => {
      finish();
      if (code === null) fail(ApplicationFailure.retryable(`\`fleet ${args.join(" ")}\` was killed`, "Killed"));
      else done({ code, ...texts });
    });
  });
}

/** The command of the version that the program uses. */
function commandIn(folder: string): string {
  const file = createRequire(join(folder, "fleet.yaml")).resolve("pulumi-rulesets/package.json");
  const { bin } = JSON.parse(readFileSync(file, "utf8")) as { readonly bin: Readonly<Record<string, string>> };
  return join(dirname(file), bin["pulumi-rulesets"] ?? "");
}

/** Any other exit code is a mistake in the call: repeating it does not help. */
function textOf({ code, stdout, stderr }: Answer, codes: readonly number[]): string {
  if (!codes.includes(code)) throw ApplicationFailure.nonRetryable(stderr.trim() || stdout.trim(), "Mistake");
  return stdout;
}

function jsonOf(answer: Answer, codes: readonly number[]): unknown {
  return JSON.parse(textOf(answer, codes));
}
