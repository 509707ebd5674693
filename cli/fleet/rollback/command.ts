import { waveNamed, type FleetPlan, type ShardPlan } from "../../../fleet/plan.js";
import type { LeftBehind, RolledOut, ShardResult } from "../../../fleet/results.js";
import { planRollback, rolledOut, type RollbackStep } from "../../../fleet/rollback.js";
import { ApiError, type Scope } from "../../../provider/client/index.js";
import type { Session } from "../../../provider/engine/session.js";
import { messageOf } from "../../../provider/model/errors.js";
import { pick, textOf } from "../../../provider/model/json.js";
import { nameIn, ownTypeOf } from "../../../provider/model/urn.js";
import { plural } from "../../../provider/model/words.js";
import { planRestoration } from "../../../provider/restore.js";
import {
  environmentFor,
  planFolder,
  programFolder,
  withoutTokens,
  type FleetContext,
  type FleetOptions,
} from "../context.js";
import { claimShard, type Claim, type ClaimOptions, type Taken } from "../claim.js";
import { thisProcess } from "../process.js";
import { ShardStack } from "../stack.js";

export interface RollbackOptions extends FleetOptions, ClaimOptions {
  /** Write; without it, only what would be restored is shown. */
  readonly yes?: boolean;
}

/**
 * Gives the rulesets that a wave changed the versions that they had before, and returns the exit code: 0 everything is as it was, 2
 * shown and not written, 3 something is left. Restores nothing that somebody else has changed since.
 */
export async function runRollback(wave: string, options: RollbackOptions, context: FleetContext): Promise<0 | 2 | 3> {
  const folder = planFolder(options);
  const plan = folder.plan();
  waveNamed(plan, wave);
  const { results } = folder.records();
  const shards = plan.shards.filter((shard) => shard.wave === wave && results.has(shard.id));
  const found: ShardResult[] = [];
  for (const { id } of shards) {
    const before = results.get(id);
    if (before === undefined) continue;
    // Nobody else may write the shard meanwhile.
    const claim: Claim = options.yes === true ? claimShard(folder, id, before, options) : { attempt: before.attempts };
    const { left, words } =
      "why" in claim
        ? { left: [{ urn: "", zoneId: "", why: claim.why }], words: `not rolled back: ${claim.why}` }
        : await rollBackShard({ plan, shard: folder.shard(plan, id), before, claim }, options, context);
    const result: ShardResult = {
      ...before,
      ...("why" in claim ? {} : { state: "rolled back", attempts: claim.attempt }),
      endedAt: context.now().toISOString(),
      process: thisProcess(),
      left,
      message: words,
    };
    found.push(result);
    if (options.yes === true && !("why" in claim)) folder.saveResult(result);
    if (options.json !== true) context.print(`${id}: ${words}`);
  }
  const left = found.flatMap((result) => result.left ?? []);
  if (options.json === true)
    context.print(
      JSON.stringify({ wave, written: options.yes === true && found.length > 0, shards: found }, undefined, 2),
    );
  else if (found.length === 0) context.print(`no shard of ${wave} was run, so nothing has to be restored`);
  else if (options.yes !== true)
    context.print(
      `Nothing was written.\nTo continue: npx pulumi-rulesets fleet rollback ${wave} --plan ${options.plan} --yes`,
    );
  if (options.yes !== true && found.length > 0) return 2;
  return left.length > 0 ? 3 : 0;
}

/** The resources of this package in the state of a stack. */
async function stateOf(stack: ShardStack): Promise<readonly RolledOut[]> {
  const resources = await stack.resources();
  return resources.flatMap(({ urn, type, outputs }) =>
    ownTypeOf(textOf(type)) === undefined ? [] : rolledOut(textOf(urn), outputs),
  );
}

interface RunShard {
  readonly plan: FleetPlan;
  readonly shard: ShardPlan;
  /** What its runs have recorded. */
  readonly before: ShardResult;
  readonly claim: Taken;
}

async function rollBackShard(
  { plan, shard, before, claim }: RunShard,
  options: RollbackOptions,
  context: FleetContext,
): Promise<{ readonly left: readonly LeftBehind[]; readonly words: string }> {
  const env = environmentFor(shard.token, context.env);
  const stack = new ShardStack(shard, {
    folder: programFolder(options, plan),
    stacks: plan.stacks,
    env,
    ...pick(claim, ["killed"]),
  });
  const { steps, left: unable } = planRollback(shard.changes, before.written ?? [], await stateOf(stack));
  const session = context.openSession(env);
  const left = [...unable];
  let restored = 0;
  for (const step of steps) {
    const why = await restore(step, session, options.yes === true);
    if (why === undefined) restored += 1;
    else left.push({ urn: step.urn, zoneId: step.zoneId, why: withoutTokens(why, env) });
  }
  if (options.yes === true && restored > 0) {
    await stack.refresh();
  }
  const verb = options.yes === true ? "restored" : "would be restored";
  return {
    left,
    words: [
      `${plural(restored, "ruleset")} ${verb}`,
      ...left.map(
        ({ urn, zoneId, why }) => `  left: ${nameIn(urn)}${zoneId === "" ? "" : ` of zone ${zoneId}`}: ${why}`,
      ),
    ].join("\n"),
  };
}

/** Restores one ruleset; returns why it is left as it is. */
async function restore(step: RollbackStep, session: Session, write: boolean): Promise<string | undefined> {
  const { zoneId, accountId, rulesetId, version, to } = step;
  const scope: Scope = zoneId === "" ? { level: "accounts", id: accountId } : { level: "zones", id: zoneId };
  const { rulesets } = session.client;
  try {
    const current = await rulesets.get(scope, rulesetId);
    if (to === undefined) {
      if (current.version !== version)
        return `somebody else changed it since: version ${version} is now ${current.version}`;
      if (write) await rulesets.delete(scope, rulesetId);
      return undefined;
    }
    const restoration = planRestoration(session, scope, current, await rulesets.getVersion(scope, rulesetId, to));
    // A rollback that was killed has restored it already.
    if (restoration.isDone) return undefined;
    if (current.version !== version)
      return `somebody else changed it since: version ${version} is now ${current.version}`;
    if (!write) return undefined;
    const { overwrote } = await restoration.write();
    return overwrote?.message;
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND" && to === undefined) return undefined;
    return messageOf(error);
  }
}
