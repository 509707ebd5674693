import { dirname, resolve } from "node:path";
import { checkApproval, checkNextWave, checkWait, gateWords, verdictOfCode } from "../../../fleet/gates.js";
import type { Gate } from "../../../fleet/definition.js";
import { waveNamed, type FleetPlan, type ShardPlan } from "../../../fleet/plan.js";
import {
  verdictOn,
  type CheckedGate,
  type FleetRecords,
  type GateResult,
  type GateVerdict,
} from "../../../fleet/results.js";
import { secondsIn } from "../../../fleet/read.js";
import { restoredNothing, statusOf } from "../../../fleet/status.js";
import type { FleetZone } from "../../../fleet/zones.js";
import { messageOf } from "../../../../core/model/errors.js";
import { pick } from "../../../../core/model/json.js";
import { plural } from "../../../../core/model/words.js";
import { contextAt, noteChanges, planFolder, withoutTokens, type FleetContext, type FleetOptions } from "../context.js";
import { runCommand } from "../own-command.js";
import { changedFiles } from "./gate-files.js";
import { provesIn, testsIn, type ZoneCheck } from "./zone-checks.js";

export interface GateFileOptions extends FleetOptions {
  /** Judge by the files of gates as they are now, although they have changed since the plan. */
  readonly acceptChangedFiles?: boolean;
}

export interface GateOptions extends GateFileOptions {
  /** For how long to ask again while a gate only waits. */
  readonly waitUpTo?: string;
}

/** How often to look whether a gate still waits, which is a look into the folder of the plan. */
const PAUSE = 2_000;

/** Asks whether the next wave may start, prints the answer, and returns the exit code: 0 yes, 2 no, 3 not yet or not known. */
export async function runGate(wave: string, options: GateOptions, context: FleetContext): Promise<0 | 2 | 3> {
  const seconds = options.waitUpTo === undefined ? 0 : secondsIn(options.waitUpTo);
  if (seconds === undefined)
    throw new Error(`--wait-up-to must be a time such as 30m or 2h, not ${options.waitUpTo ?? ""}`);
  const plan = planFolder(options).plan();
  noteChanges(options, plan, context);
  // Counted in pauses, so that a clock which is set meanwhile neither ends nor prolongs it.
  let left = seconds * 1000;
  let result = await checkGates(wave, options, context);
  while (result.verdict === "waiting" && left > 0) {
    const pause = Math.min(PAUSE, left);
    await context.sleep(pause);
    left -= pause;
    // Gates that read zones are asked once more when nothing waits any longer, not each time.
    if (left === 0 || !stillWaits(wave, options, context)) result = await checkGates(wave, options, context);
  }
  context.print(options.json === true ? JSON.stringify(result, undefined, 2) : renderGates(result, plan));
  return codeOf(result.verdict);
}

/** Whether time or an approval is still missing, and nobody has stopped the rollout. */
function stillWaits(wave: string, options: GateOptions, context: FleetContext): boolean {
  const folder = planFolder(options);
  const plan = folder.plan();
  const records = folder.records();
  const now = context.now().getTime();
  const parts = { wave, records, now, folder: options.plan, own: plan.shards.filter((shard) => shard.wave === wave) };
  return (
    records.stop === undefined &&
    waveNamed(plan, wave).gates.some((gate) => isWaiting(gate) && checkWaiting(gate, parts).verdict === "waiting")
  );
}

interface WaitingParts {
  readonly wave: string;
  readonly records: FleetRecords;
  readonly now: number;
  readonly folder: string;
  readonly own: readonly { readonly id: string }[];
}

/** A gate that needs time or somebody, and reads no zones. */
type WaitingGate = Extract<Gate, { readonly kind: "wait" | "approval" }>;

function isWaiting(gate: Gate): gate is WaitingGate {
  return gate.kind === "wait" || gate.kind === "approval";
}

function checkWaiting(gate: WaitingGate, { wave, records, now, folder, own }: WaitingParts): CheckedGate {
  switch (gate.kind) {
    case "wait":
      return checkWait(
        gate,
        own.flatMap(({ id }) => records.results.get(id) ?? []),
        now,
      );
    case "approval":
      return checkApproval(gate, records.approvals.get(wave), { wave, folder });
  }
}

export function codeOf(verdict: GateVerdict): 0 | 2 | 3 {
  return verdict === "passed" ? 0 : verdict === "no" ? 2 : 3;
}

export function renderGates({ wave, verdict, gates }: GateResult, { waves }: Pick<FleetPlan, "waves">): string {
  const words = {
    passed: waves.at(-1)?.name === wave ? "no wave is left" : "the next wave may start",
    no: "stopped",
    waiting: "not yet",
    unknown: "could not be judged",
  };
  return [
    `${wave}: ${words[verdict]}`,
    ...gates.map((one) => `  ${one.verdict.padEnd(8)}${one.gate}: ${one.words}`),
  ].join("\n");
}

/** Checks the gates of a wave whose shards have all ended, and records the answer. */
export async function checkGates(wave: string, options: GateFileOptions, outer: FleetContext): Promise<GateResult> {
  const folder = planFolder(options);
  const plan = folder.plan();
  const context = contextAt(plan, options, outer);
  const records = folder.records();
  const own = waveNamed(plan, wave);
  const index = plan.waves.indexOf(own);
  const next = plan.waves[index + 1];
  const checkedAt = context.now().toISOString();
  const shardsOf = (name: string | undefined): readonly ShardPlan[] =>
    plan.shards.filter((shard) => shard.wave === name).map(({ id }) => folder.shard(plan, id));
  const { state, shards } = statusOf(plan, records).waves[index] ?? { state: "waiting", shards: undefined };
  if (state !== "done" && state !== "passed") {
    const left = [...(shards?.running ?? []), ...(shards?.waiting ?? [])];
    const words =
      state === "rolled back"
        ? restoredNothing(wave, plan, records)
          ? "the rollback of the wave restored nothing"
          : "the wave was rolled back"
        : state === "rolling back"
          ? "the wave is being rolled back, or a rollback of it did not end"
          : `not done: ${left.join(", ")}`;
    return { version: 1, wave, checkedAt, verdict: "unknown", gates: [{ gate: "shards", verdict: "unknown", words }] };
  }
  const gates: CheckedGate[] = [];
  // Too many failures are a no, whatever the gates say; an earlier answer of gates is not one.
  const soFar = new Set(plan.waves.slice(0, index + 1).map(({ name }) => name));
  const results = new Map([...records.results].filter(([, one]) => soFar.has(one.wave)));
  const { next: step } = statusOf(plan, { ...records, results, gates: new Map() });
  if (step.kind === "stopped") gates.push({ gate: "shards", verdict: "no", words: step.why });
  const parts = { plan, records, wave, own: shardsOf(wave), next: shardsOf(next?.name), options, context };
  for (const gate of own.gates) gates.push(await checkSafely(gate, parts));
  const result: GateResult = { version: 1, wave, checkedAt, verdict: verdictOn(gates), gates };
  folder.saveGate(result);
  return result;
}

interface GateParts {
  readonly plan: FleetPlan;
  readonly records: FleetRecords;
  readonly wave: string;
  readonly own: readonly ShardPlan[];
  readonly next: readonly ShardPlan[];
  readonly options: GateFileOptions;
  readonly context: FleetContext;
}

/** A gate that cannot be checked does not pass. */
async function checkSafely(gate: Gate, parts: GateParts): Promise<CheckedGate> {
  const hide = (text: string): string => withoutTokens(text, parts.context.env);
  const { plan, options } = parts;
  try {
    const changed = changedFiles(gate, plan.gateFiles[gateWords(gate)] ?? {}, options).join(", ");
    if (changed !== "" && options.acceptChangedFiles !== true)
      return {
        gate: gateWords(gate),
        verdict: "unknown",
        words: `changed since the plan: ${changed}. To continue: restore what the plan was made with; make a new plan; or use --accept-changed-files`,
      };
    const checked = await check(gate, parts);
    const accepted = changed === "" ? "" : `; changed since the plan, and accepted: ${changed}`;
    return { ...checked, words: hide(checked.words) + accepted };
  } catch (error) {
    return { gate: gateWords(gate), verdict: "unknown", words: hide(messageOf(error)) };
  }
}

async function check(gate: Gate, parts: GateParts): Promise<CheckedGate> {
  const { plan, records, wave, own, next, options, context } = parts;
  // Paths of a definition are relative to its file.
  const beside = (path: string): string => resolve(dirname(options.file), path);
  if (isWaiting(gate))
    return checkWaiting(gate, { wave, records, own, now: context.now().getTime(), folder: options.plan });
  switch (gate.kind) {
    case "summarize":
      return checkNextWave(gate, next, plan.refreshed);
    case "run": {
      const zones = reachedBy(parts).flatMap((shard) => shard.zones);
      const { code, why, isLate, printed } = await runCommand({
        ...pick(gate, ["command", "timeout"]),
        folder: dirname(options.file),
        env: { ...context.env, FLEET_WAVE: wave, FLEET_PLAN: resolve(options.plan) },
        input: zones.map((zone) => `${JSON.stringify(zone)}\n`).join(""),
      });
      if (why === undefined)
        return {
          gate: gateWords(gate),
          verdict: verdictOfCode(code),
          words: printed === "" ? `ended with ${String(code)}` : printed,
        };
      const remedy =
        isLate === true
          ? "fix it, or give it more time in a new plan, such as `timeout: 30m` beside `run`"
          : "repair it";
      return {
        gate: gateWords(gate),
        verdict: "unknown",
        words: `${why}. To continue: ${remedy}${printed === "" ? "" : `. It printed: ${printed}`}`,
      };
    }
    case "prove":
      return overTokens(gate, parts, provesIn(gate.files.map(beside)));
    case "test":
      return overTokens(gate, parts, testsIn(gate.files.map(beside)));
  }
}

/** The shards of the wave that are done: the zones of others are as they were. */
function reachedBy({ records, own }: GateParts): readonly ShardPlan[] {
  return own.filter(({ id }) => records.results.get(id)?.state === "done");
}

/** Checks the zones that the wave has reached, with the token of each. */
async function overTokens(gate: Gate, parts: GateParts, check: ZoneCheck): Promise<CheckedGate> {
  const { context } = parts;
  const reached = reachedBy(parts);
  // What nobody has looked at does not hold.
  if (reached.length === 0)
    return { gate: gateWords(gate), verdict: "no", words: "the wave has reached no zone: none of its shards is done" };
  const groups = Map.groupBy(reached, ({ token }) => token);
  const found: { readonly verdict: GateVerdict; readonly words: string }[] = [];
  for (const [token, shards] of groups) {
    const zones: readonly FleetZone[] = shards.flatMap((shard) => shard.zones);
    const { code, text } = await check(zones, token, context);
    found.push({ verdict: verdictOfCode(code), words: code === 0 ? "" : text });
  }
  const words = found.flatMap((one) => (one.words === "" ? [] : [one.words])).join("\n");
  const zones = reached.reduce((count, shard) => count + shard.zones.length, 0);
  return {
    gate: gateWords(gate),
    verdict: verdictOn(found),
    words: words === "" ? `holds in ${plural(zones, "zone")}` : words,
  };
}
