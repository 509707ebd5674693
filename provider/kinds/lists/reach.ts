import type { Session } from "../../engine/session.js";
import { pickItems, type ItemChange } from "../../../core/lists/change.js";
import type { Items } from "../../../core/lists/item.js";
import { ownValue } from "../../../core/model/json.js";
import { plural } from "../../../core/model/words.js";
import { type CheckedList, declarePart, declareWhole } from "./declared.js";

/** The items before a run, as far as they are known. */
interface ItemsBefore {
  readonly own: Items | undefined;
  readonly all: Items | undefined;
}

/** What follows from whether a list may also have items of others. */
interface Reach {
  /** Whether one request may replace all items. */
  readonly mayReplace: boolean;
  /** What a delete does unless the program says otherwise. */
  readonly onDelete: "delete" | "empty";
  /** Those of all items that the resource may change, given the keys that it has or had. */
  readonly own: (all: Items, keys: readonly string[]) => Items;
  /** All items of the list, if those of the resource are all. */
  readonly all: (own: Items) => Items | undefined;
  /** What others did to items and a delete may undo: the items that count as wanted. */
  readonly untouched: (now: Items, keys: readonly string[]) => Items;
  /** How many items there are after a change. */
  readonly sizeAfter: (items: Items, size: number, change: ItemChange) => number;
  /** Lets the rules of this run know the items. */
  readonly declare: (session: Session, list: CheckedList, before: ItemsBefore) => void;
  /** Whose the items are after a run, where that is not plain. */
  readonly ownersText: (own: Items, all: Items) => readonly string[];
  /** How many items others have, if that has changed. */
  readonly othersChangeText: (before: number, now: number) => readonly string[];
}

/** The resource has all items. */
const WHOLE: Reach = {
  mayReplace: true,
  onDelete: "delete",
  own: (all) => all,
  all: (own) => own,
  // Others may have removed and edited items.
  untouched: pickItems,
  sizeAfter: (items) => Object.keys(items).length,
  declare: (session, list, { all }) => {
    declareWhole(session, list, all);
  },
  ownersText: () => [],
  othersChangeText: () => [],
};

/** The resource has its items beside those of others. */
const PART: Reach = {
  mayReplace: false,
  onDelete: "empty",
  own: pickItems,
  all: () => undefined,
  untouched: () => ({}),
  sizeAfter: (_items, size, { added, removed }) => size + added.length - removed.length,
  declare: (session, list, { own }) => {
    declarePart(session, list, own);
  },
  ownersText: (own, all) => [sharedText(own, all)],
  othersChangeText: (before, now) => (before === now ? [] : [`has ${othersWords(now)} now, and had ${String(before)}`]),
};

/** What follows from the `ownership` of a list. */
export function reachOf({ ownership }: { readonly ownership?: unknown }): Reach {
  return ownership === "shared" ? PART : WHOLE;
}

/** Whose the items of a shared list are after a run. */
function sharedText(own: Items, all: Items): string {
  const others = Object.keys(all).filter((key) => ownValue(own, key) === undefined).length;
  return `the program owns ${plural(Object.keys(own).length, "item")}, and leaves ${othersWords(others)}`;
}

/** `12 items of others`. */
function othersWords(count: number): string {
  return `${plural(count, "item")} of others`;
}
