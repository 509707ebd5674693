import { refuse, type ServiceError } from "../failure.js";

/** The request quota. Counted always, enforced only when asked. */
export interface RateSeed {
  /** @default 1200 */
  readonly quota?: number;
  /** @default 300 */
  readonly windowSeconds?: number;
  /** Refuses with 429 beyond the quota. @default false */
  readonly enforce?: boolean;
}

/** Counts requests in windows and speaks of it in the headers of the real service. */
export class RateCounter {
  private used = 0;
  private startedAt = 0;
  private seed: RateSeed = {};

  constructor(private readonly now: () => number) {}

  /** Starts to count anew. */
  reset(seed: RateSeed): void {
    this.seed = seed;
    this.used = 0;
    this.startedAt = this.now();
  }

  private get quota(): number {
    return this.seed.quota ?? 1200;
  }
  private get windowSeconds(): number {
    return this.seed.windowSeconds ?? 300;
  }
  private get secondsLeft(): number {
    return Math.max(0, Math.ceil(this.windowSeconds - (this.now() - this.startedAt) / 1000));
  }

  /** Counts a request; the refusal when it is one too many. */
  count(): ServiceError | undefined {
    if (this.now() - this.startedAt >= this.windowSeconds * 1000) {
      this.startedAt = this.now();
      this.used = 0;
    }
    this.used += 1;
    const refused = this.seed.enforce === true && this.used > this.quota;
    return refused ? refuse(429, 971, "Please wait and consider throttling your request speed") : undefined;
  }

  headers(refused: boolean): Record<string, string> {
    const remaining = this.seed.enforce === true ? Math.max(0, this.quota - this.used) : this.quota;
    return {
      Ratelimit: `"default";r=${String(remaining)};t=${String(this.secondsLeft)}`,
      "Ratelimit-Policy": `"default";q=${String(this.quota)};w=${String(this.windowSeconds)}`,
      ...(refused ? { "Retry-After": String(Math.max(1, this.secondsLeft)) } : {}),
    };
  }
}
