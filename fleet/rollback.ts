import type { PlannedChange } from "./changes.js";
import type { ShardPlan } from "./plan.js";
import { isObject, textOf } from "../provider/model/json.js";
import type { LeftBehind, RolledOut, ShardResult } from "./results.js";

/** A resource with a ruleset, from what the engine knows of it; empty for any other. */
export function rolledOut(urn: string, outputs: unknown): RolledOut[] {
  if (!isObject(outputs)) return [];
  const { zoneId, accountId, rulesetId, version, previousVersion } = outputs;
  return [
    {
      urn,
      zoneId: textOf(zoneId),
      accountId: textOf(accountId),
      rulesetId: textOf(rulesetId),
      version: textOf(version),
      ...(typeof previousVersion === "string" && previousVersion !== "" ? { previousVersion } : {}),
    },
  ];
}

/** A ruleset that gets an earlier version back. */
export interface RollbackStep extends RolledOut {
  /** The version to restore; missing: there was no ruleset, and there is none afterwards. */
  readonly to?: string;
}

interface RollbackPlan {
  readonly steps: readonly RollbackStep[];
  /** What cannot be rolled back by versions. */
  readonly left: readonly LeftBehind[];
}

/** The state of a stack, as far as a rollback needs it. */
export interface StackState {
  readonly resources: readonly RolledOut[];
  /** URNs of resources that a killed run of the engine was writing. */
  readonly pending: readonly string[];
}

/**
 * What the runs of a plan have written: as they recorded it; and from the state, what a run that was killed before it recorded
 * anything has changed there. That is asked when a run ends, and in the first rollback, which refreshes the state: later, what was
 * untouched then and is different now is the work of somebody else.
 */
export function writesOf(
  { changes }: Pick<ShardPlan, "changes">,
  { written = [], untouched = [] }: Pick<ShardResult, "written" | "untouched">,
  { resources, pending }: StackState,
): Required<Pick<ShardResult, "written" | "untouched">> {
  const known = new Set([...written.map(({ urn }) => urn), ...untouched]);
  const planned = new Map(changes.flatMap(({ urn, version }) => (known.has(urn) ? [] : [[urn, version]])));
  const killed = resources.filter(({ urn, version }) => planned.has(urn) && version !== planned.get(urn));
  const open = new Set([...killed.map(({ urn }) => urn), ...pending]);
  return {
    written: [...written, ...killed],
    untouched: [...untouched, ...[...planned.keys()].filter((urn) => !open.has(urn))],
  };
}

/**
 * What a rollback restores: for each ruleset that the plan changed, the version before its first write. That is what the plan was
 * made for, and from there to now each version is one that the plan made: otherwise, somebody else's change would be undone.
 * @param written by the runs of the plan
 * @param stack as it is now
 */
export function planRollback(
  { changes, stack: name }: Pick<ShardPlan, "changes" | "stack">,
  written: readonly RolledOut[],
  { pending }: Pick<StackState, "pending">,
): RollbackPlan {
  const byUrn = Map.groupBy(written, ({ urn }) => urn);
  const made = new Map<string, MadeChange[]>();
  const left: LeftBehind[] = [];
  for (const change of changes) {
    const { urn, zoneId, op, version, writes } = change;
    // A record with the version of the plan: the change was not made.
    const records = (byUrn.get(urn) ?? []).filter((one) => one.version !== version);
    if (writes.length === 0) continue;
    if (op === "delete" || op === "replace")
      left.push({ urn, zoneId, why: `a ruleset that was ${op}d has no versions: restore it by the program` });
    else if (pending.includes(urn) && !byUrn.has(urn))
      left.push({
        urn,
        zoneId,
        why:
          "a run was killed while it wrote it, so nobody knows whether it is written. To continue: end the write with " +
          `\`pulumi up --stack ${name} --target '${urn}'\`, and roll back again`,
      });
    else if (records.some(({ rulesetId }) => rulesetId === ""))
      left.push({ urn, zoneId, why: "it has no versions: restore it by the program" });
    else
      for (const record of records)
        made.set(record.rulesetId, [...(made.get(record.rulesetId) ?? []), { record, change }]);
  }
  const found = Array.from(made.values(), stepBack);
  return {
    steps: found.flatMap((one) => ("why" in one ? [] : [one])),
    left: [...left, ...found.flatMap((one) => ("why" in one ? [one] : []))],
  };
}

/** A planned change of a ruleset, and what a run made of it. */
interface MadeChange {
  readonly record: RolledOut;
  readonly change: PlannedChange;
}

/** How a ruleset gets back behind all that the plan made in it. */
function stepBack(made: readonly MadeChange[]): RollbackStep | LeftBehind {
  const last = made.map(({ record }) => record).reduce((a, b) => (Number(b.version) > Number(a.version) ? b : a));
  const own = new Set(made.flatMap(versionsOf));
  let before = Number(last.version);
  while (own.has(before)) before -= 1;
  const planned = Math.max(...made.map(({ change }) => versionBefore(change) ?? firstReplaced(made, change)));
  if (planned === before) return { ...last, to: before === 0 ? undefined : String(before) };
  const { urn, zoneId } = last;
  if (planned < 0) return { urn, zoneId, why: "the state does not say which version its ruleset had before" };
  return {
    urn,
    zoneId,
    why:
      `${planned === 0 ? "the plan found no ruleset" : `the plan found version ${String(planned)} of its ruleset`}, and no recorded ` +
      `write of the plan made version ${String(before)}: somebody else may have. To continue: look at it with ` +
      "`npx pulumi-rulesets versions list`, and choose a version with `versions restore`",
  };
}

/** The version that the first write of a change replaced; -1 if nobody knows. */
function firstReplaced(made: readonly MadeChange[], change: PlannedChange): number {
  return Math.min(...made.filter((one) => one.change === change).map(({ record }) => previousOf(record)));
}

/** The versions that a write made: at most one for each planned request, and none that was there before. */
function versionsOf({ record, change }: MadeChange): number[] {
  const last = Number(record.version);
  const before = Math.max(previousOf(record), versionBefore(change) ?? 0);
  return Array.from({ length: Math.max(0, Math.min(last - before, change.writes.length)) }, (_, index) => last - index);
}

/** The version that the plan was made for, 0 without a ruleset; undefined if the plan does not say it. */
function versionBefore({ version, writes }: PlannedChange): number | undefined {
  if (version !== undefined) return Number(version);
  return writes.some((call) => /^POST \S+\/rulesets$/.test(call)) ? 0 : undefined;
}

/** The version that a write replaced; -1 if nobody knows. */
function previousOf({ previousVersion = "-1" }: RolledOut): number {
  return Number(previousVersion);
}
