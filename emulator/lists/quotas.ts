import { refuse, type ServiceError } from "../failure.js";
import type { Plan } from "../zones/model.js";
import type { Kind } from "./model.js";

interface Quota {
  /** What the lists that count are called. */
  readonly what: string;
  readonly kinds: readonly Kind[];
  readonly lists: Readonly<Record<Plan, number>>;
  /** Items in all of these lists together. */
  readonly items: Readonly<Record<Plan, number>>;
}

/**
 * What an account includes, by the highest plan of its zones: https://developers.cloudflare.com/waf/tools/lists/#availability,
 * https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/#availability
 */
const QUOTAS: readonly Quota[] = [
  {
    what: "custom lists",
    kinds: ["ip", "hostname", "asn"],
    lists: { free: 1, pro: 10, business: 10, enterprise: 1000 },
    items: { free: 10_000, pro: 10_000, business: 10_000, enterprise: 500_000 },
  },
  {
    what: "hostname lists",
    kinds: ["hostname"],
    lists: { free: 0, pro: 0, business: 0, enterprise: 40 },
    items: { free: 0, pro: 0, business: 0, enterprise: 10_000 },
  },
  {
    what: "ASN lists",
    kinds: ["asn"],
    lists: { free: 0, pro: 0, business: 0, enterprise: 40 },
    items: { free: 0, pro: 0, business: 0, enterprise: 30_000 },
  },
  {
    what: "redirect lists",
    kinds: ["redirect"],
    lists: { free: 5, pro: 5, business: 5, enterprise: 25 },
    items: { free: 10_000, pro: 25_000, business: 50_000, enterprise: 1_000_000 },
  },
];

/** How much of a quota an account uses, by the kind of its lists. */
type Usage = (kinds: readonly Kind[]) => number;

/** The refusal of one more list. */
export function listFault(kind: Kind, plan: Plan, used: Usage): ServiceError | undefined {
  return fault(kind, ({ what, kinds, lists }) => [what, used(kinds) + 1, lists[plan]]);
}

/** The refusal of items; `used` counts them as if they were there already. */
export function itemsFault(kind: Kind, plan: Plan, used: Usage): ServiceError | undefined {
  return fault(kind, ({ what, kinds, items }) => [`items in ${what}`, used(kinds), items[plan]]);
}

/** Codes and texts are not documented. */
function fault(
  kind: Kind,
  of: (quota: Quota) => [what: string, count: number, most: number],
): ServiceError | undefined {
  for (const quota of QUOTAS.filter(({ kinds }) => kinds.includes(kind))) {
    const [what, count, most] = of(quota);
    if (count <= most) continue;
    return refuse(400, 10_012, `exceeded the maximum number of ${what}: ${String(count)} out of ${String(most)}`);
  }
  return undefined;
}

/** https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/faq/ */
const MOST_SOURCES = 16;

/** The refusal of redirects, of which too many come from one host and path. The text is documented, the code is not. */
export function sourcesFault(sources: readonly string[]): ServiceError | undefined {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const place = source.replace(/^https?:\/\//, "");
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count > MOST_SOURCES)
      return refuse(
        400,
        10_059,
        "This account has reached the limit on the number of URL matching items on the same hostname/path",
      );
  }
  return undefined;
}
