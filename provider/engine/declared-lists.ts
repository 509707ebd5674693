import type { ListInput, ListsInput } from "../../simulator/lists.js";
import type { Items } from "../lists/item.js";
import { mapFrom } from "../model/json.js";
import { joinFindings, type Findings } from "../validation/failure.js";

/** A list that a resource of the program declares. */
export interface DeclaredList {
  readonly urn: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: string;
  /** What it contains before and after this run, where that is known: not if it has items of others. */
  readonly before?: ListInput | undefined;
  readonly after?: ListInput | undefined;
  /** What changes in a list that also has items of others. */
  readonly part?: ListPart | undefined;
  /** Whether a preview checks it, so that what it changes is reported. */
  readonly previewed?: boolean;
}

/** The items of a list that a program puts there, and the keys of those that it removes. */
interface ListPart {
  readonly put: Items;
  readonly remove: readonly string[];
  /** Whether the stack does not have the list yet. */
  readonly isNew: boolean;
}

/** Judges, when a list is checked, what was judged with the items that it had before. */
export type JudgeList = (
  list: Pick<DeclaredList, "accountId" | "name">,
  request: { readonly urn: string; readonly preview: boolean },
) => Promise<Findings>;

/** What is known of lists before and after this run, by name. */
interface KnownListsEdit {
  readonly before: ListsInput;
  readonly after: ListsInput;
}

/** What a program says about its lists before the resources that declare them are checked. */
export interface AnnouncedLists {
  /** Kinds by name. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Whether there are lists whose names are not known yet. */
  readonly hasUnknown: boolean;
}

/** The lists that the program declares in this run, in whatever order its resources are checked. */
class DeclaredLists {
  private readonly byName = new Map<string, Map<string, DeclaredList>>();
  private readonly announced = new Map<string, string>();
  private readonly watchers = new Map<string, Set<() => void>>();
  private readonly judges: JudgeList[] = [];
  private readonly creations = new Map<string, Promise<boolean>>();
  /** Whether a list may have any name. */
  hasUnknown = false;

  declare(list: DeclaredList): void {
    const named = this.byName.get(list.name) ?? new Map<string, DeclaredList>();
    this.byName.set(list.name, named.set(list.urn, list));
    if (isChanged(list)) for (const report of this.watchers.get(list.name) ?? []) report();
  }

  /** Reports something if a preview changes one of these lists, now and when one is checked later. */
  watch(names: readonly string[], report: () => void): void {
    for (const name of names) this.watchers.set(name, (this.watchers.get(name) ?? new Set()).add(report));
    if (this.changed(names).length > 0) report();
  }

  onCheck(judge: JudgeList): void {
    this.judges.push(judge);
  }

  /** What follows from a list that has just been checked for what was checked before. */
  async judge(...given: Parameters<JudgeList>): Promise<Findings> {
    return joinFindings(await Promise.all(this.judges.map((judge) => judge(...given))));
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

  announce({ kinds, hasUnknown }: AnnouncedLists): void {
    for (const [name, kind] of Object.entries(kinds)) this.announced.set(name, kind);
    this.hasUnknown ||= hasUnknown;
  }

  /** Whether the program will declare a list of the name. */
  isAnnounced(name: string): boolean {
    return this.announced.has(name);
  }

  /** The lists of a name, in any account: which account a zone belongs to takes a request to know. */
  named(name: string): readonly DeclaredList[] {
    return [...(this.byName.get(name)?.values() ?? [])];
  }

  /** The kinds of the lists of a name; empty if the program declares none, as far as it is known. */
  kindsOf(name: string): readonly string[] {
    const announced = this.announced.get(name);
    return [...this.named(name).map(({ kind }) => kind), ...(announced === undefined ? [] : [announced])];
  }

  /** Creates a list: rules that use it wait for its items. */
  async creating<T>(name: string, create: () => Promise<T>): Promise<T> {
    const creation = create();
    const ended = creation.then(
      () => true,
      () => false,
    );
    this.creations.set(name, ended);
    return creation;
  }

  /** Whether this run has begun to create a list of the name. */
  isCreating(name: string): boolean {
    return this.creations.has(name);
  }

  /** Whether this run has created a list of the name, once that is known. */
  created(name: string): Promise<boolean> {
    return this.creations.get(name) ?? Promise.resolve(false);
  }

  get names(): readonly string[] {
    return [...new Set([...this.byName.keys(), ...this.announced.keys()])];
  }
}

function isChanged({ before, after, previewed = false }: DeclaredList): boolean {
  return previewed && before !== undefined && after !== undefined && before !== after;
}

/** The declared lists of this run, as a part of the session. */
export function declaredLists(): DeclaredLists {
  return new DeclaredLists();
}
