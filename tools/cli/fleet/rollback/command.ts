import pLimit from "p-limit";
import { fleetCommand } from "../../../fleet/command-line.js";
import { waveNamed, zoneNames, type FleetPlan, type ShardPlan } from "../../../fleet/plan.js";
import type { ShardResult } from "../../../fleet/results.js";
import { planRollback, writesOf, writtenByOthers, type RollbackStep } from "../../../fleet/rollback.js";
import { ApiError, isAboutTheRequest, type Scope } from "../../../../client/index.js";
import type { Session } from "../../../../provider/engine/session.js";
import { messageOf } from "../../../../core/model/errors.js";
import { omit, pick } from "../../../../core/model/json.js";
import { nameIn } from "../../../../core/model/urn.js";
import { formatNumber, plural } from "../../../../core/model/words.js";
import { planRestoration } from "../../../../provider/restore.js";
import { readParallel } from "../../options.js";
import {
  contextAt,
  environmentFor,
  planFolder,
  programFolder,
  withoutTokens,
  type FleetContext,
  type FleetOptions,
} from "../context.js";
import { claimShard, type ClaimOptions } from "../claim.js";
import type { PlanFolder } from "../folder.js";
import { thisProcess } from "../process.js";
import { ShardStack, type StackOptions } from "../stack.js";

export interface RollbackOptions extends FleetOptions, ClaimOptions {
  /** Shards at the same time. */
  readonly parallel: string;
  /** Write; without it, only what would be restored is shown. */
  readonly yes?: boolean;
}

/**
 * Gives the rulesets that a wave changed the versions that they had before, and returns the exit code: 0 everything is as it was, 2
 * shown and not written, 3 something is left. Restores nothing that somebody else has changed since. May be killed at any point, and
 * run again.
 */
export async function runRollback(wave: string, options: RollbackOptions, outer: FleetContext): Promise<0 | 2 | 3> {
  const limit = pLimit(readParallel(options.parallel));
  const folder = planFolder(options);
  const plan = folder.plan();
  const context = contextAt(plan, options, outer);
  waveNamed(plan, wave);
  const { results } = folder.records();
  const shards = plan.shards.flatMap(({ id, wave: own }) => {
    const before = own === wave ? results.get(id) : undefined;
    return before === undefined ? [] : [{ shard: folder.shard(plan, id), before }];
  });
  // A missing token is a mistake in the call, and nothing has begun.
  for (const { shard } of shards) environmentFor(shard.token, context.env);
  const found = await Promise.all(
    shards.map((one) =>
      limit(async () => {
        const result = await rollBackShard({ ...one, plan, folder, options, context });
        if (options.json !== true) context.print(`${result.id}: ${result.message ?? ""}`);
        return result;
      }),
    ),
  );
  const left = found.flatMap((result) => result.left ?? []);
  if (options.json === true)
    context.print(
      JSON.stringify({ wave, written: options.yes === true && found.length > 0, shards: found }, undefined, 2),
    );
  else if (found.length === 0) context.print(`no shard of ${wave} was run, so nothing has to be restored`);
  else if (options.yes !== true)
    context.print(
      `Nothing was written.\nTo continue: npx pulumi-rulesets ${fleetCommand(`rollback ${wave} --yes`, options.plan)}`,
    );
  if (options.yes !== true && found.length > 0) return 2;
  return left.length > 0 ? 3 : 0;
}

interface ShardToRollBack {
  readonly plan: FleetPlan;
  readonly shard: ShardPlan;
  /** What its runs have recorded. */
  readonly before: ShardResult;
  readonly folder: PlanFolder;
  readonly options: RollbackOptions;
  readonly context: FleetContext;
}

/** Rolls one shard back, if it may write, and returns what is known about the shard afterwards. */
async function rollBackShard(parts: ShardToRollBack): Promise<ShardResult> {
  const { shard, before, folder, options, context } = parts;
  if (options.yes !== true)
    return { ...before, ...omit(await tryRestoring(parts, { note: () => undefined }), ["isOver"]) };
  // Nobody else may write the shard meanwhile.
  const claim = claimShard(folder, shard.id, before, options);
  if ("why" in claim) return { ...before, ...omit(notRolledBack(claim.why), ["isOver"]) };
  let result: ShardResult = {
    ...omit(before, ["endedAt", "message", "left"]),
    state: "rolling back",
    attempts: claim.attempt,
    process: thisProcess(),
  };
  const note = (change: Partial<ShardResult>): void => {
    result = { ...result, ...change };
    folder.saveResult(result);
  };
  // If this is killed, the rollout stops, and says that the wave is half rolled back.
  note({});
  // What its gates and whoever approved it have said was about the zones as they were.
  folder.removeAnswers(shard.wave);
  const { isOver, ...outcome } = await tryRestoring(parts, { ...pick(claim, ["killed"]), note });
  note({ ...outcome, state: isOver ? "rolled back" : "rolling back", endedAt: context.now().toISOString() });
  return result;
}

interface Restoring extends Pick<StackOptions, "killed"> {
  /** Keeps something in the result of the shard. */
  readonly note: (change: Partial<ShardResult>) => void;
}

interface Outcome extends Required<Pick<ShardResult, "left" | "message" | "restored">> {
  /** Whether running it again finds nothing to do. */
  readonly isOver: boolean;
}

function notRolledBack(why: string): Outcome {
  return { left: [{ urn: "", zoneId: "", why }], message: `not rolled back: ${why}`, restored: 0, isOver: false };
}

/** A shard that cannot be rolled back keeps no other one from it. */
async function tryRestoring(parts: ShardToRollBack, restoring: Restoring): Promise<Outcome> {
  try {
    return await restoreShard(parts, restoring);
  } catch (error) {
    return notRolledBack(withoutTokens(messageOf(error), parts.context.env));
  }
}

async function restoreShard(
  { plan, shard, before, options, context }: ShardToRollBack,
  { note, ...killed }: Restoring,
): Promise<Outcome> {
  const env = environmentFor(shard.token, context.env);
  const stack = new ShardStack(shard, {
    folder: programFolder(options, plan),
    stacks: plan.stacks,
    env,
    ...killed,
    onStart: (engine) => {
      note({ process: { ...thisProcess(), engine } });
    },
  });
  const state = await stack.state();
  const writes = writesOf(shard, before, state);
  // After the refresh, the state has what others wrote since, which another rollback must not take for its own.
  note(writes);
  const { steps, left: unable } = planRollback(shard, writes.written, state);
  const session = context.openSession(env);
  const left = [...unable];
  let isOver = true;
  const count = { restored: 0, already: 0 };
  for (const step of steps) {
    const found = await restore(step, session, options.yes === true);
    if ("left" in found) {
      left.push({ urn: step.urn, zoneId: step.zoneId, why: withoutTokens(found.left, env) });
      isOver &&= found.isOver;
    } else count[found.is] += 1;
  }
  // Also for what was restored already: the state of whoever did it may not know.
  if (options.yes === true && count.restored + count.already > 0) await stack.refresh();
  const verb = options.yes === true ? "restored" : "would be restored";
  const names = zoneNames(shard);
  return {
    isOver,
    left,
    restored: count.restored + count.already,
    message: [
      `${plural(count.restored, "ruleset")} ${verb}${count.already === 0 ? "" : `, ${formatNumber(count.already)} ${count.already === 1 ? "was" : "were"} already restored`}`,
      ...left.map(
        ({ urn, zoneId, why }) =>
          `  left: ${nameIn(urn)}${zoneId === "" ? "" : ` of zone ${names.get(zoneId) ?? zoneId}`}: ${why}`,
      ),
    ].join("\n"),
  };
}

/** What became of a ruleset; `already` if an earlier rollback has restored it. */
type Restored =
  | { readonly is: "restored" | "already" }
  /** `isOver`: it stays as it is. Otherwise, nobody could ask or write, and the next try may. */
  | { readonly left: string; readonly isOver: boolean };

async function restore(step: RollbackStep, session: Session, write: boolean): Promise<Restored> {
  const { rulesetId, to, zoneId, accountId } = step;
  const scope: Scope = zoneId === "" ? { level: "accounts", id: accountId } : { level: "zones", id: zoneId };
  const { rulesets } = session.client;
  try {
    const current = await rulesets.get(scope, rulesetId);
    const restoration =
      to === 0
        ? undefined
        : planRestoration(session, scope, current, await rulesets.getVersion(scope, rulesetId, String(to)));
    if (restoration?.isDone === true) return { is: "already" };
    const others = writtenByOthers(step, Number(current.version));
    if (others !== undefined) return { left: others, isOver: true };
    if (!write) return { is: "restored" };
    if (restoration === undefined) await rulesets.delete(scope, rulesetId);
    const overwrote = (await restoration?.write())?.overwrote;
    return overwrote === undefined ? { is: "restored" } : { left: overwrote.message, isOver: true };
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND" && to === 0) return { is: "already" };
    return { left: messageOf(error), isOver: !(error instanceof ApiError) || isAboutTheRequest(error) };
  }
}
