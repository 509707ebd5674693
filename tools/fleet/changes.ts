import { createHash } from "node:crypto";
import { stableText } from "../../core/model/json.js";

/** What a plan changes in one resource of a shard. */
export interface PlannedChange {
  readonly urn: string;
  /** Empty if it belongs to no zone. */
  readonly zoneId: string;
  readonly op: string;
  /** Requests that write. */
  readonly writes: readonly string[];
  /** The version that its ruleset had for the stack. */
  readonly version?: string;
  /** The version that its ruleset had at the service; missing if there was none, or nobody has looked. */
  readonly found?: string;
  /** The same as long as the same change is planned for the same state. */
  readonly checksum: string;
  readonly weakens: Weakens;
  /** Whether it removes rules, or may. */
  readonly removes: boolean;
}

/** Whether a change weakens the protection. */
type Weakens = "no" | "unknown" | "yes";

export function checksumOf(value: unknown): string {
  return createHash("sha256").update(stableText(value)).digest("hex");
}

/** What happens in a zone, line by line, as a reviewer reads it; without secrets. */
export interface DescribedChange extends Pick<PlannedChange, "zoneId" | "weakens"> {
  readonly lines: readonly string[];
}

/** Zones in which the same happens. */
export interface FoldedChange {
  readonly lines: readonly string[];
  /** The resources that change in each zone. */
  readonly edits: number;
  /** Names of the zones. */
  readonly zones: readonly string[];
  readonly weakens: Weakens;
}

/**
 * Folds the changes of zones into those that are equal but for the zone: its ID, its name and the IDs of what is in it.
 * @param names of zones, by ID
 */
export function foldChanges(
  changes: readonly DescribedChange[],
  names: ReadonlyMap<string, string>,
): readonly FoldedChange[] {
  const byZone = Map.groupBy(changes, ({ zoneId }) => zoneId);
  return mergeFolds([
    Array.from(byZone, ([zoneId, members]): FoldedChange => {
      const name = names.get(zoneId) ?? zoneId;
      const parts = members.map(({ lines }) => lines.map((line) => withoutZone(line, zoneId, name)).join("\n"));
      const weakens = (["yes", "unknown"] as const).find((one) => members.some((change) => change.weakens === one));
      return {
        lines: parts.sort().flatMap((part) => part.split("\n")),
        edits: members.length,
        zones: [name],
        weakens: weakens ?? "no",
      };
    }),
  ]);
}

/** Joins the folded changes of several shards. The most frequent first. */
export function mergeFolds(folds: readonly (readonly FoldedChange[])[]): readonly FoldedChange[] {
  const merged = Map.groupBy(folds.flat(), ({ lines, weakens }) => [weakens, ...lines].join("\n"));
  return Array.from(merged.values())
    .flatMap((equal) =>
      equal[0] === undefined ? [] : [{ ...equal[0], zones: equal.flatMap(({ zones }) => zones).sort() }],
    )
    .sort((a, b) => b.zones.length - a.zones.length);
}

function withoutZone(line: string, zoneId: string, name: string): string {
  const plain = zoneId === "" ? line : line.replaceAll(zoneId, "{zone}");
  return (name === "" || name === zoneId ? plain : plain.replaceAll(name, "{name}")).replace(
    /\b[0-9a-f]{32}\b/g,
    "{id}",
  );
}

/** How the plan of a shard now differs from the one that was saved. */
export interface Moved {
  readonly urn: string;
  readonly zoneId: string;
  readonly why: string;
}

/**
 * What a new preview wants to write and the saved plan does not have: the zone, the state or the program changed since. A change
 * that is missing now, or that writes nothing any more, is not one: an earlier run has made it already.
 */
export function movedSince(saved: readonly PlannedChange[], now: readonly PlannedChange[]): readonly Moved[] {
  const planned = new Map(saved.map((change) => [change.urn, change]));
  return now.flatMap(({ urn, zoneId, writes, checksum }) => {
    if (writes.length === 0) return [];
    const before = planned.get(urn);
    if (before?.checksum === checksum) return [];
    const why =
      before === undefined
        ? "the plan changes nothing here, and the preview does now"
        : "the preview now changes something else than the plan says";
    return [{ urn, zoneId, why }];
  });
}
