import { Collection, type Change } from "./collection.js";
import type { Disk } from "./disk.js";
import { IdSource } from "./ids.js";
import type { Account, Zone } from "../zones/model.js";
/** The emulator's data, in collections. The changes of a request are saved or rolled back as a whole. */
export class Store {
  readonly zones: Collection<Zone>;
  readonly accounts: Collection<Account>;
  readonly ids: IdSource;
  /** Single values by name, such as the seed and the clock. */
  readonly meta: Collection<unknown>;
  private readonly collections = new Map<string, Collection<unknown>>();
  private changes: Change[] | undefined;
  private lastSeq = 0;

  constructor(private readonly disk?: Disk) {
    this.meta = this.collection("meta");
    this.accounts = this.collection("accounts");
    this.zones = this.collection("zones", ({ name }) => [name.toLowerCase()]);
    this.ids = new IdSource(this.meta);
  }

  /** Creates a collection; `names` are for finding its values across scopes. */
  collection<T>(name: string, names?: (value: T, scope: string) => readonly string[]): Collection<T> {
    const made = new Collection<T>(name, {
      nextSeq: () => (this.lastSeq += 1),
      noted: (change) => {
        if (this.changes === undefined) throw new Error(`a change of ${name} outside of a transaction`);
        this.changes.push(change);
      },
      ...(names === undefined ? {} : { names }),
    });
    this.collections.set(name, made as Collection<unknown>);
    return made;
  }

  /** Loads the content of the file; false if it is empty. */
  load(): boolean {
    for (const { collection, ...entry } of this.disk?.rows() ?? []) {
      this.collections.get(collection)?.load(entry);
      this.lastSeq = entry.seq;
    }
    return this.lastSeq > 0;
  }

  /** The seed that this content was created from. */
  get seed(): object {
    return this.meta.get("", "seed") ?? {};
  }

  /** Runs a function. Its changes are saved before this returns, and rolled back if the function or saving fails. */
  transact<T>(work: () => T): T {
    return this.guarded(work, (changes) => {
      if (this.disk === undefined || changes.length === 0) return;
      try {
        this.disk.save(lastOf(changes));
      } catch (error) {
        throw new SaveError(error);
      }
    });
  }

  /** Runs a function and rolls back its changes, for `dry_run=true`. */
  runAndRollBack<T>(work: () => T): T {
    return this.guarded(work, (changes) => {
      rollBack(changes);
    });
  }

  /** Removes everything of a zone or account. */
  removeOwner(id: string): void {
    for (const collection of this.collections.values()) collection.clear(id);
  }

  clear(): void {
    for (const collection of this.collections.values()) collection.clearAll();
  }

  close(): void {
    this.disk?.close();
  }

  private guarded<T>(work: () => T, finish: (changes: readonly Change[]) => void): T {
    const changes: Change[] = [];
    this.changes = changes;
    try {
      const result = work();
      finish(changes);
      return result;
    } catch (error) {
      rollBack(changes);
      throw error;
    } finally {
      this.changes = undefined;
    }
  }
}

function rollBack(changes: readonly Change[]): void {
  for (const change of changes.toReversed()) change.collection.rollBack(change);
}

/** The last change of each entry; intermediate values do not matter. */
function lastOf(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [(change.after ?? change.before)?.seq, change])).values()];
}

/** A change that was rolled back because it could not be written to the state file. */
export class SaveError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
