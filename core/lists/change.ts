import { mapFrom, ownValue, sameJson } from "../model/json.js";
import type { Details, Items } from "./item.js";

/** How the items of a list differ. Keys are in the order of the items that they are in. */
export interface ItemChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Keys of items with other details. */
  readonly changed: readonly string[];
}

/** Compares items by key; their order is no difference. Takes one look-up for each item. */
export function compareItems(before: Items, after: Items): ItemChange {
  const keys = Object.keys(after);
  return {
    added: keys.filter((key) => ownValue(before, key) === undefined),
    changed: keys.filter((key) => {
      const old = ownValue(before, key);
      return old !== undefined && !sameJson(old, after[key]);
    }),
    removed: Object.keys(before).filter((key) => ownValue(after, key) === undefined),
  };
}

export function isNoChange({ added, removed, changed }: ItemChange): boolean {
  return added.length + removed.length + changed.length === 0;
}

/** What was changed at the service since the state was recorded, other than what the program wants anyway. */
export function foreignChange(last: Items, now: Items, wanted: Items): ItemChange {
  const { added, removed, changed } = compareItems(last, now);
  const differs = (key: string): boolean => !sameJson(ownValue(now, key), ownValue(wanted, key));
  return { added: added.filter(differs), removed: removed.filter(differs), changed: changed.filter(differs) };
}

/** The items with some of these keys. */
export function pickItems(items: Items, keys: readonly string[]): Items {
  return mapFrom(
    keys.flatMap((key) => {
      const details = ownValue<Details>(items, key);
      return details === undefined ? [] : [[key, details] as const];
    }),
  );
}

/** How items are written. */
type ItemWrite =
  | { readonly kind: "none" }
  /** Adds and changes first, so that no item is missing in between. */
  | { readonly kind: "edit"; readonly put: Items; readonly remove: readonly string[] }
  /** All items at once. */
  | { readonly kind: "replace"; readonly items: Items };

/**
 * The cheapest way from the items at the service to the wanted ones. Replacing all takes the fewest requests, but also takes
 * along what somebody adds in the meantime, so it is used only where most items change.
 */
export function planWrite(now: Items, wanted: Items, mayReplace: boolean): ItemWrite {
  const { added, removed, changed } = compareItems(now, wanted);
  const count = added.length + removed.length + changed.length;
  if (count === 0) return { kind: "none" };
  const most = removed.length > 0 && count * 2 > Object.keys(wanted).length;
  return mayReplace && most
    ? { kind: "replace", items: wanted }
    : { kind: "edit", put: pickItems(wanted, [...added, ...changed]), remove: removed };
}

/** As many items as one request changes. The service documents no limit for one; this keeps a body of addresses under 1 MB. */
const BATCH = 10_000;

/** Items, or their IDs, as they are sent: one request for each batch. */
export function batchesOf<T>(values: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(values.length / BATCH) }, (_, index) =>
    values.slice(index * BATCH, (index + 1) * BATCH),
  );
}
