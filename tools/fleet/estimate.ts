import type { PlannedChange } from "./changes.js";
import type { Token } from "./definition.js";

/** How many requests a roll-out sends, and how long that takes at least under the quotas of its tokens. */
export interface Estimate {
  readonly requests: number;
  /** Those of them that write. */
  readonly writes: number;
  readonly seconds: number;
  readonly waves: readonly WaveEstimate[];
}

interface WaveEstimate {
  readonly wave: string;
  readonly zones: number;
  readonly requests: number;
  readonly seconds: number;
}

interface EstimatedShard {
  readonly wave: string;
  readonly token?: string;
  readonly zones: readonly unknown[];
  readonly changes: readonly PlannedChange[];
}

/** A ruleset that changes is read by the preview before the run, and again right before it is written. */
const READS_PER_CHANGE = 2;

/** Estimates waves one after another, in each of which every token sends what it can. */
export function estimate(
  waves: readonly { readonly name: string }[],
  shards: readonly EstimatedShard[],
  tokens: readonly Token[],
): Estimate {
  const each = waves.map(({ name }): WaveEstimate => {
    const members = shards.filter(({ wave }) => wave === name);
    return {
      wave: name,
      zones: members.reduce((count, { zones }) => count + zones.length, 0),
      requests: requestsOf(members),
      seconds: Math.max(
        0,
        ...tokens.map((token) =>
          secondsFor(requestsOf(members.filter((shard) => shard.token === token.variable)), token),
        ),
      ),
    };
  });
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    requests: sum(each.map(({ requests }) => requests)),
    writes: sum(shards.map(({ changes }) => writesOf(changes))),
    seconds: sum(each.map(({ seconds }) => seconds)),
    waves: each,
  };
}

function writesOf(changes: readonly PlannedChange[]): number {
  return changes.reduce((count, { writes }) => count + writes.length, 0);
}

function requestsOf(shards: readonly EstimatedShard[]): number {
  return shards.reduce(
    (count, { changes }) =>
      count + writesOf(changes) + READS_PER_CHANGE * changes.filter(({ writes }) => writes.length > 0).length,
    0,
  );
}

/** The quota of a window can be spent at its beginning, so the last window takes no time. */
export function secondsFor(
  requests: number,
  { requests: quota, seconds }: Pick<Token, "requests" | "seconds">,
): number {
  return Math.max(0, Math.ceil(requests / quota) - 1) * seconds;
}
