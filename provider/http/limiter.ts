import { REQUESTS_PER_SECOND, requireWithin } from "../model/numbers.js";
import type { Clock } from "./clock.js";
import type { Quota } from "./quota.js";
import { numberWords } from "./words.js";
import { Window } from "./window.js";

export interface LimiterOptions {
  /**
   * Most requests a second over time, whatever the service allows; 0.001 to 1000000.
   * @default what the service allows; where it does not say, 3.4, which stays under 1200 in five minutes
   */
  readonly requestsPerSecond?: number;
  readonly clock: Clock;
}

const DEFAULT_RATE = 3.4;
const DEFAULT_BURST = 150;
/** As many requests go out before the first answer tells what the service allows. */
const BLIND = 8;

/** A request that waits for its turn. */
type Waiting = () => void;

/** How fast requests may leave, for those who foresee how long a run takes. */
export interface Pace {
  /** Requests so far, those that wait for their turn included. */
  readonly requests: number;
  /** Those that wait for their turn. */
  readonly waiting: number;
  /**
   * Milliseconds until so many further requests have left, after those that wait already; without any, until those have.
   * Undefined while nothing is known of the quota: before the first answer.
   */
  forecast(further: number): number | undefined;
  /** What keeps so many further requests waiting, in words: `the service allows 1,200 requests in 5 minutes`. */
  limitWords(further: number): string;
}

/**
 * The pace of a process. Every answer names the service's quotas and what is left of them: requests go out at once while
 * there is something left, and wait for the next window when there is not. Where the service says nothing, a bucket of
 * tokens stays under the documented 1200 requests in five minutes (150 + 300 s * 3.4/s = 1170); it also keeps the pace
 * that a user sets. Requests leave in the order they came.
 */
export class Limiter implements Pace {
  private readonly windows = new Map<string, Window>();
  private readonly queue: Waiting[] = [];
  private readonly clock: Clock;
  private readonly chosen: boolean;
  private readonly rate: number;
  private readonly burst: number;
  private tokens: number;
  private refilledAt: number;
  private pausedUntil = 0;
  /** One more with every pause: what was worked out before it no longer holds. */
  private pauses = 0;
  private underWay = 0;
  private entered = 0;
  private answered = false;
  private draining = false;

  constructor(options: LimiterOptions) {
    requireWithin("requestsPerSecond", options.requestsPerSecond, REQUESTS_PER_SECOND);
    this.chosen = options.requestsPerSecond !== undefined;
    this.rate = options.requestsPerSecond ?? DEFAULT_RATE;
    this.burst = options.requestsPerSecond === undefined ? DEFAULT_BURST : Math.max(1, Math.ceil(this.rate));
    this.tokens = this.burst;
    this.clock = options.clock;
    this.refilledAt = options.clock.now();
  }

  /**
   * Waits for the turn of one request, and answers with the time it leaves, which `leave` wants back. `onWait` gets the
   * milliseconds it will wait, unless it leaves at once.
   */
  async enter(onWait: (ms: number) => void = () => undefined): Promise<number> {
    const ms = this.delay(this.queue.length);
    this.entered += 1;
    if (ms > 0) onWait(ms);
    await new Promise<void>((resolve) => {
      this.queue.push(resolve);
      void this.drain();
    });
    return this.clock.now();
  }

  get requests(): number {
    return this.entered;
  }

  get waiting(): number {
    return this.queue.length;
  }

  forecast(further: number): number | undefined {
    if (!this.answered && !this.chosen) return undefined;
    const last = this.queue.length + Math.ceil(further) - 1;
    return last < 0 ? 0 : this.delay(last);
  }

  limitWords(further: number): string {
    const now = this.clock.now();
    const last = Math.max(0, this.queue.length + Math.ceil(further) - 1);
    if (this.chosen && (this.bucketDelay(last) ?? 0) >= this.delay(last))
      return `the pace is set to ${numberWords(this.rate)} a second`;
    const delayOf = (window: Window): number => window.delay(now, this.underWay, last);
    const [tightest] = [...this.windows.values()].sort((a, b) => delayOf(b) - delayOf(a));
    return tightest === undefined
      ? `the service does not say how many it allows, so the pace is ${numberWords(this.rate)} a second`
      : `the service allows ${tightest.words()}`;
  }

  /** Notes that a request that left at a time is over, with what its answer says of the quotas. */
  leave(sentAt: number, quotas: readonly Quota[]): void {
    this.underWay -= 1;
    this.answered = true;
    const now = this.clock.now();
    for (const quota of quotas) {
      const window = this.windows.get(quota.name);
      if (window === undefined) this.windows.set(quota.name, new Window(quota, now, this.underWay));
      else window.observe(quota, { sentAt, now, underWay: this.underWay });
    }
    void this.drain();
  }

  /** Holds every request back for a while, as after a 429. */
  pause(ms: number): void {
    const until = this.clock.now() + ms;
    if (until <= this.pausedUntil) return;
    this.pausedUntil = until;
    this.pauses += 1;
  }

  /** Lets requests go, one after the other, as long as there are any and their time has come. */
  private async drain(): Promise<void> {
    if (this.draining) return;
    this.draining = true;
    while (this.queue.length > 0 && (this.answered || this.underWay < BLIND)) {
      const ms = this.delay(0);
      if (ms > 0) {
        const { pauses } = this;
        await this.clock.sleep(ms);
        if (this.pauses !== pauses) continue;
      }
      this.spend();
      this.queue.shift()?.();
    }
    this.draining = false;
  }

  private spend(): void {
    const now = this.clock.now();
    this.refill(now);
    this.tokens -= 1;
    for (const window of this.windows.values()) window.spend(now, this.underWay);
    this.underWay += 1;
  }

  /** Milliseconds until the request after `ahead` others may go out. */
  private delay(ahead: number): number {
    const now = this.clock.now();
    return Math.max(
      0,
      this.pausedUntil - now,
      this.bucketDelay(ahead) ?? 0,
      ...[...this.windows.values()].map((window) => window.delay(now, this.underWay, ahead)),
    );
  }

  /** The same by the bucket of tokens alone; undefined where it does not count. */
  private bucketDelay(ahead: number): number | undefined {
    this.refill(this.clock.now());
    const missing = ahead + 1 - this.tokens;
    return this.chosen || this.windows.size === 0 ? (missing / this.rate) * 1000 : undefined;
  }

  private refill(now: number): void {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.refilledAt) / 1000) * this.rate);
    this.refilledAt = now;
  }
}
