/** How far a rule has arrived: it only logs, applies to a share of the matching requests, or to all of them. */
export type Stage =
  | { readonly kind: "log" }
  | { readonly kind: "share"; readonly percent: number }
  | { readonly kind: "full" };

export const MOMENT_FORM =
  'a day or a time in UTC, such as "2026-12-31" or "2026-12-31T18:00:00Z"; a last day is included to its end';

const SECONDS_PER_DAY = 86_400;
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})Z)?$/;

/**
 * Parses a moment in seconds since 1970: a day is its start in UTC, or, as the last one, its end. Undefined for anything else,
 * also for a day that no calendar has.
 */
export function parseMoment(text: string, field: "from" | "until"): number | undefined {
  const [, day, time] = MOMENT.exec(text) ?? [];
  if (day === undefined) return undefined;
  const at = new Date(`${day}T${time ?? "00:00:00"}Z`);
  // `Date` takes February 30 as March 2.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day)) return undefined;
  return at.getTime() / 1000 + (time === undefined && field === "until" ? SECONDS_PER_DAY : 0);
}

/** A moment in words: `the start of 2027-01-01 (UTC)`, `the end of 2026-12-31 (UTC)` or `2026-12-31 18:00:00 (UTC)`. */
export function momentWords(seconds: number, field: "from" | "until"): string {
  if (!(Math.abs(seconds) < 8e12)) return `second ${String(seconds)} since 1970`;
  const isDay = seconds % SECONDS_PER_DAY === 0;
  const at = new Date((field === "until" && isDay ? seconds - SECONDS_PER_DAY : seconds) * 1000);
  const [day = "", time = ""] = at.toISOString().split("T");
  if (!isDay) return `${day} ${time.slice(0, 8)} (UTC)`;
  return `the ${field === "until" ? "end" : "start"} of ${day} (UTC)`;
}

/** Actions that do the same however many of several equal rules a request matches. */
const ONCE_OR_MORE: ReadonlySet<unknown> = new Set([
  ...["block", "challenge", "js_challenge", "managed_challenge", "log", "skip", "redirect", "serve_error"],
  ...["set_config", "set_cache_settings", "route", "compress_response", "force_connection_close"],
]);

/** Why a rule cannot become several; undefined if it can. */
export function splitFault(rule: {
  readonly ref?: unknown;
  readonly action: unknown;
  readonly ratelimit?: unknown;
}): string | undefined {
  const { ref, action, ratelimit } = rule;
  if (ref === undefined) return "requires ref: the refs of the parts begin with it";
  if (ratelimit !== undefined) return "is not for rate limits: each part would count by itself";
  return ONCE_OR_MORE.has(action)
    ? undefined
    : `is not for the action ${String(action)}: it would act twice on a request that matches two parts`;
}
