import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Writes the output to the file or to standard output. */
export function writeOutput(
  text: string,
  { output }: { readonly output?: string },
  print: (line: string) => void,
): void {
  if (output === undefined) print(text);
  else writeFile(output, text);
}

/** How wide the output may be: a file has lines of any length. */
export function columnsFor({ output }: { readonly output?: string }, columns?: number): number | undefined {
  return output === undefined ? columns : undefined;
}

/** Writes a text to a file that the user named. */
export function writeFile(path: string, text: string): void {
  orFail(path, () => {
    writeFileSync(path, `${text}\n`);
  });
}

/** Throws if no file can be made there, for a command that writes it only after a long time. */
export function requireFolder(path: string): void {
  orFail(path, () => {
    accessSync(dirname(path), constants.W_OK);
  });
}

function orFail(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Error(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Replaces a file as a whole, in a folder that is made: a process that is killed, or has no space, leaves the old one. Who may read
 * and write it stays.
 */
export function replaceFile(path: string, text: string): void {
  if (isSame(path, text)) return;
  const unfinished = `${path}.${String(process.pid)}`;
  try {
    makeFolder(dirname(path));
    writeFileSync(unfinished, text);
    if (existsSync(path)) chmodSync(unfinished, statSync(path).mode);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new Error(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

/** Makes a folder that may be there. What `recursive` alone says of a read-only disk is that there is no such folder. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") mkdirSync(path, { recursive: true });
    else if (code !== "EEXIST") throw error;
  }
}

function isSame(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}
