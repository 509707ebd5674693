import { perRun } from "../../engine/session.js";
import type { ListInput, ListsInput } from "../../../core/simulator/lists.js";
import type { Items } from "../../../core/lists/item.js";
import { mapFrom } from "../../../core/model/json.js";

/** A list that a resource of the program declares. */
interface DeclaredList {
  readonly urn: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: string;
  /** The items that the program gives it, where they are known. */
  readonly items?: Items;
  /** What it contains before and after this run, where that is known: not if it has items of others. */
  readonly before?: ListInput | undefined;
  readonly after?: ListInput | undefined;
  /** What changes in a list that also has items of others. */
  readonly part?: ListPart | undefined;
  /** Whether a preview checks it, so that what it changes is reported. */
  readonly previewed?: boolean;
  /** How many items it has after this run, where a preview has judged that. */
  size?: number | undefined;
}

/** The inputs or the state of a list. */
interface RecordedList {
  readonly accountId: string;
  readonly name: string;
  readonly listId?: string;
  readonly items?: Items;
  readonly __takenOver?: boolean;
}

/** The keys of the items that a program removes from a list beside those of others. */
interface ListPart {
  readonly remove: readonly string[];
  /** Whether the stack does not have the list yet. */
  readonly isNew: boolean;
}

/** What is known of lists before and after this run, by name. */
interface KnownListsEdit {
  readonly before: ListsInput;
  readonly after: ListsInput;
}

/** What the lists of one program are in one run. Those that rules depend on are checked before the rules. */
export class ListsOfRun {
  /** By URN, lists as the engine has shown their inputs or their states: one may be created again. */
  readonly recorded = new Map<string, RecordedList>();
  private readonly byName = new Map<string, Map<string, DeclaredList>>();
  private readonly watchers = new Map<string, Set<() => void>>();

  declare(list: DeclaredList): void {
    const named = this.byName.get(list.name) ?? new Map<string, DeclaredList>();
    const { size } = named.get(list.urn) ?? {};
    this.byName.set(list.name, named.set(list.urn, { ...list, size }));
    if (isChanged(list)) for (const report of this.watchers.get(list.name) ?? []) report();
  }

  /** Reports something if a preview changes one of these lists, now and when one is checked later. */
  watch(names: readonly string[], report: () => void): void {
    for (const name of names) this.watchers.set(name, (this.watchers.get(name) ?? new Set()).add(report));
    if (this.changed(names).length > 0) report();
  }

  /** Those of the lists that a preview changes. */
  changed(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.named(name).some(isChanged));
  }

  /** Whether one of the lists has items of others, which have not been read. */
  hasPart(names: readonly string[]): boolean {
    return names.some((name) => this.named(name).some(({ part, after }) => part !== undefined && after === undefined));
  }

  /** What is known of some lists; nothing of a name that lists of several accounts have. */
  edit(names: readonly string[]): KnownListsEdit {
    const found = names.flatMap((name) => {
      const [only, ...more] = this.named(name);
      return only === undefined || more.length > 0 ? [] : [only];
    });
    const side = (version: "before" | "after"): ListsInput =>
      mapFrom(found.flatMap((list) => (list[version] === undefined ? [] : [[list.name, list[version]] as const])));
    return { before: side("before"), after: side("after") };
  }

  /** The lists of a name, in any account: which account a zone belongs to takes a request to know. */
  named(name: string): readonly DeclaredList[] {
    return [...(this.byName.get(name)?.values() ?? [])];
  }

  /** The lists of an account. */
  in(accountId: string): readonly DeclaredList[] {
    return [...this.byName.keys()].flatMap((name) => this.named(name)).filter((list) => list.accountId === accountId);
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }
}

function isChanged({ before, after, previewed = false }: DeclaredList): boolean {
  return previewed && before !== undefined && after !== undefined && before !== after;
}

/** The lists of this run. */
export const listsOfRun = perRun(() => new ListsOfRun());
