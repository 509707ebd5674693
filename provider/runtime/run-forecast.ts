import { LONG_MS, LongRun, nextRunWords, type LongRunReport } from "../client/long-run.js";
import type { Pace } from "../client/index.js";

/** What the program says of itself with each resource. */
export interface Declared {
  /** How many resources it has declared for this process so far. */
  readonly count: number;
  readonly preview: boolean;
}

/** Fewer of its resources say little of a program: the first in a zone costs a list that the others share. */
const ENOUGH = { share: 0.1, least: 10 };

/**
 * How many requests a run of the engine will make. Nobody tells it: the engine hands over one resource after the other. But
 * the program knows how many it declares, and the resources so far show what one costs: nothing where nothing changes.
 */
export class RunForecast {
  private declared: Declared | undefined;
  /** URNs of resources that were checked in this run. */
  private readonly begun = new Set<string>();
  /** Those of which it is known whether they change. */
  private readonly settled = new Set<string>();
  /** Those that are to be written yet. */
  private readonly due = new Set<string>();
  private pace: Pace | undefined;
  /** Requests of the refresh before the first check. */
  private before = 0;
  private toldNext = false;
  private readonly run: LongRun;

  constructor(private readonly report: LongRunReport) {
    this.run = new LongRun(report);
  }

  /** A resource is about to be checked. */
  checking(urn: string, declared: Declared): void {
    if (this.begun.size === 0) this.before = this.pace?.requests ?? 0;
    this.begun.add(urn);
    const count = Math.max(declared.count, this.declared?.count ?? 0, this.begun.size);
    this.declared = { ...declared, count };
  }

  /** It is known whether a resource is to be written. */
  settle(urn: string, isWritten: boolean): void {
    if (!this.begun.has(urn)) return;
    this.settled.add(urn);
    if (isWritten) this.due.add(urn);
    this.lookAhead();
  }

  /** The write of a resource begins. */
  writing(urn: string): void {
    this.due.delete(urn);
  }

  /** A request begins to wait for its turn, or is over. */
  paced(pace: Pace): void {
    this.pace = pace;
    const { declared } = this;
    if (declared === undefined) {
      this.run.look(pace, { further: 0, open: true });
      return;
    }
    const isCertain = (pace.forecast(0) ?? 0) > LONG_MS;
    const enough = Math.min(declared.count, Math.max(ENOUGH.least, ENOUGH.share * declared.count));
    if (this.begun.size >= enough || isCertain) this.run.look(pace, { further: this.further(declared) });
  }

  /** Requests that are still to come: writes that are due, and as many for each resource to come as for those so far. */
  private further({ count, preview }: Declared): number {
    const due = preview ? 0 : this.due.size;
    const each = (this.requests + due) / Math.max(1, this.begun.size);
    return due + (count - this.begun.size) * each;
  }

  private get requests(): number {
    return (this.pace?.requests ?? 0) - this.before;
  }

  /** Once a preview has seen all of the program, it knows what `up` will make: the same reads, and the writes. */
  private lookAhead(): void {
    const { declared, pace } = this;
    if (this.toldNext || pace === undefined || declared?.preview !== true || this.settled.size < declared.count) return;
    const words = nextRunWords(pace, this.requests + this.due.size);
    if (words === undefined) return;
    this.toldNext = true;
    this.report.start(words);
  }
}
