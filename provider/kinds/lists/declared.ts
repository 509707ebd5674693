import type { Session } from "../../engine/session.js";
import { compareItems, pickItems } from "../../../core/lists/change.js";
import type { Items } from "../../../core/lists/item.js";
import { isListKind } from "../../../core/lists/kind.js";
import { listInputOf } from "../../../core/lists/list-input.js";
import { sameJson } from "../../../core/model/json.js";
import { listsOfRun } from "./run.js";

/** A list that this run has checked. */
export interface CheckedList {
  readonly urn: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: string;
  /** The items that the program gives it. */
  readonly items: Items;
  /** Whether this is a preview, which reports what changes. */
  readonly preview: boolean;
}

/**
 * Lets the rules of this run know all items of a list, before it as far as they are known.
 * @param all after the run
 */
export function declareWhole(
  session: Session,
  { preview, ...list }: CheckedList,
  old: Items | undefined,
  all = list.items,
): void {
  const { kind } = list;
  if (!isListKind(kind)) {
    listsOfRun(session).declare(list);
    return;
  }
  const after = listInputOf(kind, all);
  const last = old === undefined || old === all ? old && after : listInputOf(kind, old);
  // Comments are no difference to rules.
  const before = last !== undefined && sameJson(last, after) ? after : last;
  listsOfRun(session).declare({ ...list, before, after, previewed: preview });
}

/** Declares the items that a shared list gets and loses, for judges of rules: those of others are not known yet. */
export function declarePart(session: Session, { preview: _, ...list }: CheckedList, old: Items | undefined): void {
  const part = { remove: compareItems(old ?? {}, list.items).removed, isNew: old === undefined };
  listsOfRun(session).declare({ ...list, part });
}

/**
 * The items of a whole list after a run that changes some of them.
 * @param all at the service
 * @param now those of them that the resource may change
 */
export function itemsAfter(all: Items, now: Items, wanted: Items): Items {
  const removed = new Set(compareItems(now, wanted).removed);
  const left = Object.keys(all).filter((key) => !removed.has(key));
  return { ...pickItems(all, left), ...wanted };
}
