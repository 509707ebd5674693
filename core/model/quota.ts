/* The one judgement of quotas, for previews and reports. */

/** How much of something is used, and how much a plan or an account includes. */
export interface QuotaUse {
  /** What is counted: `custom lists`, `rules in http_ratelimit`. */
  readonly what: string;
  readonly count: number;
  /** Infinite if nobody documents a limit. */
  readonly included: number;
}

/** `near`: from 90 %. */
export type QuotaState = "fits" | "near" | "beyond";

type Numbers = Pick<QuotaUse, "count" | "included">;

const NEAR = 0.9;
/** A quota of fewer is meant to be used up. */
const LEAST = 10;

export function quotaState({ count, included }: Numbers): QuotaState {
  if (count > included) return "beyond";
  return count > 0 && count >= included * NEAR ? "near" : "fits";
}

/** How much of a quota is used, for a preview: it does not warn about quotas that are meant to be used up. */
export function strainOf(use: Numbers): QuotaState {
  const state = quotaState(use);
  return state === "near" && use.included < LEAST ? "fits" : state;
}

/** `9000 of 10000 items in custom lists`. */
export function quotaWords({ what, count, included }: QuotaUse): string {
  return `${String(count)} of ${String(included)} ${what}`;
}
