import { LONG_MS, LongRun, nextRunWords, type LongRunReport } from "../client/long-run.js";
import type { Pace } from "../client/index.js";

/** What the program reports with each resource. */
interface Declared {
  /** How many resources it has declared for this process so far. */
  readonly count: number;
  readonly preview: boolean;
}

/** Share and number of resources needed for an estimate: the first one in a zone makes a request that the others share. */
const ENOUGH = { share: 0.1, least: 10 };

/**
 * Estimates how many requests a run of the engine will make. The engine only passes one resource after another, but the
 * program reports how many it has declared, and the resources so far show how many requests one needs.
 */
export class RunForecast {
  private declared: Declared | undefined;
  /** Whether the program says how many resources there are. */
  private isCounted = false;
  /** URNs of resources that were checked in this run. */
  private readonly begun = new Set<string>();
  /** URNs of resources for which it is known whether they change. */
  private readonly settled = new Set<string>();
  /** URNs of resources that still have to be written. */
  private readonly due = new Set<string>();
  private pace: Pace | undefined;
  /** Requests of the refresh before the first check. */
  private before = 0;
  private reportedNext = false;
  private readonly run: LongRun;

  constructor(private readonly report: LongRunReport) {
    this.run = new LongRun(report);
  }

  /** Call before a resource is checked. */
  countCheck(urn: string, declared: Declared): void {
    if (this.begun.size === 0) this.before = this.pace?.requests ?? 0;
    this.begun.add(urn);
    this.isCounted ||= declared.count > 0;
    const count = Math.max(declared.count, this.declared?.count ?? 0, this.begun.size);
    this.declared = { ...declared, count };
  }

  /** Call when it is known whether a resource will be written. */
  countDecision(urn: string, isWritten: boolean): void {
    if (!this.begun.has(urn)) return;
    this.settled.add(urn);
    if (isWritten) this.due.add(urn);
    this.reportNextRun();
  }

  /** Whether it is decided about every resource that the program has declared so far. */
  private get isComplete(): boolean {
    return this.settled.size >= (this.declared?.count ?? 0);
  }

  get isPreview(): boolean {
    return this.declared?.preview === true;
  }

  /** Whether it is decided about every resource so far; false where the program does not say how many there are. */
  get hasSeenAll(): boolean {
    return this.isCounted && this.isComplete;
  }

  /** Call before a resource is written. */
  countWrite(urn: string): void {
    this.due.delete(urn);
  }

  /** Call when a request is queued, and when it is finished. */
  updatePace(pace: Pace): void {
    this.pace = pace;
    const { declared } = this;
    if (declared === undefined) {
      this.run.update(pace, { further: 0, open: true });
      return;
    }
    const isCertain = (pace.forecast(0) ?? 0) > LONG_MS;
    const enough = Math.min(declared.count, Math.max(ENOUGH.least, ENOUGH.share * declared.count));
    if (this.begun.size >= enough || isCertain) this.run.update(pace, { further: this.further(declared) });
  }

  /** Expected requests: outstanding writes, and for each resource to come, the average of those so far. */
  private further({ count, preview }: Declared): number {
    const due = preview ? 0 : this.due.size;
    const each = (this.requests + due) / Math.max(1, this.begun.size);
    return due + (count - this.begun.size) * each;
  }

  private get requests(): number {
    return (this.pace?.requests ?? 0) - this.before;
  }

  /** When a preview has handled all resources, the requests of `up` are known: the same reads, and the writes. */
  private reportNextRun(): void {
    const { pace } = this;
    if (this.reportedNext || pace === undefined || !this.isPreview || !this.isComplete) return;
    const words = nextRunWords(pace, this.requests + this.due.size);
    if (words === undefined) return;
    this.reportedNext = true;
    this.report.start(words);
  }
}
