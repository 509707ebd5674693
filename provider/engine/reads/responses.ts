import type { Clock } from "../../../client/http/index.js";

/** How long a cached response is valid, counted from its arrival. */
export const FRESH_MS = 30_000;

/** A clock by which a response stays valid for the whole run. */
export const WHOLE_RUN: Pick<Clock, "now"> = { now: () => 0 };

interface Kept<T> {
  /** When the response arrived; undefined while it is pending. */
  at: number | undefined;
  value: Promise<T>;
  /** The value, unless it is pending. */
  arrived?: { readonly value: T };
}

/**
 * Responses of the service by key. Concurrent readers of a key share one request. A failure is not cached, so the next
 * reader sends a new request. Neither is a response to a request that was sent before its key was forgotten.
 */
export class Responses<T> {
  private readonly kept = new Map<string, Kept<T>>();
  /** By key, the moment at which it was last forgotten. */
  private readonly forgotten = new Map<string, number>();
  private moment = 0;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** The response that is cached or pending; undefined if a request is needed. */
  find(key: string, ms = FRESH_MS): Promise<T> | undefined {
    return this.fresh(key, ms)?.value;
  }

  /** The response that is cached. */
  known(key: string): T | undefined {
    return this.fresh(key, FRESH_MS)?.arrived?.value;
  }

  read(key: string, ask: () => Promise<T>, ms = FRESH_MS): Promise<T> {
    const found = this.find(key, ms);
    if (found !== undefined) return found;
    const kept: Kept<T> = { at: undefined, value: ask() };
    this.put(key, kept);
    const date = (): void => {
      kept.at = this.clock.now();
    };
    kept.value.then(date, date);
    this.dropOnFailure(key, kept);
    return kept.value;
  }

  /** A number for the current moment, to be passed to `store` with a response to a request that is sent now. */
  now(): number {
    return this.moment;
  }

  store(key: string, value: T, sentAt = this.moment): void {
    if ((this.forgotten.get(key) ?? 0) > sentAt) return;
    this.put(key, { at: this.clock.now(), value: Promise.resolve(value), arrived: { value } });
  }

  /** Changes a response that is cached or pending, without making it newer. */
  change(key: string, change: (value: T) => T): void {
    const kept = this.kept.get(key);
    if (kept === undefined) return;
    kept.value = kept.value.then(change);
    this.dropOnFailure(key, kept);
  }

  forget(key: string): void {
    this.moment += 1;
    this.forgotten.set(key, this.moment);
    this.kept.delete(key);
  }

  /** Drops the oldest responses that are no longer valid, so that a long run keeps no more than it reads in this time. */
  dropOutdated(): void {
    for (const [key, kept] of this.kept) {
      if (this.isFresh(kept, FRESH_MS)) return;
      this.kept.delete(key);
    }
  }

  private fresh(key: string, ms: number): Kept<T> | undefined {
    const kept = this.kept.get(key);
    return kept !== undefined && this.isFresh(kept, ms) ? kept : undefined;
  }

  private isFresh({ at }: Kept<T>, ms: number): boolean {
    return at === undefined || this.clock.now() - at < ms;
  }

  /** Stores the newest entry last. */
  private put(key: string, kept: Kept<T>): void {
    this.kept.delete(key);
    this.kept.set(key, kept);
  }

  private dropOnFailure(key: string, kept: Kept<T>): void {
    kept.value.catch(() => {
      if (this.kept.get(key) === kept) this.kept.delete(key);
    });
  }
}
