import type { RulesList } from "../../../client/index.js";
import type { Session } from "../../engine/session.js";
import { compareItems, foreignChange, isNoChange, type ItemChange } from "../../../core/lists/change.js";
import type { DetailFields, Details, Items, StoredItem } from "../../../core/lists/item.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { mapFrom, ownValue, sameJson } from "../../../core/model/json.js";
import { plainText } from "../../../core/rules/spelling.js";
import type { ListInputs } from "./description.js";
import { reachOf } from "./reach.js";
import { findLimitError } from "./removal-limit.js";
import { listsOfRun } from "./run.js";
import { occupiedError, redescribes } from "./words.js";

/** An existing list of the wanted name. */
export interface Takeover {
  readonly list: RulesList;
  readonly stored: readonly StoredItem[];
  /** The items of the list that matter to the resource: all, or for a shared list those that the program has too. */
  readonly now: Items;
  /** These items as messages show them: comments of others may be secrets of another resource. */
  readonly shown: Items;
  /** These items after the takeover. */
  readonly result: Items;
  /** Whether this stack made it, so that a delete may remove it. */
  readonly isOwn: boolean;
  /** Why it is not taken over. */
  readonly refusal: RulesetsError | undefined;
}

/**
 * What taking over an existing list of that name would do; undefined if there is none, or if it is the one that this resource
 * replaces.
 */
export async function planTakeover(session: Session, inputs: ListInputs): Promise<Takeover | undefined> {
  const { accountId, name, kind, items: wanted } = inputs;
  const list = (await session.lists.of(accountId)).find((one) => one.name === name);
  if (list === undefined) return undefined;
  const before = listsOfRun(session).recorded.get(inputs.__urn ?? "");
  const last = before?.accountId === accountId && before.name === list.name ? before : undefined;
  const known = last?.listId === list.id ? last : undefined;
  const isOwn = known !== undefined && known.__takenOver !== true;
  if (list.kind !== kind) {
    if (last !== undefined) return undefined;
    return { list, stored: [], now: {}, shown: {}, result: {}, isOwn, refusal: kindError(list, kind) };
  }
  const stored = list.size === 0 ? [] : await session.client.lists.items(accountId, list.id, kind, list.size);
  const all = itemsIn(stored, wanted);
  const now = reachOf(inputs).own(all, Object.keys(wanted));
  const shown = known === undefined ? withoutComments(now) : now;
  const lost = lostItems(now, inputs, known?.items);
  const refusal = isNoChange(lost)
    ? findLimitError(session, inputs, { operation: "takeover", now: shown, wanted, size: list.size })
    : occupiedError(list, shown, wanted, lost, inputs.onExisting ?? "fail");
  return { list, stored, now, shown, result: wanted, isOwn, refusal };
}

/** Items with a note in place of each comment. */
function withoutComments(items: Items): Items {
  return mapFrom(Object.entries(items).map(([key, details]) => [key, withoutComment(details)] as const));
}

const NOT_SHOWN = "comment not shown";

function withoutComment(details: Details): Details {
  if (typeof details === "string") return details === "" ? "" : NOT_SHOWN;
  return details.comment === undefined ? details : { ...details, comment: NOT_SHOWN };
}

/** Whether a delete may remove the list: it is this stack's own, or will be, because it changes it or was asked to own it. */
export function isOwnedAfter({ isOwn, list, now }: Takeover, inputs: ListInputs): boolean {
  return isOwn || inputs.onExisting !== undefined || !sameJson(now, inputs.items) || redescribes(inputs, list);
}

/** What a takeover would lose without being told to. What the stack itself wrote before is the program's to change. */
function lostItems(now: Items, { items: wanted, onExisting = "fail" }: ListInputs, before?: Items): ItemChange {
  const { removed, changed } =
    before === undefined ? compareItems(now, wanted) : byOthers(foreignChange(before, now, wanted));
  return {
    added: [],
    removed: onExisting === "replace" ? [] : removed,
    changed: onExisting === "fail" ? changed : [],
  };
}

/** Changes of others as a takeover would undo them: it would remove what they added. */
function byOthers({ added, changed }: ItemChange): Pick<ItemChange, "removed" | "changed"> {
  return { removed: added, changed };
}

/**
 * Items of the service by key.
 * @param known items whose comments and targets the service may spell otherwise, and means the same: they keep their spelling
 */
export function itemsIn(stored: readonly StoredItem[], known: Items = {}): Items {
  return mapFrom(
    stored.map(({ key, details }) => {
      const ours = ownValue<Details>(known, key);
      const isSame = ours === undefined || sameJson(ours, details);
      return [key, !isSame && sameJson(inOneSpelling(ours), inOneSpelling(details)) ? ours : details] as const;
    }),
  );
}

function inOneSpelling(details: Details): DetailFields {
  const { comment = "", target, ...fields } = typeof details === "string" ? { comment: details } : details;
  return {
    ...fields,
    comment: plainText(comment),
    ...(target === undefined ? {} : { target: URL.canParse(target) ? new URL(target).href : target }),
  };
}

function kindError(list: RulesList, kind: string): RulesetsError {
  return new RulesetsError(
    `there is already a list ${list.name}, of the kind ${list.kind} and not ${kind}. The kind of a list cannot be changed. ` +
      "To continue: give the list of this program another name, or delete the existing one.",
    { code: "OWNERSHIP_OCCUPIED" },
  );
}
