import type { ListInput } from "../../simulator/lists.js";

/** A list that a resource of the program declares. */
export interface DeclaredList {
  readonly urn: string;
  readonly accountId: string;
  readonly name: string;
  readonly kind: string;
  /** What it contains before and after this run, where that is known: not if it has items of others. */
  readonly before?: ListInput | undefined;
  readonly after?: ListInput | undefined;
}

/** What a program says about its lists before the resources that declare them are checked. */
export interface AnnouncedLists {
  /** Kinds by name. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Whether there are lists whose names are not known yet. */
  readonly hasUnknown: boolean;
}

/** The lists that the program declares in this run, in whatever order its resources are checked. */
export class DeclaredLists {
  private readonly byName = new Map<string, Map<string, DeclaredList>>();
  private readonly announced = new Map<string, string>();
  /** Whether a list may have any name. */
  hasUnknown = false;

  declare(list: DeclaredList): void {
    const named = this.byName.get(list.name) ?? new Map<string, DeclaredList>();
    this.byName.set(list.name, named.set(list.urn, list));
  }

  announce({ kinds, hasUnknown }: AnnouncedLists): void {
    for (const [name, kind] of Object.entries(kinds)) this.announced.set(name, kind);
    this.hasUnknown ||= hasUnknown;
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

  get names(): readonly string[] {
    return [...new Set([...this.byName.keys(), ...this.announced.keys()])];
  }
}

/** The declared lists of this run, as a part of the session. */
export function declaredLists(): DeclaredLists {
  return new DeclaredLists();
}
