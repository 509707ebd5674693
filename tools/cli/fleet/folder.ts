import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fleetCommand } from "../../fleet/command-line.js";
import { openPlan, requireUnchanged, sealPlan, type FleetPlan, type ShardPlan } from "../../fleet/plan.js";
import {
  isApproval,
  isGateResult,
  isShardResult,
  isStop,
  type Approval,
  type FleetRecords,
  type GateResult,
  type ShardResult,
  type Stop,
} from "../../fleet/results.js";
import { isObject, omit } from "../../../core/model/json.js";
import { readUserText } from "../../rules-files/text/read-file.js";
import { makeFolder, replaceFile } from "../write-output.js";

/** What helps with a file that says how far a rollout is. A shard that runs once more changes nothing twice. */
const REDO = "To continue: delete it, and run the step again";

/** What disks without hard links say. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * The folder of a plan: `plan.json` and `shards/` never change; `results/`, `gates/`, `approvals/` and `stop.json` say how far its
 * rollout is, and `claims/` which process has run what. A file is always replaced as a whole, so a killed process leaves the old or the new one.
 */
export class PlanFolder {
  constructor(readonly path: string) {}

  plan(): FleetPlan {
    if (!this.has("plan.json"))
      throw new Error(`${this.path} has no complete plan. To continue: \`${fleetCommand("plan", this.path)}\``);
    return openPlan(this.read("plan.json"), join(this.path, "plan.json"));
  }

  /** The plan of a shard. Throws if it is not the one that was saved. */
  shard(plan: FleetPlan, id: string): ShardPlan {
    if (plan.shards.every((entry) => entry.id !== id))
      throw new Error(`${this.path} has no shard ${id}; \`${fleetCommand("status", this.path)}\` lists them`);
    const shard = this.read(`shards/${id}.json`) as ShardPlan;
    requireUnchanged(plan, shard);
    return shard;
  }

  records(): FleetRecords {
    const own = this.checksum();
    const [stop] = this.has("stop.json") ? [this.record("stop.json", isStop, own)] : [];
    return {
      results: this.results(own),
      gates: this.byKey("gates", isGateResult, ({ wave }) => wave, own),
      approvals: this.byKey("approvals", isApproval, ({ wave }) => wave, own),
      ...(stop === undefined ? {} : { stop }),
    };
  }

  /** What is known about a shard. */
  result(id: string): ShardResult | undefined {
    return this.results(this.checksum()).get(id);
  }

  private results(own: string | undefined): ReadonlyMap<string, ShardResult> {
    return this.byKey("results", isShardResult, ({ id }) => id, own);
  }

  /** Takes a run of a shard for a process; false if another one has it. The file appears with its content, or not at all. */
  claim(id: string, attempt: number, owner: ShardResult["process"]): boolean {
    const path = this.claimFile(id, attempt);
    const unfinished = `${path}.${String(process.pid)}`;
    try {
      makeFolder(dirname(path));
      writeFileSync(unfinished, JSON.stringify(owner));
      linkSync(unfinished, path);
      return true;
    } catch (error) {
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      const remedy = NO_LINKS.includes(code) ? ". To continue: use a disk with hard links" : "";
      throw new Error(`${path} cannot be created: ${message}${remedy}`, { cause: error });
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
    this.writeRecord(`results/${result.id}.json`, result);
  }
  saveGate(result: GateResult): void {
    this.writeRecord(`gates/${result.wave}.json`, result);
  }
  saveApproval(approval: Approval): void {
    this.writeRecord(`approvals/${approval.wave}.json`, approval);
  }
  saveStop(stop: Stop): void {
    this.writeRecord("stop.json", stop);
  }
  /** The wave has changed since its gates were asked, and since somebody approved it. */
  removeAnswers(wave: string): void {
    for (const part of ["gates", "approvals"]) rmSync(join(this.path, part, `${wave}.json`), { force: true });
  }
  removeStop(): void {
    rmSync(join(this.path, "stop.json"), { force: true });
  }

  /** Everything in a folder, each by its key, which is also the name of its file. */
  private byKey<T>(
    folder: string,
    isKind: (value: unknown) => value is T,
    keyOf: (value: T) => string,
    own: string | undefined,
  ): ReadonlyMap<string, T> {
    const files = this.list(folder).filter((file) => file.endsWith(".json"));
    return new Map(
      files.map((file) => {
        const is = (value: unknown): value is T => isKind(value) && `${keyOf(value)}.json` === file;
        const value = this.record(join(folder, file), is, own);
        return [keyOf(value), value];
      }),
    );
  }

  /** The files in a folder; none without the folder. What cannot be read is not nothing. */
  private list(folder: string): readonly string[] {
    try {
      return readdirSync(join(this.path, folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  private has(file: string): boolean {
    return this.list("").includes(file);
  }

  /** Of the plan, which its records name; undefined while there is none. */
  private checksum(): string | undefined {
    const plan = this.has("plan.json") ? this.read("plan.json") : undefined;
    return isObject(plan) && typeof plan.checksum === "string" ? plan.checksum : undefined;
  }

  private writeRecord(file: string, record: object): void {
    const plan = this.checksum();
    this.write(file, { ...record, ...(plan === undefined ? {} : { plan }) });
  }

  /** A file that says how far the rollout is. That of another plan would let this one forget something. */
  private record<T>(file: string, isKind: (value: unknown) => value is T, own: string | undefined): T {
    const value = this.read(file, REDO);
    if (isObject(value) && own !== undefined && value.plan !== undefined && value.plan !== own)
      throw new Error(`${join(this.path, file)} was written for another plan. ${REDO}`);
    if (isKind(value)) return omit(value as T & { readonly plan?: string }, ["plan"]) as T;
    throw new Error(`${join(this.path, file)} was written by another program or version. ${REDO}`);
  }

  private read(file: string, remedy = "To continue: make a new plan"): unknown {
    const path = join(this.path, file);
    const text = readUserText(path);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`${path} is not JSON: ${(error as Error).message}. ${remedy}`, { cause: error });
    }
  }

  private write(file: string, value: object): void {
    replaceFile(join(this.path, file), `${JSON.stringify(value, undefined, 1)}\n`);
  }
}
