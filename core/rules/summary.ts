import type { RulesDiff } from "./diff.js";

/** Counts for people and bots: `+1 ~2 (enabled, expression) -0, 1 moved, 2 formatting only, 196 unchanged`. */
export function summaryLine(diff: RulesDiff): string {
  const fields = [...new Set(diff.changed.flatMap(({ fields }) => fields))].sort();
  const changed = `~${String(diff.changed.length)}${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`;
  const moved = diff.moved.length > 0 ? `, ${String(diff.moved.length)} moved` : "";
  const form = diff.reformatted.length > 0 ? `, ${String(diff.reformatted.length)} formatting only` : "";
  const counts = `+${String(diff.added.length)} ${changed} -${String(diff.removed.length)}`;
  return `${counts}${moved}${form}, ${String(diff.unchanged.length)} unchanged`;
}

/** A warning if a change removes all or more than half of the rules of a ruleset, or of a resource that shares one. */
export function removalWarning(
  diff: RulesDiff,
  before: number,
  of: "ruleset" | "rules" | "rule" = "ruleset",
): string | undefined {
  const removed = diff.removed.length;
  if (removed === 0 || removed * 2 <= before) return undefined;
  return removed === before && diff.added.length === 0
    ? of === "ruleset"
      ? `this change removes every rule (${String(removed)}): nothing in this ruleset will run`
      : `this change removes every rule of this resource (${String(removed)})`
    : `this change removes ${String(removed)} of ${String(before)} rules`;
}
