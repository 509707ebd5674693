import type { ApiResult, Body, Query } from "../call.js";
import { countSteps } from "../certificates/life-cycle.js";
import type { Pace } from "../certificates/model.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import { getStored } from "../stored.js";
import { checkDelete, checkList, checkNewList, itemsOf } from "./bodies.js";
import { planOf } from "../zones/model.js";
import { itemsFault, listFault, sourcesFault } from "./quotas.js";
import type { ItemChange, Item, Kind, List, ListSettings, BulkOperation } from "./model.js";

/** Lists of an account with their items. */
export class ListsService {
  private readonly lists: Collection<List>;
  private readonly items: Collection<Item>;
  private readonly operations: Collection<BulkOperation>;
  private readonly settings: Collection<ListSettings>;

  constructor(
    private readonly store: Store,
    private readonly clock: EmulatorClock,
    /** The number of rulesets whose rules refer to a list. */
    private readonly uses: (account: string, name: string) => number,
  ) {
    this.lists = store.collection("lists", ({ name }, account) => [listName(account, name)]);
    this.items = store.collection("list-items", ({ key }, list) => [itemName(list, key)]);
    this.operations = store.collection("list-operations", ({ completed }, account) =>
      completed === undefined ? [runningIn(account)] : [],
    );
    this.settings = store.collection("list-settings");
  }

  list(account: string): ApiResult[] {
    this.settle(account);
    return this.lists.in(account).map((list) => this.toResult(account, list));
  }

  get(account: string, id: string): ApiResult {
    this.settle(account);
    return this.toResult(account, this.find(account, id));
  }

  /** The list that `$name` refers to. */
  named(account: string, name: string): List | undefined {
    return this.lists.named(listName(account, name))[0];
  }

  /** The values of a list, for expressions. */
  values(account: string, name: string): (string | number)[] | undefined {
    this.settle(account);
    const list = this.named(account, name);
    if (list === undefined) return undefined;
    const items = this.items.in(list.id);
    if (list.kind === "asn") return items.map(({ value }) => Number(value));
    return items.flatMap(({ key, value }) => namesOf(key, value));
  }

  /** The redirects of a list, in the API's notation. */
  redirects(account: string, name: string): { readonly redirect: object }[] {
    this.settle(account);
    const list = this.named(account, name);
    return list?.kind === "redirect" ? this.items.in(list.id).map(({ value }) => ({ redirect: value as object })) : [];
  }

  create(account: string, sent: Body): ApiResult {
    const body = described(checkNewList(sent) as { name: string; kind: Kind; description?: string });
    if (this.named(account, body.name) !== undefined)
      throw refuse(400, 10_019, `there is already a list named ${body.name}`, "/name");
    const used = (kinds: readonly Kind[]): number =>
      this.lists.in(account).filter(({ kind }) => kinds.includes(kind)).length;
    const full = listFault(body.kind, planOf(account, this.store.zones.in("")), used);
    if (full !== undefined) throw full;
    const now = this.now();
    const list: List = { id: this.store.ids.next(), ...body, createdOn: now, modifiedOn: now };
    this.lists.put(account, list.id, list);
    return this.toResult(account, list);
  }

  update(account: string, id: string, sent: Body): ApiResult {
    const found = this.find(account, id);
    const { description: _before, ...rest } = found;
    const list: List = { ...rest, ...described(checkList(sent) as Pick<List, "description">), modifiedOn: this.now() };
    this.lists.put(account, id, list);
    return this.toResult(account, list);
  }

  delete(account: string, id: string): { id: string } {
    const { name } = this.find(account, id);
    const uses = this.uses(account, name);
    if (uses > 0) throw refuse(400, 10_031, `the list ${name} is used by ${String(uses)} rulesets`);
    this.lists.delete(account, id);
    this.items.clear(id);
    return { id };
  }

  itemsOf(account: string, id: string, { search }: Query): ApiResult[] {
    this.settle(account);
    const { kind } = this.find(account, id);
    const fits = (item: Item): boolean =>
      search === undefined || (kind === "asn" ? item.key === search : item.key.includes(search.toLowerCase()));
    return this.items
      .in(id)
      .filter(fits)
      .map((item) => itemAnswer(kind, item));
  }

  item(account: string, id: string, itemId: string): ApiResult {
    this.settle(account);
    const { kind } = this.find(account, id);
    return itemAnswer(kind, getStored(this.items, id, itemId, 10_003, "item"));
  }

  addItems(account: string, id: string, sent: readonly Body[]): ApiResult {
    const list = this.find(account, id);
    const items = itemsOf(sent, list.kind);
    const added = new Set(
      items.map(({ key }) => key).filter((key) => this.items.named(itemName(id, key)).length === 0),
    );
    this.checkSize(account, list, this.items.count(id) + added.size);
    this.checkSources(account, list, [...this.items.in(id), ...items.filter(({ key }) => added.has(key))]);
    return this.begin(account, id, { kind: "add", items });
  }
  replaceItems(account: string, id: string, sent: readonly Body[]): ApiResult {
    const list = this.find(account, id);
    const items = itemsOf(sent, list.kind);
    this.checkSize(account, list, new Set(items.map(({ key }) => key)).size);
    this.checkSources(account, list, items);
    return this.begin(account, id, { kind: "replace", items });
  }
  removeItems(account: string, id: string, sent: Body): ApiResult {
    this.find(account, id);
    const { items } = checkDelete(sent) as { items: readonly { id: string }[] };
    return this.begin(account, id, { kind: "remove", ids: items.map((item) => item.id) });
  }

  /** The progress of an operation. If the pace counts reads, each call advances it. */
  operation(account: string, id: string): ApiResult {
    this.settle(account);
    const found = getStored(this.operations, account, id, 10_003, "operation");
    const { reads, completed } = found;
    if (completed !== undefined) return { id, status: "completed", completed };
    this.operations.put(account, id, { ...found, reads: reads + 1 });
    return { id, status: this.steps(found, this.pace(account)) === 0 ? "pending" : "running" };
  }

  setPace(account: string, pace: Pace): void {
    this.settings.put(account, "", { pace });
  }

  /** Refuses more redirects from one host and path than an account can have in all of its lists. */
  private checkSources(account: string, { id, kind }: List, items: readonly Pick<Item, "key">[]): void {
    if (kind !== "redirect") return;
    const others = this.lists.in(account).filter((list) => list.kind === "redirect" && list.id !== id);
    const fault = sourcesFault([items, ...others.map((list) => this.items.in(list.id))].flat().map(({ key }) => key));
    if (fault !== undefined) throw fault;
  }

  /** Refuses more items than the account includes in all of its lists. */
  private checkSize(account: string, { id, kind }: List, size: number): void {
    const used = (kinds: readonly Kind[]): number =>
      this.lists
        .in(account)
        .filter((list) => kinds.includes(list.kind))
        .reduce((sum, list) => sum + (list.id === id ? size : this.items.count(list.id)), 0);
    const full = itemsFault(kind, planOf(account, this.store.zones.in("")), used);
    if (full !== undefined) throw full;
  }

  /** Starts an operation. An account runs one at a time. */
  private begin(account: string, list: string, change: ItemChange): ApiResult {
    this.settle(account);
    if (this.operations.named(runningIn(account)).length > 0)
      throw refuse(400, 10_021, "another bulk operation of the account is under way");
    const id = this.store.ids.next();
    this.operations.put(account, id, { id, list, since: this.clock.now(), reads: 0, change });
    this.settle(account);
    return { operation_id: id };
  }

  /** Completes the running operation when it is due, in two steps: pending and running. */
  private settle(account: string): void {
    for (const operation of this.operations.named(runningIn(account))) {
      if (this.steps(operation, this.pace(account)) < 2) continue;
      this.apply(operation);
      this.operations.put(account, operation.id, { ...operation, completed: this.now() });
    }
  }

  private steps(operation: BulkOperation, pace: Pace): number {
    return countSteps(pace, operation, this.clock.now());
  }

  private apply({ list, change }: BulkOperation): void {
    const now = this.now();
    if (change.kind === "remove") {
      for (const id of change.ids) this.items.delete(list, id);
      return;
    }
    if (change.kind === "replace") this.items.clear(list);
    for (const sent of change.items) {
      const old = this.items.named(itemName(list, sent.key))[0];
      const item = { ...sent, id: old?.id ?? this.store.ids.next(), createdOn: old?.createdOn ?? now, modifiedOn: now };
      this.items.put(list, item.id, item);
    }
  }

  private toResult(account: string, list: List): ApiResult {
    const { id, name, kind, description, createdOn, modifiedOn } = list;
    return {
      id,
      name,
      kind,
      ...(description === undefined ? {} : { description }),
      num_items: this.items.count(id),
      num_referencing_filters: this.uses(account, name),
      created_on: createdOn,
      modified_on: modifiedOn,
    };
  }

  private pace(account: string): Pace {
    return this.settings.get(account, "")?.pace ?? "at-once";
  }
  private find(account: string, id: string): List {
    return getStored(this.lists, account, id, 10_003, "list");
  }
  /** The service writes dates of lists to the second. */
  private now(): string {
    return this.clock.timestamp().replace(/\.\d+/, "");
  }
}

/** A wildcard contains the names below a domain, and the domain itself if it says so. */
function namesOf(key: string, value: unknown): string[] {
  const { exclude_exact_hostname = true } = (value ?? {}) as { exclude_exact_hostname?: boolean };
  return exclude_exact_hostname ? [key] : [key, key.replace(/^[*][.]/, "")];
}

const listName = (account: string, name: string): string => `${account}/${name}`;
const itemName = (list: string, key: string): string => `${list}/${key}`;
const runningIn = (account: string): string => `running in ${account}`;

function itemAnswer(kind: Kind, { id, value, comment, createdOn, modifiedOn }: Item): ApiResult {
  return {
    id,
    [kind]: value,
    ...(comment === undefined ? {} : { comment }),
    created_on: createdOn,
    modified_on: modifiedOn,
  };
}

/** An empty description is none. */
function described<T extends { readonly description?: string }>({ description, ...rest }: T) {
  return description === undefined || description === "" ? rest : { ...rest, description };
}
