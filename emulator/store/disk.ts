import { readSync, openSync, closeSync, existsSync, statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Change, Entry } from "./collection.js";

/** Identifies the file as the emulator's in the database header. */
const APPLICATION_ID = 0x72756c65;
const FORMAT = 2;

/** An entry as stored in the file. */
interface Row extends Entry {
  readonly collection: string;
}

/**
 * The state file: an SQLite database with one row per value, written in one transaction per request. A write only touches the
 * rows that it changes. It is synchronised with the disk before the request is answered, so that answered requests survive a
 * killed process and a power failure.
 */
export class Disk {
  private readonly upsert: StatementSync;
  private readonly remove: StatementSync;

  private constructor(
    readonly path: string,
    private readonly db: DatabaseSync,
  ) {
    this.upsert = db.prepare(
      "INSERT INTO entries (seq, collection, scope, id, value) VALUES (?, ?, ?, ?, ?) " +
        "ON CONFLICT (seq) DO UPDATE SET value = excluded.value",
    );
    this.remove = db.prepare("DELETE FROM entries WHERE seq = ?");
  }

  /** Opens or creates the file. Throws if it is another kind of file, in use, or not writable. */
  static open(path: string): Disk {
    const { DatabaseSync } = loadSqlite();
    try {
      const db = new DatabaseSync(path);
      // Exclusive, so that a second emulator cannot open the same file and overwrite this one's changes.
      // Only FULL synchronises the log at each commit: https://www.sqlite.org/pragma.html#pragma_synchronous
      db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      prepare(db);
      return new Disk(path, db);
    } catch (error) {
      throw explain(error, path);
    }
  }

  /** Everything in the file, in insertion order. */
  *rows(): Generator<Row> {
    for (const row of this.db.prepare("SELECT * FROM entries ORDER BY seq").iterate()) {
      const { seq, collection, scope, id, value } = row as unknown as Row & { readonly value: string };
      yield { seq, collection, scope, id, value: JSON.parse(value) as unknown };
    }
  }

  /** Writes changes, either all or none. */
  save(changes: readonly Change[]): void {
    this.db.exec("BEGIN");
    try {
      for (const { collection, before, after } of changes) {
        if (after !== undefined) {
          const { seq, scope, id, value } = after;
          this.upsert.run(seq, collection.name, scope, id, JSON.stringify(value));
        } else if (before !== undefined) {
          this.remove.run(before.seq);
        }
      }
      this.db.exec("COMMIT");
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back.
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.db.isOpen) this.db.close();
  }
}

/** Creates the table in a new file, and checks with a write that the file is writable. */
function prepare(db: DatabaseSync): void {
  const id = numberOf(db, "application_id");
  const format = numberOf(db, "user_version");
  const isNew = id === 0 && format === 0 && db.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  if (!isNew && id !== APPLICATION_ID) throw new Error("NOT_OURS");
  if (format > FORMAT) throw new Error("NEWER");
  db.exec(`BEGIN IMMEDIATE;
    PRAGMA application_id = ${String(APPLICATION_ID)};
    PRAGMA user_version = ${String(FORMAT)};
    CREATE TABLE IF NOT EXISTS entries (
      seq INTEGER PRIMARY KEY, collection TEXT NOT NULL, scope TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL
    );
    COMMIT;`);
}

function numberOf(db: DatabaseSync, pragma: string): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0);
}

function explain(error: unknown, path: string): Error {
  const { message, errstr } = error as Error & { errstr?: string };
  const reason = errstr ?? message;
  if (message === "NOT_OURS" || reason.includes("not a database")) return notAStateFile(path);
  if (message === "NEWER")
    return new Error(`${path} was written by a newer version of this package; update the package`);
  if (reason.includes("locked"))
    return new Error(`${path} is in use by another emulator; stop that one, or choose another file`);
  return new Error(`${path} cannot be written: ${reason}`, { cause: error });
}

/** The error for another kind of file. */
export function notAStateFile(path: string): Error {
  return new Error(`${path} is not a state file of the emulator; choose another file, or delete it to start over`);
}

/** The kind of file at a path. */
export function fileFormat(path: string): "none" | "database" | "other" {
  // If it is not a regular file, opening it fails with a suitable error.
  if (!existsSync(path) || !statSync(path).isFile()) return "none";
  const start = Buffer.alloc(16);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, start, 0, 16, 0);
    if (length === 0) return "none";
    return start.toString("latin1") === "SQLite format 3\0" ? "database" : "other";
  } finally {
    closeSync(file);
  }
}

/** The SQLite module of Node 22.13 and later. */
type Sqlite = typeof import("node:sqlite");

/** Loads it only for a state file, without the warning that Node 22 prints about its experimental status. */
export function loadSqlite(): Sqlite {
  const found = withoutWarnings(() => (process as Partial<NodeJS.Process>).getBuiltinModule?.("node:sqlite"));
  if (found !== undefined) return found;
  throw new Error(`a state file needs Node 22.13 or newer; this is ${process.version}`);
}

function withoutWarnings<T>(work: () => T): T {
  const loud = Object.getOwnPropertyDescriptor(process, "emitWarning");
  if (loud === undefined) return work();
  Object.defineProperty(process, "emitWarning", { ...loud, value: () => undefined });
  try {
    return work();
  } finally {
    Object.defineProperty(process, "emitWarning", loud);
  }
}
