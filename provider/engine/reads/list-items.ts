import { perRun } from "../session.js";
import type { ListsClient } from "../../../client/lists.js";
import { firstLineOf, isForbidden } from "../../../core/model/errors.js";
import type { Items } from "../../../core/lists/item.js";
import { isListKind, unknownKindWords, type ListKind } from "../../../core/lists/kind.js";
import { listInputOf } from "../../../core/lists/list-input.js";
import { mapFrom } from "../../../core/model/json.js";
import { joinNames, plural } from "../../../core/model/words.js";
import type { ListInput } from "../../../core/simulator/lists.js";
import type { AccountListReads } from "./lists.js";
import { Responses, WHOLE_RUN } from "./responses.js";

/** The items of a list at the service. */
interface ReadList {
  readonly kind: ListKind;
  readonly items: Items;
  /** The items as rules are judged with. */
  readonly input: ListInput;
}

/** What was read of some lists, by name; those that do not exist are left out. */
interface ReadLists {
  readonly lists: ReadonlyMap<string, ReadList>;
  /** Which lists were not read, and why, each as a sentence. */
  readonly notRead: readonly string[];
  /** Whether the reason is a missing permission. */
  readonly isForbidden?: boolean;
}

const NOTHING: ReadLists = { lists: new Map(), notRead: [] };

/** The items of the lists that somebody asks about, each list read once in a run. */
export class ListItemReads {
  private readonly items = new Responses<ReadList>(WHOLE_RUN);
  /** The lists whose items count towards what a run reads. */
  private readonly counted = new Set<string>();
  private size = 0;

  constructor(
    private readonly lists: Pick<AccountListReads, "of">,
    private readonly client: () => Pick<ListsClient, "items">,
    /** How many items a run reads of all lists together. */
    private readonly mostItems = Infinity,
  ) {}

  /**
   * Reads lists by name. Without the permission to read them, none are; nor where the service lists none at all, which may mean the same.
   * @param created those that this run creates: where none is listed, they do not exist yet
   */
  async read(accountId: string, names: readonly string[], created: readonly string[] = []): Promise<ReadLists> {
    if (names.length === 0) return NOTHING;
    try {
      const all = await this.lists.of(accountId);
      const found = all.filter(({ name }) => names.includes(name));
      const unseen = all.length > 0 ? [] : names.filter((name) => !created.includes(name));
      const notRead = unseen.length === 0 ? [] : [notReadWords(unseen, NONE_LISTED)];
      const read = found.flatMap(({ id, name, kind, size }) => {
        if (!isListKind(kind)) notRead.push(unknownKindWords({ name, kind }));
        else if (!this.isAffordable(id, size)) notRead.push(this.tooLarge(name, size));
        else {
          const list = this.items.read(id, () => this.readItems(accountId, id, kind, size));
          return [list.then((one) => [name, one] as const)];
        }
        return [];
      });
      return { lists: new Map(await Promise.all(read)), notRead };
    } catch (error) {
      if (!isForbidden(error)) throw error;
      return { ...NOTHING, notRead: [notReadWords(names, firstLineOf(error))], isForbidden: true };
    }
  }

  /** Counts the items of a list the first time. */
  private isAffordable(id: string, size: number): boolean {
    if (this.counted.has(id)) return true;
    if (this.size + size > this.mostItems) return false;
    this.counted.add(id);
    this.size += size;
    return true;
  }

  private tooLarge(name: string, size: number): string {
    const items = `${plural(size, "item")} of $${name} ${size === 1 ? "was" : "were"}`;
    return `${items} not read: a preview reads at most ${String(this.mostItems)} items`;
  }

  private async readItems(accountId: string, id: string, kind: ListKind, size: number): Promise<ReadList> {
    const stored = await this.client().items(accountId, id, kind, size);
    const items = mapFrom(stored.map(({ key, details }) => [key, details] as const));
    return { kind, items, input: listInputOf(kind, items) };
  }
}

const NONE_LISTED = "the service lists no list of the account: there is none, or the credentials may not read any";

function notReadWords(names: readonly string[], why: string): string {
  return `the items of ${joinNames(names.map((name) => `$${name}`))} could not be read: ${why}`;
}

/** A request for each 500 items: a sixth of what a token may send in five minutes, and more than most lists have. */
const MOST_ITEMS = 100_000;

/** Those of a run, as a part of the session. */
export const listItems = perRun((session) => new ListItemReads(session.lists, () => session.client.lists, MOST_ITEMS));
