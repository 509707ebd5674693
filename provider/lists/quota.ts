import plans from "../../schema/plans.json";
import { capital } from "../model/words.js";
import type { Items, ListKind } from "./item.js";

/** A list of an account, as quotas count it. */
export interface CountedList {
  readonly kind: ListKind;
  readonly size: number;
}

/** A quota that the lists of an account exceed. */
export interface Excess {
  /** What is counted: `custom lists`, `items in custom lists`. */
  readonly what: string;
  readonly count: number;
  readonly before: number;
  /** How many the plan includes. */
  readonly included: number;
}

/**
 * The quotas of an account that a change of its lists exceeds: those of the kind that the change is about, and only if it uses
 * more of them than before.
 */
export function exceededQuotas(
  kind: ListKind,
  plan: string,
  { before, after }: { readonly before: readonly CountedList[]; readonly after: readonly CountedList[] },
): Excess[] {
  const rank = plans.plans.indexOf(plan);
  return plans.lists
    .filter(({ kinds }) => kinds.includes(kind))
    .flatMap(({ what, kinds, lists, items }) => {
      const counted = (all: readonly CountedList[]): CountedList[] => all.filter((list) => kinds.includes(list.kind));
      const [old, now] = [counted(before), counted(after)];
      return [
        { what, count: now.length, before: old.length, included: lists[rank] ?? Infinity },
        { what: `items in ${what}`, count: sizeOf(now), before: sizeOf(old), included: items[rank] ?? Infinity },
      ];
    })
    .filter(({ count, before: old, included }) => count > included && count > old);
}

function sizeOf(lists: readonly CountedList[]): number {
  return lists.reduce((sum, { size }) => sum + size, 0);
}

/** The plan that includes least. */
export const SMALLEST_PLAN = plans.plans[0] ?? "";

/** `2 custom lists (1 now), but the Free plan includes 1`. */
export function excessWords({ what, count, before, included }: Excess, plan: string): string {
  return `${String(count)} ${what} (${String(before)} now), but the ${capital(plan)} plan includes ${String(included)}`;
}

/** https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/faq/ */
export const MOST_SOURCES = 16;

/** Hosts with paths that more redirects of some lists have in common than an account can have, with their number. */
export function crowdedSources(lists: readonly Items[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  // A list has a source once, or up to three times with other schemes.
  if (lists.length * 3 <= MOST_SOURCES) return counts;
  for (const key of lists.flatMap((items) => Object.keys(items))) {
    const place = key.replace(/^https?:\/\//, "");
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > MOST_SOURCES));
}
