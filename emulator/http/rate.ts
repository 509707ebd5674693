import { refuse, type ServiceError } from "../failure.js";

/** The request quota. Requests are always counted, but only refused if `enforce` is set. */
export interface RateSeed {
  /** @default 1200 */
  readonly quota?: number;
  /** @default 300 */
  readonly windowSeconds?: number;
  /** Refuse requests beyond the quota with 429. @default false */
  readonly enforce?: boolean;
}

/** Counts requests per window and reports them in the real service's headers. */
export class RateCounter {
  private used = 0;
  private startedAt = 0;
  private seed: RateSeed = {};

  constructor(private readonly now: () => number) {}

  /** Starts counting from zero. */
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

  /** Counts a request; returns the refusal if it exceeds the quota. */
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
