import { readFileSync } from "node:fs";

/** Reads a file that the user names; standard input for the descriptor 0. */
export function readUserFile(path: string | 0): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw cannotRead(String(path), error);
  }
}

/** Reads a text file that the user names, without the byte order mark that some editors put before it. */
export function readUserText(path: string): string {
  return readUserFile(path)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}

/** Why a file cannot be read, without the system's own words for the most frequent reason. */
export function cannotRead(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const text = code === "ENOENT" ? "does not exist" : `cannot be read: ${message}`;
  return new Error(`${path} ${text}`, { cause: error });
}
