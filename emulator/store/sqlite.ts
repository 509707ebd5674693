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
