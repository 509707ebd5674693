import { plural } from "../../../provider/model/words.js";
import type { Replay, Tally, Transition } from "./count.js";

export interface ReplayReport {
  readonly requests: number;
  readonly unread: number;
  readonly outcomes: readonly { readonly outcome: string; readonly before: number; readonly after: number }[];
  /** Why outcomes are unknown, the most frequent reason first. */
  readonly unknown: readonly { readonly because: string; readonly requests: number }[];
  readonly changed: number;
  readonly changes: readonly Transition[];
}

/** The results of a replay, the most frequent first. */
export function replayReport({ requests, unread, before, after, reasons, transitions }: Replay): ReplayReport {
  const names = new Set([...before.keys(), ...after.keys()]);
  const count = (tally: Tally, name: string): number => tally.get(name) ?? 0;
  const changes = Array.from(transitions.values()).sort((a, b) => b.count - a.count);
  return {
    requests,
    unread,
    outcomes: Array.from(names, (outcome) => ({
      outcome,
      before: count(before, outcome),
      after: count(after, outcome),
    })).sort((a, b) => b.before + b.after - a.before - a.after),
    unknown: Array.from(reasons, ([because, number]) => ({ because, requests: number })).sort(
      (a, b) => b.requests - a.requests,
    ),
    changed: changes.reduce((sum, one) => sum + one.count, 0),
    changes,
  };
}

export function renderReplay({ requests, unread, outcomes, unknown, changed, changes }: ReplayReport): string {
  const width = Math.max(7, ...outcomes.map(({ outcome }) => outcome.length));
  const row = (name: string, before: string, after: string): string =>
    `${name.padEnd(width)}  ${before.padStart(9)}  ${after.padStart(9)}`;
  return [
    `${plural(requests, "request")}, ${String(changed)} treated differently${unread === 0 ? "" : `; no request in ${plural(unread, "line")}`}`,
    "",
    row("outcome", "before", "after"),
    ...outcomes.map(({ outcome, before, after }) => row(outcome, String(before), String(after))),
    ...(unknown.length === 0 ? [] : ["", "Unknown, because:"]),
    ...unknown.map(({ because, requests: number }) => `  ${because}: ${plural(number, "request")}`),
    ...changes.flatMap(({ from, to, direction, count, examples }) => [
      "",
      `${from} → ${to}: ${plural(count, "request")}${direction === "other" ? "" : ` (${direction})`}`,
      ...examples.map((example) => `  ${example}`),
    ]),
  ].join("\n");
}
