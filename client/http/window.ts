import type { Quota } from "./quota.js";

/** Responses that report ends this close together are about the same window, because the service rounds to seconds. */
const SAME_WINDOW_MS = 2000;

/**
 * Tracks one quota of the service: a number of requests per window. Requests that are under way count as spent. While other
 * tools use the same quota, the remaining requests are spread over the window, and a part is left to those tools. Times are
 * in milliseconds since the epoch.
 */
export class Window {
  private left: number;
  private endsAt: number;
  /**
   * Whether the end was calculated instead of reported. The service's window begins when the first request arrives, which
   * is later.
   */
  private isEndCalculated = false;
  /** Requests that others have spent since this process started to watch the window. */
  private spentByOthers = 0;
  /** When this process started to watch the window. */
  private watchedSince: number;
  private nextAt = 0;
  private size: number;
  private lengthMs: number | undefined;

  constructor(quota: Quota, now: number, underWay: number) {
    this.left = quota.remaining - underWay;
    this.endsAt = now + quota.resetSeconds * 1000;
    this.watchedSince = now;
    this.size = quota.size ?? quota.remaining;
    this.lengthMs = quota.windowSeconds === undefined ? undefined : quota.windowSeconds * 1000;
  }

  /** Updates the window from a response, unless its request was sent before the window began: it is about the previous one. */
  observe(quota: Quota, { sentAt, now, underWay }: { sentAt: number; now: number; underWay: number }): void {
    if (quota.size !== undefined) this.size = quota.size;
    if (quota.windowSeconds !== undefined) this.lengthMs = quota.windowSeconds * 1000;
    const left = quota.remaining - underWay;
    const toEnd = quota.resetSeconds * 1000;
    if (sentAt + toEnd > this.endsAt + SAME_WINDOW_MS) {
      this.begin(left, now + toEnd, now);
      return;
    }
    if (sentAt < this.watchedSince) return;
    this.endsAt = this.isEndCalculated ? now + toEnd : Math.min(this.endsAt, now + toEnd);
    this.isEndCalculated = false;
    if (left >= this.left) return;
    this.spentByOthers += this.left - left;
    this.left = left;
  }

  /** Milliseconds until a request with `ahead` others before it may be sent. */
  delay(now: number, underWay: number, ahead: number): number {
    this.roll(now, underWay);
    if (ahead < this.left) return Math.max(0, this.nextAt + ahead * this.spacing(now) - now);
    const beyond = Math.floor((ahead - Math.max(0, this.left)) / Math.max(1, this.size));
    return this.endsAt - now + beyond * (this.lengthMs ?? this.endsAt - now);
  }

  /** Counts a request that is sent. */
  spend(now: number, underWay: number): void {
    this.roll(now, underWay);
    const spacing = this.spacing(now);
    this.nextAt = spacing === 0 ? 0 : Math.max(this.nextAt, now) + spacing;
    this.left -= 1;
  }

  /** Milliseconds between two requests: 0 while no other tool uses the quota. */
  private spacing(now: number): number {
    if (this.spentByOthers === 0 || this.left <= 0) return 0;
    const watched = Math.max(1000, now - this.watchedSince);
    const remaining = Math.max(0, this.endsAt - now);
    const forOthers = Math.min(this.left / 2, (this.spentByOthers / watched) * remaining);
    return remaining / Math.max(1, this.left - forOthers);
  }

  private roll(now: number, underWay: number): void {
    if (now < this.endsAt) return;
    this.begin(this.size - underWay, now + (this.lengthMs ?? 0), now);
    this.isEndCalculated = true;
  }

  private begin(left: number, endsAt: number, now: number): void {
    this.left = left;
    this.endsAt = endsAt;
    this.isEndCalculated = false;
    this.spentByOthers = 0;
    this.watchedSince = now;
    this.nextAt = 0;
  }
}
