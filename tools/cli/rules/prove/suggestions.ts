import type { Requirement } from "../../../../core/analysis/index.js";
import type { JudgedZone } from "../../../../core/invariants/judge.js";
import type { Suggestion } from "../../../../core/invariants/suggest.js";
import { reasonLines } from "../../../../core/invariants/words.js";
import { plural } from "../../../../core/model/words.js";

/** Suggestions as a file of invariants, in which comments name the zones that break them; without any, comments alone. */
export function renderSuggestions(
  suggestions: readonly Suggestion[],
  zones: readonly JudgedZone[],
  notes: readonly string[],
): string {
  const head = [
    `What holds in nearly all of ${plural(zones.length, "zone")}. Read each one, and keep those that must hold.`,
    ...strangest(suggestions),
    ...notes,
  ];
  const comments = head.map((line) => `# ${line}`);
  if (suggestions.length === 0)
    return [
      ...comments,
      "# Nothing was found that holds in at least 80 % of them, so there is no file of invariants.",
    ].join("\n");
  return [...comments, "invariants:", ...suggestions.map(entry)].join("\n");
}

const SHOWN = 5;

/** The zones that break more than others. */
function strangest(suggestions: readonly Suggestion[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { zone } of suggestions.flatMap(({ broken }) => broken))
    counts.set(zone.label, (counts.get(zone.label) ?? 0) + 1);
  const most = Array.from(counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .map(([label, count]) => `${label} (${String(count)})`);
  return most.length === 0 ? [] : [`Zones that break the most of it: ${most.join(", ")}.`];
}

function entry({ invariant, proved, broken }: Suggestion): string {
  const { name, requests, must } = invariant;
  const lines = broken
    .slice(0, SHOWN)
    .map((one) => `${one.verdict} in ${one.zone.label}: ${reasonLines(one).join("; ")}`);
  const more = broken.length - SHOWN;
  return [
    `  # Proved in ${String(proved)} of ${plural(proved + broken.length, "zone")}`,
    ...[...lines, ...(more > 0 ? [`and ${plural(more, "more zone")}`] : [])].map((line) => `  # - ${oneLine(line)}`),
    `  - name: ${JSON.stringify(name)}`,
    `    requests: ${JSON.stringify(requests)}`,
    `    must: ${requirement(must)}`,
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function requirement(must: Requirement): string {
  if (must.kind === "reach-managed-rules" && must.ruleset !== undefined)
    return `{ reach-managed-rules: ${JSON.stringify(must.ruleset)} }`;
  return must.kind;
}

/** Suggestions for other programs. */
export function suggestionsValue(suggestions: readonly Suggestion[]): object {
  return {
    suggestions: suggestions.map(({ invariant: { name, requests, must }, proved, broken }) => ({
      ...{ name, requests, must, proved },
      broken: broken.map((one) => ({
        zone: { id: one.zone.zone.id, name: one.zone.zone.name },
        verdict: one.verdict,
        lines: reasonLines(one),
      })),
    })),
  };
}
