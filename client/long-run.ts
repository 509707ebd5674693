import type { Pace } from "./http/index.js";
import { formatDuration, formatNumber } from "../core/model/words.js";

/** A wait longer than this is announced before it begins. */
export const LONG_MS = 30_000;

/** How many requests a run is expected to make, in addition to those already queued. */
interface Expected {
  readonly further: number;
}

/** Receives the announcements of a run that waits for a long time. */
export interface LongRunReport {
  /** Called once, as soon as it is known that the run will wait for a long time. */
  readonly start: (text: string) => void;
  /** Called after each further tenth of its requests. */
  readonly progress: (text: string) => void;
}

/**
 * Announces how many requests a run will make and how long it will wait for the service's quota, as soon as that is known,
 * and then reports progress. The numbers are forecasts, which hold as long as no other client uses the quota.
 */
export class LongRun {
  private tenth: number | undefined;

  constructor(private readonly report: LongRunReport) {}

  /** Whether the start has been reported: single waits need not be. */
  get isReported(): boolean {
    return this.tenth !== undefined;
  }

  /** Reports the start or the progress of a long run, if there is something new. Cheap enough to call with every request. */
  update(pace: Pace, { further }: Expected): void {
    const ms = pace.forecast(further);
    if (ms === undefined) return;
    const remaining = pace.waiting + Math.round(further);
    const made = pace.requests - pace.waiting;
    if (this.tenth !== undefined) {
      this.reportProgress(made, remaining, ms);
      return;
    }
    if (ms <= LONG_MS) return;
    this.tenth = tenthOf(made, remaining);
    this.report.start(startWords(pace, further, ms));
  }

  private reportProgress(made: number, remaining: number, ms: number): void {
    const tenth = tenthOf(made, remaining);
    // The total is a forecast, so the share that is done may drop.
    if (this.tenth !== undefined && tenth <= this.tenth) return;
    this.tenth = tenth;
    const wait = ms > 0 ? `about ${formatDuration(ms)} to wait` : "no more waiting";
    this.report.progress(`${formatNumber(made)} of about ${formatNumber(made + remaining)} requests made, ${wait}`);
  }
}

function tenthOf(made: number, remaining: number): number {
  return Math.floor((10 * made) / Math.max(1, made + remaining));
}

function startWords(pace: Pace, further: number, ms: number): string {
  const remaining = pace.waiting + Math.round(further);
  const requests = remaining === 1 ? "1 request is" : `${formatNumber(remaining)} requests are`;
  return `about ${requests} still to be made, and ${pace.limitWords(further)}: this run will wait about ${formatDuration(ms)}.`;
}
