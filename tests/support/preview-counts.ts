/** What the engine does not count: halves of replacements, and what it reads again, which it counts by what has changed. */
const UNCOUNTED: ReadonlySet<string> = new Set(["create-replacement", "delete-replaced", "refresh"]);

/** The `changeSummary` that the engine writes for these steps. It always counts at least the stack itself. */
export function countsOf(steps: readonly object[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { op } of steps as readonly { readonly op: string }[])
    if (!UNCOUNTED.has(op)) counts[op] = (counts[op] ?? 0) + 1;
  if (Object.keys(counts).length > 0) return counts;
  return steps.length === 0 ? { same: 1 } : { update: 1 };
}
