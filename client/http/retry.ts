/** Outcome of one attempt. `refused`: the service cannot have received the request. `broken`: it may have. */
export type Outcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: "refused" }
  | { readonly kind: "broken" };

interface Attempt {
  readonly method: string;
  readonly outcome: Outcome;
  /** Attempts made so far, this one included. */
  readonly attempts: number;
  readonly maxRetries: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A number from 0 up to 1, for jitter. */
  readonly random: number;
}

type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "again"; readonly afterMs: number }
  | { readonly kind: "failed" };

const BASE_MS = 500;
const CAP_MS = 30_000;
/** The longest wait that the service may ask for: its window of five minutes, and the seconds by which clocks differ. */
export const LONGEST_MS = 310_000;

/** Milliseconds from now that a `Retry-After` header names, as whole seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = parseHttpDate(header);
  return date === undefined ? undefined : Math.max(date - now, 0);
}

/**
 * Every form of an HTTP date begins with a weekday, contains a time, and is in UTC. `Date.parse` alone would also accept
 * `-5` and `Sunday 5` as dates.
 */
function parseHttpDate(text: string): number | undefined {
  const date = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]*,? .*\d\d:\d\d:\d\d/.test(text)
    ? Date.parse(`${text.replace(/ GMT$/, "")} GMT`)
    : NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** Exponential backoff with up to a quarter of jitter: 0.5 s, 1 s, 2 s … at most 30 s. */
export function backoffMs(attempts: number, random: number): number {
  return Math.min(BASE_MS * 2 ** (attempts - 1), CAP_MS) * (1 - random / 4);
}

/** The wait that an answer asks for, in milliseconds; undefined for none. A date in the past may be that of another clock. */
export function askedMs(outcome: Outcome, now: number): number | undefined {
  const ms = outcome.kind === "answered" ? retryAfterMs(outcome.retryAfter, now) : undefined;
  return ms === 0 ? undefined : ms;
}

/** Whether the same request may be sent again after a failed attempt without doing any harm. */
function isHarmless(method: string, outcome: Outcome): boolean {
  if (method === "GET" || method === "DELETE") return true;
  return outcome.kind === "refused" || (outcome.kind === "answered" && outcome.status === 429);
}

function isTransient(outcome: Outcome): boolean {
  return outcome.kind !== "answered" || outcome.status === 429 || outcome.status >= 500;
}

/** Whether a write may or may not have been carried out, so that the result has to be checked. */
export function isAmbiguous(method: string, outcome: Outcome): boolean {
  return isTransient(outcome) && !isHarmless(method, outcome);
}

/** The same, also of a DELETE, which may be sent again whatever has become of it. */
export function isOutcomeUnknown(method: string, outcome: Outcome): boolean {
  return isAmbiguous(method === "DELETE" ? "POST" : method, outcome);
}

/**
 * What to do after an attempt: GET and DELETE are retried after 429, 5xx and broken connections; POST, PUT and PATCH only
 * if they cannot have been carried out (429, refused connection). Where the service asks for a longer wait than {@link LONGEST_MS},
 * nothing is sent again.
 */
export function decideRetry(attempt: Attempt): Verdict {
  const { method, outcome } = attempt;
  if (!isTransient(outcome)) return { kind: "done" };
  if (!isHarmless(method, outcome) || attempt.attempts > attempt.maxRetries) return { kind: "failed" };
  const asked = askedMs(outcome, attempt.now);
  if (asked !== undefined && asked > LONGEST_MS) return { kind: "failed" };
  return { kind: "again", afterMs: asked ?? backoffMs(attempt.attempts, attempt.random) };
}
