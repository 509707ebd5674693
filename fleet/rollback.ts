import type { PlannedChange } from "./changes.js";
import type { ShardPlan } from "./plan.js";
import { isObject, textOf } from "../provider/model/json.js";
import { ownType } from "../provider/model/urn.js";
import type { Deletion, LeftBehind, RolledOut, ShardResult } from "./results.js";

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

/** A resource that a run has deleted: its rules and the time of the run have to show which version that made. */
export function deleted(urn: string, outputs: unknown, during: Omit<Deletion, "rules">): RolledOut {
  const { ruleId, ruleIds } = isObject(outputs) ? outputs : {};
  const rules = [ruleId, ...Object.values(isObject(ruleIds) ? ruleIds : {})].map(textOf).filter((id) => id !== "");
  return { ...rolledOut(urn, outputs), version: "", deletion: { rules, ...during } };
}

/** A ruleset that gets an earlier version back, if nobody but the plan has written it since. */
export interface RollbackStep extends Pick<RolledOut, "urn" | "zoneId" | "accountId" | "rulesetId"> {
  /** The version to restore; 0: there was no ruleset, and there is none afterwards. */
  readonly to: number;
  /** The versions after it that the plan is recorded to have made. */
  readonly made: ReadonlySet<number>;
  /** Requests of deletions, of which nobody recorded which version they made. */
  readonly deletions: readonly DeletionCall[];
}

/** A planned request, and the run that deleted what it is for. */
export interface DeletionCall extends Deletion {
  readonly call: string;
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
  const { level, id = "", rulesetId = "" } = rulesetOf(change) ?? {};
  return { urn, zoneId, accountId: level === "accounts" ? id : "", rulesetId, version: "" };
}

/** The ruleset in which a change writes first; undefined if it is in none that exists. */
export function rulesetOf({
  writes,
}: Pick<PlannedChange, "writes">):
  { readonly level: "accounts" | "zones"; readonly id: string; readonly rulesetId: string } | undefined {
  const [, level, id = "", rulesetId = ""] =
    /^\S+ \/(zones|accounts)\/([^/]+)\/rulesets\/([^/]+)/.exec(writes[0] ?? "") ?? [];
  return level === "zones" || level === "accounts" ? { level, id, rulesetId } : undefined;
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
  const made = new Map<string, MadeChange[]>();
  const left: LeftBehind[] = [];
  for (const change of changes) {
    const { urn, writes } = change;
    if (writes.length === 0) continue;
    const records = (byUrn.get(urn) ?? []).filter((record) => isMade(record, change));
    const why = pending.includes(urn) && !byUrn.has(urn) ? pendingText(urn, name) : withoutVersions(change, records);
    if (why !== undefined) left.push({ urn, zoneId: change.zoneId, why });
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

/** A record with the version of the plan shows that the change was not made, unless somebody wrote right after it. */
function isMade({ version, previousVersion }: RolledOut, change: PlannedChange): boolean {
  return version === "" || version !== change.version || previousVersion === version;
}

function pendingText(urn: string, stack: string): string {
  return (
    "a run was killed while it wrote it, so nobody knows whether it is written. To continue: end the write with " +
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
  if (to < 0) return { urn, zoneId, why: "nobody has recorded which version its ruleset had before" };
  return {
    ...{ urn, zoneId, accountId, rulesetId, to },
    made: new Set(made.flatMap(versionsOf)),
    // Without a record, somebody else may have deleted it before the run.
    deletions: made.flatMap(({ record: { deletion }, change }) =>
      deletion === undefined ? [] : deletionsOf(change).map((call) => ({ call, ...deletion })),
    ),
  };
}

/** The requests of a change of which nobody records which version they make. */
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
  return Array.from({ length: Math.max(0, Math.min(last - before, most)) }, (_, index) => last - index);
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

/** How far the service's clock may be ahead, in milliseconds. It costs nothing: after the run there is nothing left to delete. */
const LATE = 5000;

/** A version of a ruleset, by its rules. */
export interface VersionContent {
  readonly description: string;
  /** When it was made, in UTC. */
  readonly at: string;
  /** By ID, their content. */
  readonly rules: ReadonlyMap<string, string>;
}

/**
 * The request that deletes exactly what a version lacks of the one before it, while its run wrote; undefined if there is none:
 * somebody else may have deleted the same before the run, which then found nothing to delete.
 */
export function deletionBetween(
  deletions: readonly DeletionCall[],
  before: VersionContent,
  after: VersionContent,
): DeletionCall | undefined {
  const kept = [...before.rules].filter(([id]) => after.rules.has(id));
  // Also in the same order.
  if (before.description !== after.description || kept.join("\n") !== [...after.rules].join("\n")) return undefined;
  const gone = [...before.rules.keys()].filter((id) => !after.rules.has(id));
  const at = Date.parse(after.at);
  return deletions.find(({ call, rules, from, to }) => {
    if (!(Date.parse(from) <= at && at <= Date.parse(to) + LATE)) return false;
    const [, rule] = /^DELETE \S+\/rules\/([^/]+)$/.exec(call) ?? [];
    return rule === undefined ? gone.length > 0 && gone.every((id) => rules.includes(id)) : gone.join() === rule;
  });
}

/**
 * Why a ruleset stays as it is: somebody else wrote it after the plan was made; undefined if nobody did.
 * @param current its version now
 * @param byDeletion the versions that only the deletions of the plan explain
 */
export function writtenByOthers(
  { to, made }: Pick<RollbackStep, "to" | "made">,
  current: number,
  byDeletion: ReadonlySet<number>,
): string | undefined {
  const isOwn = (version: number): boolean => made.has(version) || byDeletion.has(version);
  let last = to;
  while (last < current && isOwn(last + 1)) last += 1;
  if (last === current) return undefined;
  const later = [...made, ...byDeletion].some((version) => version > last && version <= current);
  if (!later && last > to) return `somebody else changed it since: version ${String(last)} is now ${String(current)}`;
  return (
    `${to === 0 ? "the plan found no ruleset" : `the plan found version ${String(to)} of its ruleset`}, and no recorded ` +
    `write of the plan made version ${String(last + 1)}: somebody else may have. To continue: look at it with ` +
    "`npx pulumi-rulesets versions list`, and choose a version with `versions restore`"
  );
}
