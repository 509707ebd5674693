import { Collection, type Change } from "./collection.js";
import type { Disk } from "./disk.js";
import { IdSource } from "./ids.js";
import type { Seed } from "../seed.js";
import type { Account, Zone } from "../zones/model.js";

/** Everything the service knows, in collections. What a request changes is kept as a whole or taken back as a whole. */
export class Store {
  readonly zones: Collection<Zone>;
  readonly accounts: Collection<Account>;
  readonly ids: IdSource;
  /** The seed, the clock and other single values by name. */
  readonly meta: Collection<unknown>;
  private readonly collections = new Map<string, Collection<unknown>>();
  private changes: Change[] | undefined;
  private lastSeq = 0;

  constructor(private readonly disk?: Disk) {
    this.meta = this.collection("meta");
    this.accounts = this.collection("accounts");
    this.zones = this.collection("zones", ({ name }) => [name]);
    this.ids = new IdSource(this.meta);
  }

  /** A new collection; `names` are what its values are found by across scopes. */
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

  /** Reads what the file holds; false when it holds nothing yet. */
  load(): boolean {
    for (const { collection, ...entry } of this.disk?.rows() ?? []) {
      this.collections.get(collection)?.load(entry);
      this.lastSeq = entry.seq;
    }
    return this.lastSeq > 0;
  }

  get seed(): Seed {
    return this.meta.get("", "seed") ?? {};
  }

  /** Runs some work. What it changes is saved before this returns, and taken back when the work or the saving fails. */
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

  /** Runs some work and takes back what it changed, as `dry_run=true` asks. */
  tryOut<T>(work: () => T): T {
    return this.guarded(work, (changes) => {
      takeBack(changes);
    });
  }

  /** Everything of a zone or account, gone. */
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
      takeBack(changes);
      throw error;
    } finally {
      this.changes = undefined;
    }
  }
}

function takeBack(changes: readonly Change[]): void {
  for (const change of changes.toReversed()) change.collection.takeBack(change);
}

/** The last change of each entry: what an entry was in between matters to nobody. */
function lastOf(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [(change.after ?? change.before)?.seq, change])).values()];
}

/** A change that could not be written to the state file and was taken back. */
export class SaveError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
