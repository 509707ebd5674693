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

/** Counts requests per window and caller, as the service does for each user, and reports them in the real service's headers. */
export class RateCounter {
  private readonly windows = new Map<string, { used: number; startedAt: number }>();
  private seed: RateSeed = {};

  constructor(private readonly now: () => number) {}

  /** Starts counting from zero. */
  reset(seed: RateSeed): void {
    this.seed = seed;
    this.windows.clear();
  }

  private get quota(): number {
    return this.seed.quota ?? 1200;
  }
  private get windowSeconds(): number {
    return this.seed.windowSeconds ?? 300;
  }

  /** The window of a caller, which is a new one when the last is over. */
  private windowOf(caller: string): { used: number; startedAt: number } {
    const known = this.windows.get(caller);
    if (known !== undefined && this.now() - known.startedAt < this.windowSeconds * 1000) return known;
    const begun = { used: 0, startedAt: this.now() };
    this.windows.set(caller, begun);
    return begun;
  }

  /** Counts a request; returns the refusal if it exceeds the quota. */
  count(caller: string): ServiceError | undefined {
    const window = this.windowOf(caller);
    window.used += 1;
    const refused = this.seed.enforce === true && window.used > this.quota;
    return refused ? refuse(429, 971, "Please wait and consider throttling your request speed") : undefined;
  }

  headers(caller: string, refused: boolean): Record<string, string> {
    const { used, startedAt } = this.windowOf(caller);
    const left = Math.max(0, Math.ceil(this.windowSeconds - (this.now() - startedAt) / 1000));
    const remaining = this.seed.enforce === true ? Math.max(0, this.quota - used) : this.quota;
    return {
      Ratelimit: `"default";r=${String(remaining)};t=${String(left)}`,
      "Ratelimit-Policy": `"default";q=${String(this.quota)};w=${String(this.windowSeconds)}`,
      ...(refused ? { "Retry-After": String(Math.max(1, left)) } : {}),
    };
  }
}
