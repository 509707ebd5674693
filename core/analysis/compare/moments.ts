import { currentCounter, limitStatus, stoppedCounter, type Counter } from "../../simulator/limits.js";
import type { RateLimit } from "../../simulator/program.js";
import { readNumber, readProperty } from "../../simulator/read-property.js";

/** Equal requests of one client at one time. */
export interface Batch {
  readonly seconds: number;
  readonly count: number;
  /** `both`: both limits count them. `strict`: only the stricter one does. */
  readonly countedBy: "both" | "strict";
}

/** With more requests, no sequence is tried. */
const MOST_REQUESTS = 2400;

/** The maximum number of sequences, the shortest first. */
const MOST_SEQUENCES = 3;

/**
 * Sequences of requests, the last of which a rate limit stops and another one lets through whose numbers are at least as strict:
 * its counter or timeout has just ended, while the first one is in the middle of a period.
 * @param hasOthers whether there are requests that only the stricter limit counts
 */
export function momentsBetween(lax: object, strict: object, hasOthers: boolean): readonly (readonly Batch[])[] {
  const [low, high] = [plainLimit(strict), plainLimit(lax)];
  if (low === undefined || high === undefined) return [];
  const kinds = hasOthers ? (["strict", "both"] as const) : (["both"] as const);
  return kinds
    .flatMap((countedBy) => beginnings(low, high, countedBy))
    .flatMap((begin) => endings(begin, low, high))
    .filter((sequence) => total(sequence) <= MOST_REQUESTS && isMoment(sequence, low, high))
    .sort((a, b) => total(a) - total(b))
    .slice(0, MOST_SEQUENCES);
}

type PlainLimit = Pick<RateLimit, "periodSeconds" | "timeoutSeconds"> & { readonly requests: number };

/** Undefined for a limit that counts something else than the requests that it matches. */
function plainLimit(limit: object): PlainLimit | undefined {
  const [requests, periodSeconds] = [readNumber(limit, "requestsPerPeriod"), readNumber(limit, "period")];
  const counts = ["countingExpression", "scorePerPeriod"].some((name) => readProperty(limit, name) !== undefined);
  if (requests === undefined || periodSeconds === undefined || counts) return undefined;
  return { requests, periodSeconds, timeoutSeconds: readNumber(limit, "mitigationTimeout") ?? 0 };
}

/** Requests that begin a period of the stricter limit, or exceed it in different parts of a period of the other one. */
function beginnings(
  low: PlainLimit,
  { periodSeconds: period }: PlainLimit,
  countedBy: Batch["countedBy"],
): readonly (readonly Batch[])[] {
  const batch = (seconds: number, count: number): Batch => ({ seconds, count, countedBy });
  return [
    [batch(0, 1)],
    [batch(0, low.requests + 1)],
    ...[0.5, 1, 1.5].map((part) => [batch(0, 1), batch(part * period, low.requests)]),
    [batch(0, 1), batch(period, 1), batch(period * 1.5, low.requests - 1)],
  ];
}

/** As many requests as the other limit allows, and more once the stricter one has been reset. */
function endings(begin: readonly Batch[], low: PlainLimit, high: PlainLimit): readonly (readonly Batch[])[] {
  const since = begin.at(-1)?.seconds ?? 0;
  const strict = countIn(begin, low).counter;
  const isStopped = strict.until > 0;
  const end = isStopped ? strict.until / 1000 : strict.since / 1000 + low.periodSeconds;
  const half = high.periodSeconds / 2;
  return [since, high.periodSeconds, since + half, end - half, since + high.periodSeconds, high.timeoutSeconds]
    .filter((at) => at >= since && at < end)
    .map((at) => {
      // A limit that does not stop clients for some time may be exceeded.
      const most = isStopped || low.timeoutSeconds === 0 ? Number.POSITIVE_INFINITY : low.requests - strict.count;
      const count = Math.min(most, high.requests - countedAt(at, begin, high));
      const filled: readonly Batch[] = count > 0 ? [...begin, { seconds: at, count, countedBy: "both" }] : begin;
      const last = Math.max(1, high.requests + 1 - countedAt(end, filled, high));
      return inBatches([...filled, { seconds: end, count: last, countedBy: "both" }]);
    });
}

/** One batch for equal requests at the same time. */
function inBatches(sequence: readonly Batch[]): readonly Batch[] {
  return sequence.reduce<readonly Batch[]>((all, batch) => {
    const last = all.at(-1);
    const isSame = last?.seconds === batch.seconds && last.countedBy === batch.countedBy;
    return isSame ? [...all.slice(0, -1), { ...last, count: last.count + batch.count }] : [...all, batch];
  }, []);
}

/** Whether only the other limit stops the last request. */
function isMoment(sequence: readonly Batch[], low: PlainLimit, high: PlainLimit): boolean {
  return !countIn(sequence, low).isOver && countIn(countedByBoth(sequence), high).isOver;
}

function countedByBoth(sequence: readonly Batch[]): readonly Batch[] {
  return sequence.filter(({ countedBy }) => countedBy === "both");
}

/** How many requests of the period at a time the other limit has counted before. */
function countedAt(seconds: number, before: readonly Batch[], high: PlainLimit): number {
  const { counter } = countIn(countedByBoth(before), high);
  return currentCounter(counter, asRateLimit(high), seconds * 1000).count;
}

const EMPTY: Counter = { since: 0, count: 0, uncertain: 0, until: 0 };

/** The counter of a limit after all requests, and whether it stops the last one. */
function countIn(
  batches: readonly Batch[],
  numbers: PlainLimit,
): { readonly counter: Counter; readonly isOver: boolean } {
  const limit = asRateLimit(numbers);
  let [counter, isOver]: [Counter | undefined, boolean] = [undefined, false];
  for (const { seconds, count } of batches) {
    const now = seconds * 1000;
    for (let sent = 0; sent < Math.min(count, MOST_REQUESTS); sent += 1) {
      const before: Counter = currentCounter(counter, limit, now);
      const next = before.until > 0 ? before : { ...before, count: before.count + 1 };
      isOver = limitStatus(next, limit) === "over";
      counter = isOver ? stoppedCounter(next, limit, now) : next;
    }
  }
  return { counter: counter ?? EMPTY, isOver };
}

function asRateLimit(numbers: PlainLimit): RateLimit {
  return { ...numbers, characteristics: [] };
}

function total(sequence: readonly Batch[]): number {
  return sequence.reduce((sum, { count }) => sum + count, 0);
}
