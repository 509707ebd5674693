/** A stored value with its location. Values are replaced as a whole, never modified. */
export interface Entry<T = unknown> {
  /** Grows with every new entry in any collection, and determines the order of lists. */
  readonly seq: number;
  /** ID of the zone or account that the value belongs to; empty if it belongs to none. */
  readonly scope: string;
  readonly id: string;
  readonly value: T;
}

/** A replaced value: `before` is missing for a new one, `after` for a deleted one. */
export interface Change {
  readonly collection: Collection<unknown>;
  readonly before?: Entry;
  readonly after?: Entry;
}

interface Options<T> {
  readonly nextSeq: () => number;
  readonly noted: (change: Change) => void;
  /** Names for finding values across all scopes, see {@link Collection.named}. */
  readonly names?: (value: T, scope: string) => readonly string[];
}

/** Values of one kind by scope and ID, in insertion order. No write scans the other values. */
export class Collection<T> {
  private readonly scopes = new Map<string, Map<string, Entry<T>>>();
  private readonly byName = new Map<string, Map<number, Entry<T>>>();
  /** The values of scopes, until one of them changes: every page of a list asks for them. */
  private readonly lists = new Map<string, readonly T[]>();

  constructor(
    readonly name: string,
    private readonly options: Options<T>,
  ) {}

  get(scope: string, id: string): T | undefined {
    return this.scopes.get(scope)?.get(id)?.value;
  }

  /** The same list as long as nothing in the scope changes. */
  in(scope: string): readonly T[] {
    const known = this.lists.get(scope);
    if (known !== undefined) return known;
    const values = [...(this.scopes.get(scope)?.values() ?? [])].map(({ value }) => value);
    if (values.length > 0) this.lists.set(scope, values);
    return values;
  }

  count(scope: string): number {
    return this.scopes.get(scope)?.size ?? 0;
  }

  /** The values with a name, in any scope. */
  named(name: string): T[] {
    return [...(this.byName.get(name)?.values() ?? [])].map(({ value }) => value);
  }

  /** The scopes of the values with a name. */
  scopesOf(name: string): string[] {
    return [...(this.byName.get(name)?.values() ?? [])].map(({ scope }) => scope);
  }

  put(scope: string, id: string, value: T): void {
    const before = this.scopes.get(scope)?.get(id);
    const after = { seq: before?.seq ?? this.options.nextSeq(), scope, id, value };
    this.replace(before, after);
    this.options.noted({ collection: this as Collection<unknown>, before, after });
  }

  delete(scope: string, id: string): void {
    const before = this.scopes.get(scope)?.get(id);
    if (before === undefined) return;
    this.replace(before, undefined);
    this.options.noted({ collection: this as Collection<unknown>, before });
  }

  clear(scope: string): void {
    const entries = this.scopes.get(scope);
    if (entries !== undefined) for (const id of [...entries.keys()]) this.delete(scope, id);
  }

  clearAll(): void {
    for (const scope of [...this.scopes.keys()]) this.clear(scope);
  }

  /** Adds an entry read from a file. */
  load(entry: Entry<T>): void {
    this.replace(undefined, entry);
  }

  rollBack({ before, after }: { readonly before?: Entry<T>; readonly after?: Entry<T> }): void {
    this.replace(after, before);
    // An entry restored after a deletion must return to its position.
    if (after === undefined && before !== undefined) this.sort(before.scope);
  }

  private replace(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    this.lists.delete((after ?? before)?.scope ?? "");
    if (before !== undefined) this.forgetNames(before);
    if (after === undefined) {
      if (before !== undefined) this.remove(before);
      return;
    }
    const entries = this.scopes.get(after.scope) ?? new Map<string, Entry<T>>();
    this.scopes.set(after.scope, entries.set(after.id, after));
    for (const name of this.options.names?.(after.value, after.scope) ?? []) {
      this.byName.set(name, (this.byName.get(name) ?? new Map<number, Entry<T>>()).set(after.seq, after));
    }
  }

  private sort(scope: string): void {
    const entries = [...(this.scopes.get(scope) ?? [])].sort(([, a], [, b]) => a.seq - b.seq);
    this.scopes.set(scope, new Map(entries));
    this.lists.delete(scope);
  }

  private remove({ scope, id }: Entry<T>): void {
    const entries = this.scopes.get(scope);
    entries?.delete(id);
    if (entries?.size === 0) this.scopes.delete(scope);
  }

  private forgetNames({ seq, scope, value }: Entry<T>): void {
    for (const name of this.options.names?.(value, scope) ?? []) {
      const carriers = this.byName.get(name);
      carriers?.delete(seq);
      if (carriers?.size === 0) this.byName.delete(name);
    }
  }
}
