import { RulesetsError } from "./errors.js";

/** The numbers that a setting allows. */
export interface Range {
  readonly least: number;
  readonly most: number;
  readonly whole?: boolean;
  readonly unit?: string;
}

/** The longest delay of a timer, in milliseconds; with a longer one, it fires immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MOST_SECONDS = Math.floor(LONGEST_TIMER_MS / 1000);

/** A duration in seconds. */
export const SECONDS: Range = { least: 0.001, most: MOST_SECONDS, unit: "seconds" };
/** A duration in seconds, or 0. */
export const SECONDS_OR_NONE: Range = { least: 0, most: MOST_SECONDS, unit: "seconds" };
/** Attempts after the first. */
export const RETRIES: Range = { least: 0, most: 100, whole: true };
/** A number of days, or 0. */
export const DAYS: Range = { least: 0, most: 3650, unit: "days" };
/** How many days before a rule expires the warnings start, unless a setting says otherwise. */
export const EXPIRY_WARNING_DAYS = 7;
/** A percentage. */
export const PERCENT: Range = { least: 0, most: 100 };
/** The maximum is far above Cloudflare's limits, for use with an emulator. */
export const REQUESTS_PER_SECOND: Range = { least: 0.001, most: 1_000_000 };

export function isWithin(value: unknown, { least, most, whole }: Range): value is number {
  return typeof value === "number" && value >= least && value <= most && (whole !== true || Number.isInteger(value));
}

/** `must be a number of seconds from 0.001 to 2147483`. */
export function rangeText({ least, most, whole, unit }: Range): string {
  const what = `${whole === true ? "whole " : ""}number${unit === undefined ? "" : ` of ${unit}`}`;
  return `must be a ${what} from ${String(least)} to ${String(most)}`;
}

/** Throws CONFIG_INVALID, with the name of the setting, for a number outside its range. */
export function requireWithin(name: string, value: number | undefined, range: Range): void {
  if (value === undefined || isWithin(value, range)) return;
  throw new RulesetsError(`${name} is ${String(value)}; it ${rangeText(range)}.`, { code: "CONFIG_INVALID" });
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

/** How a period is written, for messages. */
export const PERIODS = "a time such as 90m, 24h, 7d or 4w";

/** Seconds of a period such as `7d`; undefined for a text that is none. */
export function secondsOfPeriod(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  return seconds > 0 ? seconds : undefined;
}
