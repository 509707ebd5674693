import { Unknown, type Context } from "../language/index.js";
import type { RateLimit } from "./program.js";

/** A rule's counter for one client. */
export interface Counter {
  /** Start of its period, in milliseconds since 1970. */
  readonly since: number;
  readonly count: number;
  /** Requests that may or may not count. */
  readonly uncertain: number;
  /** The client is stopped until then; 0 if it is not stopped. */
  readonly until: number;
}

/** The counters of all rate limits: by rule, then by the values of the characteristics. Immutable, unless they are {@link RunningLimits}. */
export type Limits = ReadonlyMap<string, ReadonlyMap<string, Counter>>;

export const NO_LIMITS: Limits = new Map();

/** Counters that are changed in place, for one request after the other: copying them would take longer with every client. */
export class RunningLimits extends Map<string, Map<string, Counter>> {
  count(rule: string, bucket: string, counter: Counter): this {
    const known = this.get(rule);
    if (known === undefined) this.set(rule, new Map([[bucket, counter]]));
    else known.set(bucket, counter);
    return this;
  }
}

/** Whether a client is over the limit. `unknown`: it depends on requests that may not have counted. */
export type LimitStatus = "over" | "within" | "unknown";

/** Identifies the client of a request. Clients with an unknown value share one counter. */
export function bucketOf({ characteristics }: RateLimit, request: Context): string {
  const values = characteristics.map(({ name, value }) => {
    const found = value === undefined ? undefined : value.value(request);
    return [name, found instanceof Unknown ? "?" : found];
  });
  return JSON.stringify(values, (_, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    return value instanceof Map ? Array.from(value as ReadonlyMap<unknown, unknown>) : value;
  });
}

/** The current counter: a new one if its period or timeout has ended. */
export function currentCounter(counter: Counter | undefined, limit: RateLimit, now: number): Counter {
  const newCounter = { since: now, count: 0, uncertain: 0, until: 0 };
  if (counter === undefined) return newCounter;
  if (counter.until > 0) return now < counter.until ? counter : newCounter;
  return now - counter.since < limit.periodSeconds * 1000 ? counter : newCounter;
}

/** A counter at the limit is still within it. The first request above it is stopped. */
export function limitStatus({ count, uncertain, until }: Counter, limit: RateLimit): LimitStatus {
  const most = limit.requests ?? limit.score ?? Number.POSITIVE_INFINITY;
  if (until > 0 || count > most) return "over";
  return count + uncertain > most ? "unknown" : "within";
}

/** Stops the client from now on; without a timeout, only requests over the limit are stopped. */
export function stoppedCounter(counter: Counter, limit: RateLimit, now: number): Counter {
  return limit.timeoutSeconds === 0 || counter.until > 0
    ? counter
    : { ...counter, until: now + limit.timeoutSeconds * 1000 };
}

export function findCounter(limits: Limits, rule: string, bucket: string): Counter | undefined {
  return limits.get(rule)?.get(bucket);
}

export function withCounter(limits: Limits, rule: string, bucket: string, counter: Counter): Limits {
  if (limits instanceof RunningLimits) return limits.count(rule, bucket, counter);
  return new Map(limits).set(rule, new Map(limits.get(rule)).set(bucket, counter));
}
