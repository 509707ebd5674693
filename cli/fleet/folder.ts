import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPlan, requireUnchanged, sealPlan, type FleetPlan, type ShardPlan } from "../../fleet/plan.js";
import type { Approval, FleetRecords, GateResult, ShardResult, Stop } from "../../fleet/results.js";
import { readUserText } from "../../provider/files/read-file.js";
import { isObject } from "../../provider/model/json.js";

/** What helps with a file that says how far a roll-out is. A shard that runs once more changes nothing twice. */
const REDO = "To continue: delete it, and run the step again";

/**
 * The folder of a plan: `plan.json` and `shards/` never change; `results/`, `gates/`, `approvals/` and `stop.json` say how far its
 * roll-out is, and `claims/` which process has run what. A file is always replaced as a whole, so a killed process leaves the old or the new one.
 */
export class PlanFolder {
  constructor(readonly path: string) {}

  plan(): FleetPlan {
    return openPlan(this.read("plan.json"), join(this.path, "plan.json"));
  }

  /** The plan of a shard. Throws if it is not the one that was saved. */
  shard(plan: FleetPlan, id: string): ShardPlan {
    if (plan.shards.every((entry) => entry.id !== id))
      throw new Error(`${this.path} has no shard ${id}; \`fleet status\` lists them`);
    const shard = this.read(`shards/${id}.json`) as ShardPlan;
    requireUnchanged(plan, shard);
    return shard;
  }

  records(): FleetRecords {
    const isStopped = existsSync(join(this.path, "stop.json"));
    return {
      results: this.results(),
      gates: this.byKey("gates", "wave") as ReadonlyMap<string, GateResult>,
      approvals: this.byKey("approvals", "wave") as ReadonlyMap<string, Approval>,
      ...(isStopped ? { stop: this.read("stop.json") as Stop } : {}),
    };
  }

  /** What is known about a shard. */
  result(id: string): ShardResult | undefined {
    return this.results().get(id);
  }

  private results(): ReadonlyMap<string, ShardResult> {
    return this.byKey("results", "id") as ReadonlyMap<string, ShardResult>;
  }

  /** Takes a run of a shard for a process; false if another one has it. The file appears with its content, or not at all. */
  claim(id: string, attempt: number, owner: ShardResult["process"]): boolean {
    const path = this.claimFile(id, attempt);
    mkdirSync(join(path, ".."), { recursive: true });
    const unfinished = `${path}.${String(process.pid)}`;
    writeFileSync(unfinished, JSON.stringify(owner));
    try {
      linkSync(unfinished, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw new Error(
        `${path} cannot be created: ${(error as Error).message}. To continue: use a disk with hard links`,
        {
          cause: error,
        },
      );
    } finally {
      rmSync(unfinished, { force: true });
    }
  }

  /** The process that has taken a run of a shard. */
  claimant(id: string, attempt: number): ShardResult["process"] {
    return JSON.parse(readFileSync(this.claimFile(id, attempt), "utf8")) as ShardResult["process"];
  }

  private claimFile(id: string, attempt: number): string {
    return join(this.path, "claims", `${id}.${String(attempt)}.json`);
  }

  /** Writes the plan last: a folder without one is no plan yet. */
  savePlan(plan: FleetPlan): void {
    this.write("plan.json", sealPlan(plan));
  }
  saveShard(shard: ShardPlan): void {
    this.write(`shards/${shard.id}.json`, shard);
  }
  saveResult(result: ShardResult): void {
    this.write(`results/${result.id}.json`, result);
  }
  saveGate(result: GateResult): void {
    this.write(`gates/${result.wave}.json`, result);
  }
  saveApproval(approval: Approval): void {
    this.write(`approvals/${approval.wave}.json`, approval);
  }
  saveStop(stop: Stop): void {
    this.write("stop.json", stop);
  }
  removeStop(): void {
    rmSync(join(this.path, "stop.json"), { force: true });
  }

  private byKey(folder: string, key: string): ReadonlyMap<string, unknown> {
    return new Map(
      this.all(folder).map(({ file, value }) => {
        if (!isObject(value) || value.version !== 1 || typeof value[key] !== "string")
          throw new Error(
            `${join(this.path, folder, file)} was written by something else, or another version. ${REDO}`,
          );
        return [value[key], value];
      }),
    );
  }

  private all(folder: string): readonly { readonly file: string; readonly value: unknown }[] {
    let files: readonly string[];
    try {
      files = readdirSync(join(this.path, folder));
    } catch {
      return [];
    }
    return files
      .filter((file) => file.endsWith(".json"))
      .map((file) => ({ file, value: this.read(join(folder, file)) }));
  }

  private read(file: string): unknown {
    const path = join(this.path, file);
    const text = readUserText(path);
    try {
      return JSON.parse(text);
    } catch (error) {
      const remedy = file.includes("/") && !file.startsWith("shards/") ? REDO : "To continue: make a new plan";
      throw new Error(`${path} is not JSON: ${(error as Error).message}. ${remedy}`, { cause: error });
    }
  }

  private write(file: string, value: object): void {
    const path = join(this.path, file);
    mkdirSync(join(path, ".."), { recursive: true });
    const text = `${JSON.stringify(value, undefined, 1)}\n`;
    if (isSame(path, text)) return;
    const unfinished = `${path}.${String(process.pid)}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, path);
  }
}

function isSame(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}
