import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { checksumOf, mergeFolds, type PlannedChange } from "../../../fleet/changes.js";
import type { FleetDefinition, Gate } from "../../../fleet/definition.js";
import { gateWords } from "../../../fleet/gates.js";
import { entryOf, stackOf, withoutGone, type FleetPlan, type ShardPlan } from "../../../fleet/plan.js";
import { rulesetOf } from "../../../fleet/rollback.js";
import { NO_LOCK, parseLock, shardZones, type FleetLock, type Shard } from "../../../fleet/shards.js";
import { requireNamedZones } from "../../../fleet/zones.js";
import type { Client } from "../../../../client/index.js";
import { readUserText } from "../../../rules-files/text/read-file.js";
import { messageOf } from "../../../../core/model/errors.js";
import { plural } from "../../../../core/model/words.js";
import { readParallel } from "../../options.js";
import { replaceFile } from "../../write-output.js";
import {
  addressFor,
  contextAt,
  environmentFor,
  planFolder,
  programFolder,
  readDefinition,
  withoutTokens,
  type FleetContext,
  type FleetOptions,
} from "../context.js";
import { isUnfinished, whyHeld } from "../claim.js";
import { gateFiles } from "../gate/gate-files.js";
import { planShard } from "../shard-plan.js";
import { ShardStack } from "../stack.js";
import { renderPlan } from "./render.js";
import { findFleetZones } from "./zones.js";

export interface FleetPlanOptions extends FleetOptions {
  /** Previews at the same time. */
  readonly parallel: string;
  /** Read every zone again, and show what others changed. */
  readonly refresh?: boolean;
  /** Stop if `fleet.lock.json` would change. */
  readonly frozen?: boolean;
  /** Replace a plan whose rollout has begun, which then cannot be rolled back any more. */
  readonly replace?: boolean;
  /** Only say which zones are in which shard. */
  readonly shardsOnly?: boolean;
  readonly failOn: "never" | "weakened" | "removed" | "drift";
}

/** Makes and saves the plan of a fleet, and returns the exit code: 2 for what `--fail-on` names, 3 if a preview failed. */
export async function runPlan(options: FleetPlanOptions, outer: FleetContext): Promise<0 | 2 | 3> {
  const parallel = readParallel(options.parallel);
  if (options.failOn === "drift" && options.refresh !== true)
    throw new Error("--fail-on drift needs --refresh: without it, changes by others are not read");
  const folder = planFolder(options);
  const definition = readDefinition(options);
  const baseUrl = addressFor(options, definition, outer.env);
  const context = contextAt({ baseUrl }, options, outer);
  const files = filesOf(definition, options);
  const zones = await findFleetZones(definition, options, context);
  requireNamedZones(definition.waves, zones);
  const lockFile = join(dirname(options.file), "fleet.lock.json");
  const before = readLock(lockFile);
  const { shards, lock, notes } = shardZones(definition, zones, before);
  for (const note of notes) context.printNote(note);
  const text = lockText(lock);
  if (options.frozen === true && text !== lockText(before))
    throw new Error(
      "fleet.lock.json would change. To continue: run `fleet plan` without --frozen, and commit the file",
    );
  replaceFile(lockFile, text);
  if (options.shardsOnly === true) {
    context.print(options.json === true ? JSON.stringify({ shards }, undefined, 2) : shards.map(shardLine).join("\n"));
    return 0;
  }
  startPlan(options);
  const limit = pLimit(parallel);
  const plans = await Promise.all(
    shards.map((shard) => limit(() => previewShard(shard, { definition, options, context }))),
  );
  if (options.frozen !== true) replaceFile(lockFile, lockText(withoutGone(lock, plans)));
  const plan = { ...planOf(definition, plans, options, context), baseUrl, gateFiles: files };
  folder.savePlan(plan);
  const failed = plans.filter(({ errors }) => errors.length > 0);
  context.print(
    options.json === true
      ? JSON.stringify({ ...plan, failed: failed.map(({ id, errors }) => ({ id, errors })) }, undefined, 2)
      : renderPlan({ plan, failed, folder: options.plan, columns: context.columns }),
  );
  if (failed.length > 0) return 3;
  return fails(plans, options.failOn) ? 2 : 0;
}

function shardLine({ id, wave, zones }: Shard): string {
  return `${id} (${wave}): ${zones.map(({ name }) => name).join(", ")}`;
}

function lockText(lock: FleetLock): string {
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}

function readLock(file: string): FleetLock {
  if (!existsSync(file)) return NO_LOCK;
  const lock = parseLock(readUserText(file));
  if (lock === undefined)
    throw new Error(
      `${file} is not what \`fleet plan\` wrote. To continue: take it from the repository; without it, zones would get other stacks`,
    );
  return lock;
}

/** Removes the plan of before, unless its rollout has begun. */
function startPlan(options: FleetPlanOptions): void {
  const { plan, replace = false } = options;
  if (!existsSync(plan)) return;
  // A plan that was killed at its beginning leaves an empty folder.
  if (readdirSync(plan).length > 0 && !PARTS.some((part) => existsSync(join(plan, part))))
    throw new Error(`${plan} exists and is not a plan. To continue: choose another folder with --plan`);
  for (const result of planFolder(options).records().results.values()) {
    const why = isUnfinished(result) ? whyHeld(result.process, {}) : undefined;
    if (why !== undefined) throw new Error(`the plan in ${plan} is being rolled out: ${result.id}: ${why}`);
  }
  if (existsSync(join(plan, "results")) && !replace)
    throw new Error(
      `the rollout of the plan in ${plan} has begun. To continue: choose another folder with --plan; or use --replace, and ` +
        "it cannot be rolled back any more",
    );
  for (const part of PARTS) rmSync(join(plan, part), { recursive: true, force: true });
}

const PARTS = ["plan.json", "shards", "claims", "results", "gates", "approvals", "stop.json"];

interface PreviewParts {
  readonly definition: FleetDefinition;
  readonly options: FleetPlanOptions;
  readonly context: FleetContext;
}

async function previewShard(shard: Shard, { definition, options, context }: PreviewParts): Promise<ShardPlan> {
  const { stacks } = definition;
  const named = { stack: stackOf(stacks, shard), zones: shard.zones };
  const at = context.now().getTime() / 1000;
  const plan = await (async (): Promise<ShardPlan> => {
    try {
      const env = environmentFor(shard.token, context.env);
      const stack = new ShardStack(named, { folder: programFolder(options, definition), stacks, env });
      await stack.prepare();
      const planned = planShard({ shard, stacks, preview: await stack.preview(options.refresh), at });
      return { ...planned, changes: await withVersions(planned.changes, () => context.connect(env)) };
    } catch (error) {
      const nothing = { steps: [], diagnostics: [], plans: new Map(), listEffects: new Map(), counts: {} };
      return { ...planShard({ shard, stacks, preview: nothing, at }), errors: [messageOf(error)] };
    }
  })();
  const tidy = { ...plan, errors: plan.errors.map((error) => withoutTokens(error, context.env)) };
  planFolder(options).saveShard(tidy);
  context.printNote(
    `${shard.id} (${shard.wave}): ${plan.errors.length > 0 ? "could not be planned" : `${plural(plan.changes.length, "change")} in ${plural(shard.zones.length, "zone")}`}`,
  );
  return tidy;
}

/** Changes with the versions that rulesets have in which something is deleted: the preview asks nobody about deletes. */
async function withVersions(
  changes: readonly PlannedChange[],
  connect: () => Client,
): Promise<readonly PlannedChange[]> {
  let client: Client | undefined;
  const versions = new Map<string, Promise<string | undefined>>();
  return Promise.all(
    changes.map(async (change) => {
      const ruleset = change.op === "delete" && change.found === undefined ? rulesetOf(change) : undefined;
      if (ruleset === undefined) return change;
      const { scope, rulesetId } = ruleset;
      const read = async () => (await (client ??= connect()).rulesets.find(scope, rulesetId))?.version;
      const known = versions.get(rulesetId) ?? read();
      versions.set(rulesetId, known);
      const found = await known;
      return found === undefined ? change : { ...change, found };
    }),
  );
}

/** The files that gates read. Better missed now than after the first wave. */
function filesOf({ waves }: FleetDefinition, options: FleetPlanOptions) {
  const read = (wave: string, gate: Gate): FleetPlan["gateFiles"][string] => {
    try {
      return gateFiles(gate, options);
    } catch (error) {
      throw new Error(`the gate \`${gateWords(gate)}\` of the wave ${wave}: ${messageOf(error)}`, { cause: error });
    }
  };
  return Object.fromEntries(
    waves.flatMap(({ name, gates }) => gates.map((gate) => [gateWords(gate), read(name, gate)] as const)),
  );
}

function planOf(
  definition: FleetDefinition,
  plans: readonly ShardPlan[],
  { refresh = false }: FleetPlanOptions,
  { now }: FleetContext,
): Omit<FleetPlan, "baseUrl" | "gateFiles"> {
  const { program, stacks, tokens, waves, failures } = definition;
  return {
    version: 3,
    createdAt: now().toISOString(),
    program,
    stacks,
    tokens,
    waves: waves.map(({ name, gates }) => ({ name, gates })),
    failures,
    definition: checksumOf(definition),
    refreshed: refresh,
    shards: plans.map(entryOf),
    changes: mergeFolds(plans.map(({ folded }) => folded)),
  };
}

function fails(plans: readonly ShardPlan[], failOn: FleetPlanOptions["failOn"]): boolean {
  return plans.some(({ changes, drift }) =>
    failOn === "drift"
      ? drift
      : changes.some(({ weakens, removes }) =>
          failOn === "weakened" ? weakens !== "no" : failOn === "removed" ? removes : false,
        ),
  );
}
