import { isUnknown } from "./unknown.js";

/*
 * What a program says about when a rule applies, in fields that `check` resolves: its stage, and its first and last moment. The
 * service gets conditions instead.
 */

/** A field of a program's rule that `check` resolves, so that no write contains it; schema/rule.json marks them. */
export type WrittenField = "stage" | "from" | "until" | "split";

/** How far a rule has arrived: it only logs, applies to a share of the matching requests, or to all of them. */
export type Stage =
  { readonly kind: "log" } | { readonly kind: "share"; readonly percent: number } | { readonly kind: "full" };

export const STAGE_FORM = '"log", "full", or a share of the matching requests in whole percent, "1%" to "99%"';

/** Parses `log`, `5%` or `full`; undefined for anything else. */
export function parseStage(text: string): Stage | undefined {
  if (text === "log" || text === "full") return { kind: text };
  const percent = Number(/^(\d{1,2}) ?%$/.exec(text)?.[1] ?? 0);
  return percent === 0 ? undefined : { kind: "share", percent };
}

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

/** The shortest text that `parseMoment` reads as a moment: a day, if it is the start or, as the last one, the end of one. */
export function momentText(seconds: number, field: "from" | "until"): string {
  const isDay = seconds % SECONDS_PER_DAY === 0;
  const shown = isDay && field === "until" ? seconds - SECONDS_PER_DAY : seconds;
  if (!(Math.abs(shown) < 8e12)) return "";
  const text = new Date(shown * 1000).toISOString();
  return isDay ? text.slice(0, text.indexOf("T")) : text.replace(".000Z", "Z");
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

/** Why a rule of a list cannot be split; undefined if it can. */
export function splitFault(rule: Readonly<Record<string, unknown>>): string | undefined {
  const { ref, action, ratelimit } = rule;
  if (ref === undefined) return "requires ref: the refs of the parts begin with it";
  if (ratelimit !== undefined) return "is not for rate limits: each part would count by itself";
  return ONCE_OR_MORE.has(action) || isUnknown(action)
    ? undefined
    : `is not for the action ${String(action)}: it would act twice on a request that matches two parts`;
}
