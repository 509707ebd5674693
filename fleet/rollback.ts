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
 * What a rollback restores: for each change of the plan that was made, the version before it.
 * @param written by the runs of the plan
 * @param stack as it is now
 */
export function planRollback(
  { changes, stack: name }: Pick<ShardPlan, "changes" | "stack">,
  written: readonly RolledOut[],
  { pending }: Pick<StackState, "pending">,
): RollbackPlan {
  const byUrn = new Map(written.map((one) => [one.urn, one]));
  const steps = new Map<string, RollbackStep>();
  const left: LeftBehind[] = [];
  for (const { urn, zoneId, op, version, writes } of changes) {
    const now = byUrn.get(urn);
    if (writes.length === 0) continue;
    if (op === "delete" || op === "replace") {
      left.push({ urn, zoneId, why: `a ruleset that was ${op}d has no versions: restore it by the program` });
      continue;
    }
    if (pending.includes(urn) && now === undefined) {
      left.push({
        urn,
        zoneId,
        why:
          "a run was killed while it wrote it, so nobody knows whether it is written. To continue: end the write with " +
          `\`pulumi up --stack ${name} --target '${urn}'\`, and roll back again`,
      });
      continue;
    }
    // The change was not made: nothing was created, or the version is that of the plan.
    if (now === undefined || now.version === version) continue;
    if (now.rulesetId === "") {
      left.push({ urn, zoneId, why: "it has no versions: restore it by the program" });
      continue;
    }
    const to = now.previousVersion ?? version;
    if (to === undefined && now.version !== "1") {
      left.push({ urn, zoneId, why: "the state does not say which version its ruleset had before" });
      continue;
    }
    const before = steps.get(now.rulesetId);
    // Of several resources in one ruleset, the earliest version before and the latest after.
    steps.set(now.rulesetId, before === undefined ? { ...now, to } : together(before, { ...now, to }));
  }
  return { steps: [...steps.values()], left };
}

/** Two resources in one ruleset, of which one may have created it. */
function together(a: RollbackStep, b: RollbackStep): RollbackStep {
  const [last, other] = Number(a.version) >= Number(b.version) ? [a, b] : [b, a];
  if (a.to === undefined || b.to === undefined) return { ...last, to: undefined };
  return { ...last, to: Number(other.to) < Number(last.to) ? other.to : last.to };
}
