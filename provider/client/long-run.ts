import type { Pace } from "../http/index.js";
import { durationWords, numberWords } from "../http/words.js";

/** A wait that is longer than this is told before it begins. */
export const LONG_MS = 30_000;

/** How many requests a run will still make, beside those that wait for their turn. */
export interface Expected {
  readonly further: number;
  /** Whether more may come of which nobody knows: then only those that wait are told. @default false */
  readonly open?: boolean;
}

/** Where a run that waits long says so. */
export interface LongRunReport {
  /** Once, when it is known that the run will wait for long. */
  readonly start: (text: string) => void;
  /** With each tenth of its requests after that. */
  readonly progress: (text: string) => void;
}

/**
 * Says of a run that has to wait for the service's quota how many requests it will make and how long that takes, as soon
 * as it is known, and then how far it is. Numbers are forecasts, which come true as long as nobody else spends the quota.
 */
export class LongRun {
  private tenth: number | undefined;

  constructor(private readonly report: LongRunReport) {}

  /** Looks at where the run stands. Costs nothing, so that it can be called with every request. */
  look(pace: Pace, { further, open = false }: Expected): void {
    const ms = pace.forecast(further);
    if (ms === undefined) return;
    const toCome = pace.waiting + Math.round(further);
    const made = pace.requests - pace.waiting;
    if (this.tenth !== undefined) {
      this.tellProgress(made, toCome, ms);
      return;
    }
    if (ms <= LONG_MS) return;
    this.tenth = tenthOf(made, toCome);
    this.report.start(startWords(pace, { further, open }, ms));
  }

  private tellProgress(made: number, toCome: number, ms: number): void {
    const tenth = tenthOf(made, toCome);
    // The number is a forecast, so it may fall back.
    if (this.tenth !== undefined && tenth <= this.tenth) return;
    this.tenth = tenth;
    const wait = ms > 0 ? `about ${durationWords(ms)} to wait` : "no more waiting";
    this.report.progress(`${numberWords(made)} of about ${numberWords(made + toCome)} requests made, ${wait}`);
  }
}

function tenthOf(made: number, toCome: number): number {
  return Math.floor((10 * made) / Math.max(1, made + toCome));
}

function startWords(pace: Pace, { further, open }: Expected, ms: number): string {
  const time = durationWords(ms);
  const limit = pace.limitWords(further);
  if (open === true) {
    const waiting = pace.waiting === 1 ? "1 request waits" : `${numberWords(pace.waiting)} requests wait`;
    return `${waiting} about ${time}: ${limit}. How many will follow is not known where no program runs.`;
  }
  return `about ${requestsWords(pace.waiting + Math.round(further))} are still to be made, and ${limit}: this run will wait about ${time}.`;
}

/** What a preview says of the run that would follow; undefined where it will not wait for long. */
export function nextRunWords(pace: Pace, requests: number): string | undefined {
  const ms = pace.forecast(requests);
  if (ms === undefined || ms <= LONG_MS) return undefined;
  return (
    `\`pulumi up\` will make about ${requestsWords(requests)}, and ${pace.limitWords(requests)}: ` +
    `it will wait about ${durationWords(ms)}.`
  );
}

export function requestsWords(count: number): string {
  return count === 1 ? "1 request" : `${numberWords(count)} requests`;
}
