import { movedSince, type Moved, type PlannedChange } from "../../../fleet/changes.js";
import { zoneNames, type FleetPlan, type ShardPlan } from "../../../fleet/plan.js";
import type { ShardResult } from "../../../fleet/results.js";
import { writesOf } from "../../../fleet/rollback.js";
import { PLAN_AGAIN, whyNotYet } from "../../../fleet/status.js";
import { messageOf, failedRequestIn } from "../../../../core/model/errors.js";
import { pick } from "../../../../core/model/json.js";
import { ownType } from "../../../../core/model/urn.js";
import { plural } from "../../../../core/model/words.js";
import { withoutLevel, type Diagnostic, type Preview } from "../../summarize/preview.js";
import {
  contextAt,
  environmentFor,
  noteChanges,
  planFolder,
  programFolder,
  withoutTokens,
  type FleetContext,
  type FleetOptions,
} from "../context.js";
import { claimShard, type ClaimOptions, type Taken } from "../claim.js";
import type { PlanFolder } from "../folder.js";
import { thisProcess } from "../process.js";
import { errorText, planShard } from "../shard-plan.js";
import { ShardStack } from "../stack.js";
import { refusedZone, refusedZones } from "./refused-zones.js";

export type RunShardOptions = FleetOptions & ClaimOptions;

/** What became of a run: 0 the shard is done, 2 a zone moved, 3 not done; running it again may help. */
interface ShardOutcome {
  readonly code: 0 | 2 | 3;
  /** Whether this call has run it; it was not if it was done before, or could not start. */
  readonly ran: boolean;
  readonly result?: ShardResult;
  /** What happened, in a sentence. */
  readonly words: string;
}

/** With `--json`. */
export type ShardOutcomeJson = Omit<ShardOutcome, "result"> & { readonly shard: string } & Partial<ShardResult>;

/** Runs one shard, prints what became of it, and returns the exit code. */
export async function runShardCommand(id: string, options: RunShardOptions, context: FleetContext): Promise<0 | 2 | 3> {
  noteChanges(options, planFolder(options).plan(), context);
  const { code, ran, result, words } = await runShard(id, options, context);
  const value: ShardOutcomeJson = { shard: id, code, ran, words, ...result };
  context.print(options.json === true ? JSON.stringify(value, undefined, 2) : `${id}: ${words}`);
  return code;
}

/** Runs one shard of a plan. May be killed at any point, and run again. */
export async function runShard(id: string, options: RunShardOptions, outer: FleetContext): Promise<ShardOutcome> {
  const folder = planFolder(options);
  const plan = folder.plan();
  const context = contextAt(plan, options, outer);
  const shard = folder.shard(plan, id);
  const records = folder.records();
  const before = records.results.get(id);
  if (before?.state === "done") return { code: 0, ran: false, result: before, words: "is done already" };
  const notRun = (why: string): ShardOutcome => ({
    code: 3,
    ran: false,
    ...(before === undefined ? {} : { result: before }),
    words: `not run: ${why}`,
  });
  const why = whyNotYet(plan, records, id);
  if (why !== undefined) return notRun(why);
  if (shard.errors.length > 0)
    return { ...notRun(`it could not be planned: ${shard.errors[0] ?? ""}. To continue: ${PLAN_AGAIN}`), code: 2 };
  // A missing token is a mistake in the call, and no run of the shard.
  if (shard.changes.length > 0) environmentFor(shard.token, context.env);
  const claim = claimShard(folder, id, before, options);
  if ("why" in claim) return notRun(claim.why);
  return new ShardRun({ plan, shard, folder, before, claim, options, context }).run();
}

interface RunParts {
  readonly plan: FleetPlan;
  readonly shard: ShardPlan;
  readonly folder: PlanFolder;
  readonly before: ShardResult | undefined;
  readonly claim: Taken;
  readonly options: RunShardOptions;
  readonly context: FleetContext;
}

class ShardRun {
  private result: ShardResult;

  constructor(private readonly parts: RunParts) {
    const { shard, before, claim, context } = parts;
    this.result = {
      version: 1,
      id: shard.id,
      wave: shard.wave,
      state: "running",
      attempts: claim.attempt,
      startedAt: context.now().toISOString(),
      process: thisProcess(),
      ...(before?.written === undefined ? {} : { written: before.written }),
    };
  }

  async run(): Promise<ShardOutcome> {
    const { shard, folder } = this.parts;
    if (shard.changes.length === 0) return this.end("done", "nothing changes", { changed: 0 });
    const stack = this.stack();
    folder.saveResult(this.result);
    // What its gates and whoever approved it have said was about the zones as they were.
    folder.removeAnswers(shard.wave);
    try {
      await stack.prepare();
      const stop = await this.check(await stack.preview());
      return stop ?? (await this.apply(stack));
    } catch (error) {
      return this.end("failed", messageOf(error));
    }
  }

  private stack(): ShardStack {
    const { shard, plan, folder, claim, options, context } = this.parts;
    return new ShardStack(shard, {
      folder: programFolder(options, plan),
      stacks: plan.stacks,
      env: environmentFor(shard.token, context.env),
      ...pick(claim, ["killed"]),
      onStart: (engine) => {
        this.result = { ...this.result, process: { ...this.result.process, engine } };
        folder.saveResult(this.result);
      },
    });
  }

  /** Compares the preview with the plan. Undefined if everything that it would write is in the plan. */
  private async check(preview: Preview): Promise<ShardOutcome | undefined> {
    const { shard, plan, context } = this.parts;
    const now = planShard({
      shard,
      stacks: plan.stacks,
      preview,
      at: context.now().getTime() / 1000,
    });
    const token = environmentFor(shard.token, context.env);
    const moved = [
      ...refusals(preview, shard.changes),
      ...movedSince(shard.changes, now.changes),
      ...(await refusedZones(preview, shard, () => context.connect(token))),
    ];
    if (moved.length > 0)
      return this.end("moved", `stopped before any write: ${this.movedWords(moved)}`, { moved: moved.map(this.tidy) });
    const [error] = now.errors;
    return error === undefined ? undefined : this.end("failed", `nothing was written: ${error}`);
  }

  private async apply(stack: ShardStack): Promise<ShardOutcome> {
    const { ok, changed, written, errors } = await stack.up();
    this.result = { ...this.result, written: [...(this.result.written ?? []), ...written] };
    if (ok) await this.noteUnrecorded(stack);
    if (ok)
      return this.end("done", changed === 0 ? "nothing left to change" : `${plural(changed, "resource")} changed`, {
        changed,
      });
    const words = errors.flatMap((error) => this.errorWords(error)).join("\n");
    return this.end("failed", words === "" ? "`pulumi up` failed without a message" : words, { changed });
  }

  /** What a killed run or another copy of the plan has written. Later, the state may have what somebody else wrote since. */
  private async noteUnrecorded(stack: ShardStack): Promise<void> {
    const { shard } = this.parts;
    const recorded = new Set(this.result.written?.map(({ urn }) => urn));
    if (shard.changes.every(({ urn }) => recorded.has(urn))) return;
    this.result = { ...this.result, ...writesOf(shard, this.result, await stack.state()) };
  }

  private errorWords(error: Diagnostic): string[] {
    const { shard } = this.parts;
    const { urn = "", message } = error;
    // The engine's last word, which says nothing.
    if (urn === "" && message === "update failed") return [];
    const zone = refusedZone(error);
    const hasLeft = zone !== undefined && shard.zones.every(({ id }) => id !== zone);
    const remedy = `To continue: if the zone is gone, \`pulumi state delete --stack ${shard.stack} '${urn}'\``;
    return [errorText(urn, message), ...(hasLeft ? [remedy] : [])];
  }

  private movedWords(moved: readonly Moved[]): string {
    const names = zoneNames(this.parts.shard);
    const zones = [...new Set(moved.map(({ zoneId, urn }) => names.get(zoneId) ?? urn))];
    return `${plural(zones.length, "zone")} moved since the plan: ${zones.join(", ")}. To continue: ${PLAN_AGAIN}`;
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
function refusals({ diagnostics }: Preview, changes: readonly PlannedChange[]): Moved[] {
  return diagnostics.flatMap(({ urn = "", severity, message }) => {
    if (severity !== "error" || ownType(urn) === undefined || failedRequestIn(message) !== undefined) return [];
    const zoneId = changes.find((one) => one.urn === urn)?.zoneId ?? "";
    return [{ urn, zoneId, why: withoutLevel(message) }];
  });
}
