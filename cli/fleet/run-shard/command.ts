import { hostname } from "node:os";
import { movedSince, type Moved } from "../../../fleet/changes.js";
import type { FleetPlan, ShardPlan } from "../../../fleet/plan.js";
import type { ShardResult } from "../../../fleet/results.js";
import { whyNotYet } from "../../../fleet/status.js";
import { findKind } from "../../../provider/kinds/index.js";
import { messageOf } from "../../../provider/model/errors.js";
import { knownText } from "../../../provider/model/unknown.js";
import { ownType } from "../../../provider/model/urn.js";
import { plural } from "../../../provider/model/words.js";
import { withoutLevel, type Preview } from "../../summarize/preview.js";
import {
  environmentFor,
  planFolder,
  programFolder,
  withoutTokens,
  type FleetContext,
  type FleetOptions,
} from "../context.js";
import type { PlanFolder } from "../folder.js";
import { isAlive, thisProcess } from "../process.js";
import { errorText, planShard } from "../shard-plan.js";
import { ShardStack } from "../stack.js";

export interface RunShardOptions extends FleetOptions {
  /** Continue what a process on another machine began: nobody else runs this shard. */
  readonly takeOver?: boolean;
}

/** What became of a run: 0 the shard is done, 2 a zone moved, 3 not done; running it again may help. */
export interface ShardOutcome {
  readonly code: 0 | 2 | 3;
  /** Whether this call has run it; it was not if it was done before, or could not start. */
  readonly ran: boolean;
  readonly result?: ShardResult;
  /** What happened, in a sentence. */
  readonly words: string;
}

/** Runs one shard, prints what became of it, and returns the exit code. */
export async function runShardCommand(id: string, options: RunShardOptions, context: FleetContext): Promise<0 | 2 | 3> {
  const { code, ran, result, words } = await runShard(id, options, context);
  context.print(
    options.json === true
      ? JSON.stringify({ shard: id, code, ran, words, ...(result ?? {}) }, undefined, 2)
      : `${id}: ${words}`,
  );
  return code;
}

/** Runs one shard of a plan. May be killed at any point, and run again. */
export async function runShard(id: string, options: RunShardOptions, context: FleetContext): Promise<ShardOutcome> {
  const folder = planFolder(options);
  const plan = folder.plan();
  const shard = folder.shard(plan, id);
  const records = folder.records();
  const before = records.results.get(id);
  if (before?.state === "done") return { code: 0, ran: false, result: before, words: "is done already" };
  const why = whyNotYet(plan, records, id) ?? whyBusy(before, options);
  if (why !== undefined)
    return { code: 3, ran: false, ...(before === undefined ? {} : { result: before }), words: `not run: ${why}` };
  if (shard.errors.length > 0)
    return {
      code: 3,
      ran: false,
      words: `not run: its preview failed when the plan was made: ${shard.errors[0] ?? ""}`,
    };
  return new ShardRun({ plan, shard, folder, before, options, context }).run();
}

/** Why nobody else may run the shard now. */
function whyBusy(before: ShardResult | undefined, { takeOver = false }: RunShardOptions): string | undefined {
  if (before?.state !== "running") return undefined;
  const { host, pid, engine } = before.process;
  if (host !== hostname())
    return takeOver
      ? undefined
      : `process ${String(pid)} on ${host} runs it, or was killed. To continue: if it no longer runs, use --take-over`;
  const alive = [pid, ...(engine === undefined ? [] : [engine])].find(isAlive);
  return alive === undefined || alive === process.pid ? undefined : `process ${String(alive)} runs it`;
}

interface RunParts {
  readonly plan: FleetPlan;
  readonly shard: ShardPlan;
  readonly folder: PlanFolder;
  readonly before: ShardResult | undefined;
  readonly options: RunShardOptions;
  readonly context: FleetContext;
}

class ShardRun {
  private result: ShardResult;

  constructor(private readonly parts: RunParts) {
    const { shard, before, context } = parts;
    this.result = {
      version: 1,
      id: shard.id,
      wave: shard.wave,
      state: "running",
      attempts: (before?.attempts ?? 0) + 1,
      startedAt: context.now().toISOString(),
      process: thisProcess(),
      ...(before?.written === undefined ? {} : { written: before.written }),
    };
  }

  async run(): Promise<ShardOutcome> {
    const { shard, folder, before } = this.parts;
    if (shard.changes.length === 0) return this.end("done", "nothing changes", { changed: 0 });
    // A missing token is a mistake in the call, and no failure of the shard.
    const stack = this.stack();
    folder.saveResult(this.result);
    try {
      if (before !== undefined) await stack.unlock();
      await stack.prepare();
      const stop = this.check(await stack.preview());
      return stop ?? (await this.apply(stack));
    } catch (error) {
      return this.end("failed", messageOf(error));
    }
  }

  private stack(): ShardStack {
    const { shard, plan, folder, options, context } = this.parts;
    return new ShardStack(shard, {
      folder: programFolder(options, plan),
      stacks: plan.stacks,
      env: environmentFor(shard.token, context.env),
      onStart: (engine) => {
        this.result = { ...this.result, process: { ...this.result.process, engine } };
        folder.saveResult(this.result);
      },
    });
  }

  /** Compares the preview with the plan. Undefined if everything that it would write is in the plan. */
  private check(preview: Preview): ShardOutcome | undefined {
    const { shard, plan, context } = this.parts;
    const now = planShard({
      shard: { ...shard, account: "" },
      stacks: plan.stacks,
      preview,
      describe: (type) => findKind(type)?.description,
      at: context.now().getTime() / 1000,
    });
    const moved = [...refusals(preview), ...movedSince(shard.changes, now.changes)];
    if (moved.length > 0)
      return this.end("moved", `stopped before any write: ${this.movedWords(moved)}`, { moved: moved.map(this.tidy) });
    const [error] = now.errors;
    return error === undefined ? undefined : this.end("failed", `nothing was written: ${error}`);
  }

  private async apply(stack: ShardStack): Promise<ShardOutcome> {
    const { ok, changed, written, errors } = await stack.up();
    this.result = { ...this.result, written: [...(this.result.written ?? []), ...written] };
    if (ok)
      return this.end("done", changed === 0 ? "nothing was left to change" : `${plural(changed, "resource")} changed`, {
        changed,
      });
    const words = errors.map(({ urn = "", message }) => errorText(urn, message)).join("\n");
    return this.end("failed", words === "" ? "`pulumi up` failed without a message" : words, { changed });
  }

  private movedWords(moved: readonly Moved[]): string {
    const names = new Map(this.parts.shard.zones.map((zone) => [zone.id, zone.name]));
    const zones = [...new Set(moved.map(({ zoneId, urn }) => names.get(zoneId) ?? urn))];
    return `${plural(zones.length, "zone")} moved since the plan: ${zones.join(", ")}. To continue: make a new plan`;
  }

  private readonly tidy = (one: Moved): Moved => ({ ...one, why: withoutTokens(one.why, this.parts.context.env) });

  private end(
    state: "done" | "moved" | "failed",
    words: string,
    more: Pick<ShardResult, "changed" | "moved"> = {},
  ): ShardOutcome {
    const { folder, context } = this.parts;
    const message = withoutTokens(words, context.env);
    this.result = { ...this.result, state, endedAt: context.now().toISOString(), ...more, message };
    folder.saveResult(this.result);
    return { code: state === "done" ? 0 : state === "moved" ? 2 : 3, ran: true, result: this.result, words: message };
  }
}

/** Resources that the preview refuses to change, because somebody else changed them. A failed request is not such a refusal. */
function refusals({ diagnostics, steps }: Preview): Moved[] {
  return diagnostics.flatMap(({ urn = "", severity, message }) => {
    if (severity !== "error" || ownType(urn) === undefined || FAILED_REQUEST.test(message)) return [];
    const step = steps.find((one) => one.urn === urn);
    return [
      {
        urn,
        zoneId: knownText((step?.after ?? step?.before)?.inputs.zoneId) || zoneIn(message),
        why: withoutLevel(message),
      },
    ];
  });
}

const FAILED_REQUEST = /\b(GET|POST|PUT|PATCH|DELETE) \/\S+ failed|credentials|CONFIG_/;

/** The zone that a message is about: a resource that the preview refuses is no step of it. */
function zoneIn(message: string): string {
  return /\bzone ([0-9a-f]{32})\b/.exec(message)?.[1] ?? "";
}
