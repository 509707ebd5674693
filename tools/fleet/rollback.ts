import type { PlannedChange } from "./changes.js";
import type { ShardPlan } from "./plan.js";
import { parseResourceId, type ResourceId } from "../../core/model/ids.js";
import { isObject, textOf } from "../../core/model/json.js";
import { ownType } from "../../core/model/urn.js";
import type { LeftBehind, RolledOut, ShardResult } from "./results.js";

/** A resource, from what the engine knows of it. */
export function rolledOut(urn: string, outputs: unknown): RolledOut {
  const { zoneId, accountId, rulesetId, previousVersion } =
    isObject(outputs) && ownType(urn) !== undefined ? outputs : {};
  return {
    urn,
    zoneId: textOf(zoneId),
    accountId: textOf(accountId),
    rulesetId: textOf(rulesetId),
    version: rulesetVersionIn(outputs),
    ...(typeof previousVersion === "string" && previousVersion !== "" ? { previousVersion } : {}),
  };
}

/** The version of its ruleset that a resource records; empty if it does not. The version of a single rule is its own. */
export function rulesetVersionIn(outputs: unknown): string {
  if (!isObject(outputs)) return "";
  const { rulesetId, ruleId, version, __rulesetVersion: written } = outputs;
  return rulesetId === undefined ? "" : textOf(ruleId === undefined ? version : written);
}

/** A resource that a run has deleted, and the versions of its ruleset which that made. */
export function deleted(urn: string, outputs: unknown, deletions: readonly string[]): RolledOut {
  return { ...rolledOut(urn, outputs), version: "", deletions };
}

/** A ruleset that gets an earlier version back, if nobody but the plan has written it since. */
export interface RollbackStep extends Pick<RolledOut, "urn" | "zoneId" | "accountId" | "rulesetId"> {
  /** The version to restore; 0: there was no ruleset, and there is none afterwards. */
  readonly to: number;
  /** The versions after it that the plan is recorded to have made. */
  readonly made: ReadonlySet<number>;
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
  const open = changes.filter(({ urn }) => !known.has(urn));
  const found = open.flatMap((change): RolledOut[] => {
    const there = resources.filter(({ urn }) => urn === change.urn);
    // Only the plan says where it was.
    if (change.op === "delete") return there.length === 0 ? [deletedBy(change)] : [];
    return there.filter(({ version }) => version === "" || version !== change.version);
  });
  const touched = new Set([...found.map(({ urn }) => urn), ...pending]);
  return {
    written: [...written, ...found],
    untouched: [...untouched, ...open.flatMap(({ urn }) => (touched.has(urn) ? [] : [urn]))],
  };
}

function deletedBy(change: PlannedChange): RolledOut {
  const { urn, zoneId } = change;
  const { scope, rulesetId = "" } = rulesetOf(change) ?? {};
  return { urn, zoneId, accountId: scope?.level === "accounts" ? scope.id : "", rulesetId, version: "" };
}

/** The ruleset in which a change writes first; undefined if it is in none that exists. */
export function rulesetOf({
  writes,
}: Pick<PlannedChange, "writes">): Extract<ResourceId, { form: "ruleset" }> | undefined {
  const [path = ""] = /(?:zones|accounts)\/[^/]+\/rulesets\/[^/]+/.exec(writes[0] ?? "") ?? [];
  const parsed = parseResourceId(path);
  return parsed?.form === "ruleset" ? parsed : undefined;
}

/**
 * What a rollback restores: for each ruleset that the plan changed, the version before its first write. That is what the plan was
 * made for, and each version from there to now has to be one that the plan made: otherwise, somebody else's change would be undone.
 * @param written by the runs of the plan
 * @param stack as it is now
 */
export function planRollback(
  { changes, stack: name }: Pick<ShardPlan, "changes" | "stack">,
  written: readonly RolledOut[],
  { pending }: Pick<StackState, "pending">,
): RollbackPlan {
  const byUrn = Map.groupBy(written, ({ urn }) => urn);
  const made: MadeChange[] = [];
  const left: LeftBehind[] = [];
  for (const change of changes) {
    const { urn, writes } = change;
    if (writes.length === 0) continue;
    const records = (byUrn.get(urn) ?? []).filter((record) => isMade(record, change));
    const why = pending.includes(urn) && !byUrn.has(urn) ? pendingText(urn, name) : withoutVersions(change, records);
    if (why !== undefined) left.push({ urn, zoneId: change.zoneId, why });
    else made.push(...records.map((record) => ({ record, change })));
  }
  const found = Array.from(Map.groupBy(made, ({ record }) => record.rulesetId).values(), stepBack);
  return {
    steps: found.flatMap((one) => ("why" in one ? [] : [one])),
    left: [...left, ...found.flatMap((one) => ("why" in one ? [one] : []))],
  };
}

/** A record with the version of the plan shows that the change was not made, unless somebody wrote right after it. */
function isMade({ version, previousVersion }: RolledOut, change: PlannedChange): boolean {
  return version === "" || version !== change.version || previousVersion === version;
}

function pendingText(urn: string, stack: string): string {
  return (
    "a run was killed during this write, so it may or may not have been applied. To continue: finish the write with " +
    `\`pulumi up --stack ${stack} --target '${urn}'\`, and roll back again`
  );
}

/** Why no version of a ruleset brings back what a change has made; undefined if one does. */
function withoutVersions({ op, writes }: PlannedChange, records: readonly RolledOut[]): string | undefined {
  if (records.length === 0) return undefined;
  if (writes.some((call) => /^DELETE \S+\/rulesets\/[^/]+$/.test(call)))
    return `a ruleset that was ${op}d has no versions: restore it by the program`;
  const rulesets = new Set(records.map(({ rulesetId }) => rulesetId));
  if (rulesets.has("")) return "it has no versions: restore it by the program";
  return rulesets.size > 1 ? "it has moved to another ruleset: restore it by the program" : undefined;
}

/** A planned change of a ruleset, and what a run made of it. */
interface MadeChange {
  readonly record: RolledOut;
  readonly change: PlannedChange;
}

/** How a ruleset gets back behind all that the plan made in it. */
function stepBack(made: readonly MadeChange[]): RollbackStep | LeftBehind {
  const { urn, zoneId, accountId, rulesetId } = made.map(({ record }) => record).reduce(lastOf);
  const to = Math.max(...made.map(({ change }) => versionBefore(change) ?? firstReplaced(made, change)));
  if (to < 0) return { urn, zoneId, why: "the previous version of its ruleset was not recorded" };
  return {
    ...{ urn, zoneId, accountId, rulesetId, to },
    made: new Set(made.flatMap(versionsOf)),
  };
}

/** The requests of a change that delete: the state has nothing of the versions that they make. */
function deletionsOf({ op, writes }: PlannedChange): readonly string[] {
  return op === "delete" || op === "replace" ? writes.filter((call) => /^(DELETE|PUT) /.test(call)) : [];
}

function lastOf(a: RolledOut, b: RolledOut): RolledOut {
  return Number(b.version) > Number(a.version) ? b : a;
}

/** The version that the first write of a change replaced; -1 if nobody knows. */
function firstReplaced(made: readonly MadeChange[], change: PlannedChange): number {
  return Math.min(...made.filter((one) => one.change === change).map(({ record }) => previousOf(record)));
}

/** The versions that a write made: at most one for each planned request, and none that was there before. */
function versionsOf({ record, change }: MadeChange): number[] {
  const last = Number(record.version);
  const before = Math.max(previousOf(record), versionBefore(change) ?? 0);
  const most = change.writes.length - deletionsOf(change).length;
  const written = Array.from({ length: Math.max(0, Math.min(last - before, most)) }, (_, index) => last - index);
  // Without a record, somebody else may have deleted it before the run.
  return [...written, ...(record.deletions ?? []).map(Number)];
}

/** The version that the plan was made for, 0 without a ruleset; undefined if the plan does not say it. */
function versionBefore({ version, found = version, writes }: PlannedChange): number | undefined {
  if (found !== undefined) return Number(found);
  return writes.some((call) => /^POST \S+\/rulesets$/.test(call)) ? 0 : undefined;
}

/** The version that a write replaced; -1 if nobody knows. */
function previousOf({ previousVersion = "-1" }: RolledOut): number {
  return Number(previousVersion);
}

/**
 * Why a ruleset stays as it is: somebody else wrote it after the plan was made; undefined if nobody did.
 * @param current its version now
 */
export function writtenByOthers({ to, made }: Pick<RollbackStep, "to" | "made">, current: number): string | undefined {
  let last = to;
  while (last < current && made.has(last + 1)) last += 1;
  if (last === current) return undefined;
  const later = [...made].some((version) => version > last && version <= current);
  if (!later && last > to) return `somebody else changed it since: version ${String(last)} is now ${String(current)}`;
  return (
    `${to === 0 ? "the plan found no ruleset" : `the plan found version ${String(to)} of its ruleset`}, and no recorded ` +
    `write of the plan made version ${String(last + 1)}: somebody else may have. To continue: look at it with ` +
    "`npx pulumi-rulesets versions list`, and choose a version with `versions restore`"
  );
}
