import { REQUESTS_PER_SECOND, requireWithin } from "../../core/model/numbers.js";
import type { Clock } from "./clock.js";
import type { Quota } from "./quota.js";
import { Window } from "./window.js";

export interface LimiterOptions {
  /**
   * Maximum average of requests per second, even if the service allows more; 0.001 to 1000000.
   * @default the service's limit; 3.4 if it does not report one, which stays under 1200 in five minutes
   */
  readonly requestsPerSecond?: number;
  readonly clock: Clock;
}

const DEFAULT_RATE = 3.4;
const DEFAULT_BURST = 150;
/** Number of requests that may be sent before the first response reports the service's limits. */
const FIRST_REQUESTS = 8;

/** Releases a queued request. */
type Release = () => void;

/**
 * Limits the request rate of a process. Every response reports the service's quotas and what remains of them: requests are
 * sent immediately while something remains, and otherwise wait for the next window. If the service reports no quota, a token
 * bucket stays under the documented 1200 requests in five minutes (150 + 300 s * 3.4/s = 1170); it also enforces the rate
 * that a user sets. Requests are sent in the order in which they arrive.
 */
export class Limiter {
  private readonly windows = new Map<string, Window>();
  private readonly queue: Release[] = [];
  private readonly clock: Clock;
  private readonly chosen: boolean;
  private readonly rate: number;
  private readonly burst: number;
  private tokens: number;
  private refilledAt: number;
  private pausedUntil = 0;
  /** Counts the pauses: a delay that was calculated before one is no longer valid. */
  private pauses = 0;
  private underWay = 0;
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
   * Waits until one request may be sent, and returns the time at which it is sent, to be passed to `leave`. Calls `onWait`
   * with the expected milliseconds, unless the request need not wait.
   */
  async enter(onWait: (ms: number) => void = () => undefined): Promise<number> {
    const ms = this.delay(this.queue.length);
    if (ms > 0) onWait(ms);
    await new Promise<void>((resolve) => {
      this.queue.push(resolve);
      void this.drain();
    });
    return this.clock.now();
  }

  /** Records that the request sent at `sentAt` is finished, and the quotas that its response reports. */
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

  /** Delays all requests, for example after a 429. Whether that is more than a second longer than they are delayed anyway. */
  pause(ms: number): boolean {
    const until = this.clock.now() + ms;
    const before = this.pausedUntil;
    if (until <= before) return false;
    this.pausedUntil = until;
    this.pauses += 1;
    return until > before + 1000;
  }

  /** Releases queued requests in order, each when its time has come. */
  private async drain(): Promise<void> {
    if (this.draining) return;
    this.draining = true;
    while (this.queue.length > 0 && (this.answered || this.underWay < FIRST_REQUESTS)) {
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

  /** Milliseconds until a request with `ahead` others before it may be sent. */
  private delay(ahead: number): number {
    const now = this.clock.now();
    return Math.max(
      0,
      this.pausedUntil - now,
      this.bucketDelay(ahead),
      ...[...this.windows.values()].map((window) => window.delay(now, this.underWay, ahead)),
    );
  }

  /** The same according to the token bucket alone; 0 if the bucket is not in use. */
  private bucketDelay(ahead: number): number {
    if (!this.chosen && this.windows.size > 0) return 0;
    this.refill(this.clock.now());
    return ((ahead + 1 - this.tokens) / this.rate) * 1000;
  }

  private refill(now: number): void {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.refilledAt) / 1000) * this.rate);
    this.refilledAt = now;
  }
}
