import { existsSync, globSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Standard input, as arguments name it. */
export const STDIN = "-";

/** The files that arguments name: files, folders with all that is in them, patterns, and standard input. Each is read once. */
export function findFiles(named: readonly string[]): readonly string[] {
  return Array.from(new Set(named.flatMap(filesOf)));
}

function filesOf(named: string): readonly string[] {
  if (named === STDIN) return [STDIN];
  if (existsSync(named)) return statSync(named).isDirectory() ? someFilesIn(named) : [named];
  const found = /[*?[{]/.test(named) ? globSync(named).sort() : [];
  if (found.length > 0) return found.flatMap(filesOf);
  throw new Error(`${named} ${/[*?[{]/.test(named) ? "matches no file" : "does not exist"}`);
}

/** What is in a folder that somebody has named: a wrong one must not pass for a log without requests. */
function someFilesIn(folder: string): readonly string[] {
  const files = filesIn(folder);
  if (files.length === 0) throw new Error(`${folder} has no file to read; names that begin with . or _ are left out`);
  return files;
}

/** What is in a folder, at any depth, by name. Names that begin with a dot or `_` are no data, such as `_SUCCESS` of Spark. */
function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !/^[._]/.test(name));
  const names = entries.map(({ name }) => name).sort();
  return names.flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}
