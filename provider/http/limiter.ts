import type { Clock } from "./clock.js";

export interface LimiterOptions {
  /** Sustained requests a second. @default 3.4, which with the burst stays under 1200 in five minutes */
  readonly requestsPerSecond?: number;
  readonly clock: Clock;
}

/** What the rate headers of an answer say: requests left, and seconds until the window starts again. */
export interface RateState {
  readonly remaining: number;
  readonly resetSeconds: number;
}

const DEFAULT_RATE = 3.4;
const DEFAULT_BURST = 150;
/** Below this many requests left, the rest is spread over the time until the window starts again. */
const LOW_WATER = 20;

/**
 * One bucket of tokens for the whole process: a burst, then a steady rate, slower when the service says that little
 * is left, and not at all while it asks for a pause. 150 + 300 s * 3.4/s = 1170 stays under the documented 1200
 * requests in five minutes.
 */
export class Limiter {
  private tokens: number;
  private refilledAt: number;
  private pausedUntil = 0;
  private spacingMs = 0;
  private nextSlot = 0;
  private readonly rate: number;
  private readonly burst: number;
  private readonly clock: Clock;

  constructor(options: LimiterOptions) {
    this.rate = options.requestsPerSecond ?? DEFAULT_RATE;
    this.burst = options.requestsPerSecond === undefined ? DEFAULT_BURST : Math.max(1, Math.ceil(this.rate));
    this.tokens = this.burst;
    this.clock = options.clock;
    this.refilledAt = options.clock.now();
  }

  /** Takes one token and says how many milliseconds to wait before the request may go out. */
  reserve(): number {
    const now = this.clock.now();
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.refilledAt) / 1000) * this.rate) - 1;
    this.refilledAt = now;
    const forToken = this.tokens >= 0 ? 0 : (-this.tokens / this.rate) * 1000;
    const at = Math.max(now + forToken, this.pausedUntil, this.nextSlot);
    this.nextSlot = at + this.spacingMs;
    return at - now;
  }

  /** Holds every request back for a while, as after a 429. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
  }

  /** Slows down when the service says that little is left of its window. */
  observe(state: RateState): void {
    if (state.remaining <= 0) this.pause(state.resetSeconds * 1000);
    this.spacingMs =
      state.remaining > 0 && state.remaining < LOW_WATER ? (state.resetSeconds * 1000) / state.remaining : 0;
    if (this.spacingMs === 0) this.nextSlot = 0;
  }
}

/** Reads `Ratelimit: "default";r=50;t=30`: 50 requests left, 30 seconds to go. */
export function parseRateHeader(header: string | undefined): RateState | undefined {
  const remaining = /;\s*r=(\d+)/.exec(header ?? "")?.[1];
  const reset = /;\s*t=(\d+)/.exec(header ?? "")?.[1];
  return remaining === undefined || reset === undefined
    ? undefined
    : { remaining: Number(remaining), resetSeconds: Number(reset) };
}
