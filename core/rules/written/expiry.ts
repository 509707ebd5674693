import { momentWords } from "../../model/rollout.js";
import { plural } from "../../model/words.js";
import { isUnknown } from "../../model/unknown.js";
import { windowOf } from "./rollout.js";

const SECONDS_PER_DAY = 86_400;

/** A rule whose time is over, or soon will be. */
interface Expiry {
  readonly kind: "expired" | "expiring";
  /** The first second in which it no longer applies. */
  readonly until: number;
  /** `it expired at the end of 2026-12-31 (UTC)`, or `it expires in 3 days, at the end of 2026-12-31 (UTC)`. */
  readonly text: string;
}

/**
 * The end of a rule whose time is over, in words: `the end of 2026-12-31 (UTC)`; undefined while it may still apply.
 * @param now seconds since 1970
 */
export function endOf(rule: Readonly<Record<string, unknown>>, now: number): string | undefined {
  const { until } = windowOf(rule);
  return until === undefined || isUnknown(rule.expression) || until > now ? undefined : momentWords(until, "until");
}

/**
 * The beginning of a rule that does not apply yet, in words: `the start of 2027-01-01 (UTC)`; undefined if it may apply.
 * @param now seconds since 1970
 */
export function beginOf(rule: Readonly<Record<string, unknown>>, now: number): string | undefined {
  const { from } = windowOf(rule);
  return from === undefined || from <= now ? undefined : momentWords(from, "from");
}

/**
 * Whether the time of a rule is over, or will be within some days. Undefined for a disabled rule, which never applies.
 * @param now seconds since 1970
 */
export function expiryOf(rule: Readonly<Record<string, unknown>>, now: number, days: number): Expiry | undefined {
  const { until } = rule.enabled === false ? {} : windowOf(rule);
  if (until === undefined || isUnknown(rule.expression) || until > now + days * SECONDS_PER_DAY) return undefined;
  const end = momentWords(until, "until");
  if (until <= now) return { kind: "expired", until, text: `it expired at ${end}` };
  return { kind: "expiring", until, text: `it expires in ${leftWords(until - now)}, at ${end}` };
}

/** The time left, in days, or below two days in hours; rounded down. */
function leftWords(seconds: number): string {
  if (seconds >= 2 * SECONDS_PER_DAY) return plural(Math.floor(seconds / SECONDS_PER_DAY), "day");
  const hours = Math.floor(seconds / 3600);
  return hours === 0 ? "less than an hour" : plural(hours, "hour");
}
