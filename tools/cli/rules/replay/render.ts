import { formatNumber, counted } from "../../../../core/model/words.js";
import { compare, type Change, type ReplayResult, type UnreadFile, type UnreadLine } from "./result.js";

interface ReplayReport {
  readonly requests: number;
  /** Lines without a readable request. */
  readonly unread: number;
  /** Of these requests, it is not known that they are stopped at least as firmly as before. */
  readonly undecided: number;
  /** The first of the lines. */
  readonly unreadLines: readonly UnreadLine[];
  /** Files that could not be read, or not to their end. */
  readonly unreadFiles: readonly UnreadFile[];
  readonly outcomes: readonly { readonly outcome: string; readonly before: number; readonly after: number }[];
  /** Why outcomes are unknown, the most frequent reason first. */
  readonly unknown: readonly { readonly because: string; readonly requests: number }[];
  readonly changed: number;
  readonly changes: readonly (Omit<Change, "examples"> & { readonly examples: readonly string[] })[];
  readonly notes: readonly string[];
}

/** The results of a replay, the most frequent first. */
export function replayReport(result: ReplayResult): ReplayReport {
  const { requests, unread, undecided, before, after, reasons, unreadLines, unreadFiles, notes } = result;
  const outcomes = Array.from(new Set([...before.keys(), ...after.keys()]), (outcome) => {
    return { outcome, before: before.get(outcome) ?? 0, after: after.get(outcome) ?? 0 };
  });
  const changes = Array.from(result.changes.values(), ({ examples, ...change }) => {
    return { ...change, examples: examples.map(({ request, client }) => `${request}${client}`).sort() };
  });
  return {
    requests,
    unread,
    undecided,
    unreadLines,
    unreadFiles: unreadFiles.toSorted((a, b) => compare(a.file, b.file) || compare(a.why, b.why)),
    outcomes: outcomes.sort((a, b) => b.before + b.after - a.before - a.after || compare(a.outcome, b.outcome)),
    unknown: Array.from(reasons, ([because, number]) => ({ because, requests: number })).sort(
      (a, b) => b.requests - a.requests || compare(a.because, b.because),
    ),
    changed: changes.reduce((sum, { count }) => sum + count, 0),
    changes: changes.sort(
      (a, b) =>
        b.count - a.count || compare(`${a.from}\n${a.to}`, `${b.from}\n${b.to}`) || compare(a.direction, b.direction),
    ),
    notes: Array.from(notes).sort(),
  };
}

export function renderReplay(report: ReplayReport): string {
  const { requests, unread, unreadLines, unreadFiles, outcomes, unknown, changed, changes, notes } = report;
  const width = Math.max(7, ...outcomes.map(({ outcome }) => outcome.length));
  const row = (name: string, before: string, after: string): string =>
    `${name.padEnd(width)}  ${before.padStart(9)}  ${after.padStart(9)}`;
  return [
    `${counted(requests, "request")}, ${formatNumber(changed)} treated differently${unread === 0 ? "" : `; no request in ${counted(unread, "line")}`}`,
    "",
    row("outcome", "before", "after"),
    ...outcomes.map(({ outcome, before, after }) => row(outcome, formatNumber(before), formatNumber(after))),
    ...(unknown.length === 0 ? [] : ["", "Unknown, because:"]),
    ...unknown.map(({ because, requests: number }) => `  ${because}: ${counted(number, "request")}`),
    ...changes.flatMap(({ from, to, direction, count, examples }) => [
      "",
      `${from} → ${to}: ${counted(count, "request")}${direction === "other" ? "" : ` (${direction})`}`,
      ...examples.map((example) => `  ${example}`),
    ]),
    ...unreadLineRows(unread, unreadLines),
    ...(unreadFiles.length === 0 ? [] : ["", "Not read, or not to the end:"]),
    ...unreadFiles.map(({ file, why }) => `  ${file}: ${why}`),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `Note: ${note}`)]),
  ].join("\n");
}

function unreadLineRows(unread: number, lines: readonly UnreadLine[]): readonly string[] {
  if (unread === 0) return [];
  const more = unread - lines.length;
  return [
    "",
    "No request in:",
    ...lines.map(({ file, line }) => `  ${file}:${String(line)}`),
    ...(more === 0 ? [] : [`  and ${counted(more, "more line")}`]),
  ];
}
