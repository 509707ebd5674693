import plans from "../../schema/plans.json";
import { strainOf, type QuotaUse } from "../model/quota.js";
import { capital } from "../model/words.js";
import type { Items } from "./item.js";

/** A list of an account, as quotas count it. */
export interface CountedList {
  readonly kind: string;
  readonly size: number;
}

/** A quota that a change of the lists of an account exceeds or nearly uses up. */
export interface StrainedQuota extends QuotaUse {
  /** What the account uses of it before the run. */
  readonly now: number;
}

/** What a change does to the lists of an account. */
interface QuotaChange {
  /** As they are at the service. */
  readonly now: readonly CountedList[];
  /** With what the run does to other lists. */
  readonly before: readonly CountedList[];
  readonly after: readonly CountedList[];
}

/** What the lists of an account use of what a plan includes. */
export function quotasOfLists(lists: readonly CountedList[], plan: string, kind?: string): QuotaUse[] {
  const rank = plans.plans.indexOf(plan);
  return plans.lists
    .filter(({ kinds }) => kind === undefined || kinds.includes(kind))
    .flatMap(({ what, kinds, lists: most, items }) => {
      const counted = lists.filter((list) => kinds.includes(list.kind));
      return [
        { what, count: counted.length, included: most[rank] ?? Infinity },
        { what: `items in ${what}`, count: sizeOf(counted), included: items[rank] ?? Infinity },
      ];
    });
}

/**
 * The quotas of an account that a change of its lists exceeds, or nearly uses up: those of the kind that the change is about, and only
 * if it uses more of them than before.
 */
export function strainedQuotas(kind: string, plan: string, { now, before, after }: QuotaChange): StrainedQuota[] {
  const [used, old] = [quotasOfLists(now, plan, kind), quotasOfLists(before, plan, kind)];
  return quotasOfLists(after, plan, kind)
    .filter((use, index) => strainOf(use) !== "fits" && use.count > (old[index]?.count ?? 0))
    .map((use) => ({ ...use, now: used.find(({ what }) => what === use.what)?.count ?? 0 }));
}

/** Those that are exceeded. */
export function exceededQuotas(...args: Parameters<typeof strainedQuotas>): StrainedQuota[] {
  return strainedQuotas(...args).filter((use) => strainOf(use) === "beyond");
}

function sizeOf(lists: readonly CountedList[]): number {
  return lists.reduce((sum, { size }) => sum + size, 0);
}

/** The plan that includes least. */
export const SMALLEST_PLAN = plans.plans[0] ?? "";

/** `2 custom lists (1 now), but the Free plan includes 1`. */
export function excessWords({ what, count, now, included }: StrainedQuota, plan: string): string {
  // Items are named before the lists that they are in.
  const counted = count === 1 ? what.replace(/s\b/, "") : what;
  return `${String(count)} ${counted} (${String(now)} now), but the ${capital(plan)} plan includes ${String(included)}`;
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
