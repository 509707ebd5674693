import type { RulesList } from "../../client/index.js";
import type { Session } from "../../engine/session.js";
import { compareItems, isNoChange, pickItems } from "../../lists/change.js";
import type { Items, StoredItem } from "../../lists/item.js";
import type { RulesetsError } from "../../model/errors.js";
import { mapFrom } from "../../model/json.js";
import { RulesetsError as KindError } from "../../model/errors.js";
import type { ListInputs } from "./description.js";
import { occupiedError } from "./words.js";

/** An existing list of the wanted name. */
export interface Takeover {
  readonly list: RulesList;
  readonly stored: readonly StoredItem[];
  /** The items of the list that matter to the resource: all, or for a shared list those that the program has too. */
  readonly now: Items;
  /** These items after the takeover. */
  readonly result: Items;
  /** Why it is not taken over. */
  readonly refusal: RulesetsError | undefined;
}

/** The lists of each account, read once in a run. */
const listsOfRun = (): Map<string, Promise<RulesList[]>> => new Map();

/** Every list of an account. All resources that are new to a run share one request. */
export function listsOf(session: Session, accountId: string): Promise<RulesList[]> {
  const lists = session.part(listsOfRun);
  const known = lists.get(accountId);
  if (known !== undefined) return known;
  const read = session.client.lists.list(accountId);
  lists.set(accountId, read);
  read.catch(() => lists.delete(accountId));
  return read;
}

export function forgetLists(session: Session, accountId: string): void {
  session.part(listsOfRun).delete(accountId);
}

/** What taking over an existing list of that name would do; undefined if there is none. */
export async function planTakeover(session: Session, inputs: ListInputs): Promise<Takeover | undefined> {
  const { accountId, name, kind, items: wanted, onExisting = "fail", ownership = "exclusive" } = inputs;
  const list = (await listsOf(session, accountId)).find((one) => one.name === name);
  if (list === undefined) return undefined;
  if (list.kind !== kind) return { list, stored: [], now: {}, result: {}, refusal: kindError(list, kind) };
  const stored = list.size === 0 ? [] : await session.client.lists.items(accountId, list.id, kind);
  const all = itemsIn(stored);
  const now = ownership === "shared" ? pickItems(all, Object.keys(wanted)) : all;
  const { removed, changed } = compareItems(now, wanted);
  const lost = {
    added: [],
    removed: onExisting === "replace" ? [] : removed,
    changed: onExisting === "fail" ? changed : [],
  };
  const refusal = isNoChange(lost) ? undefined : occupiedError(list, now, wanted, lost, onExisting);
  return { list, stored, now, result: wanted, refusal };
}

export function itemsIn(stored: readonly StoredItem[]): Items {
  return mapFrom(stored.map(({ key, details }) => [key, details] as const));
}

function kindError(list: RulesList, kind: string): RulesetsError {
  return new KindError(
    `there is already a list ${list.name}, of the kind ${list.kind} and not ${kind}. The kind of a list cannot be changed. ` +
      "To continue: give the list of this program another name, or delete the existing one.",
    { code: "OWNERSHIP_OCCUPIED" },
  );
}
