import { readFileSync } from "node:fs";
import { utf8Text } from "../../../core/model/utf8.js";

/** Reads a file that the user names; standard input for the descriptor 0. */
export function readUserFile(path: string | 0): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw cannotRead(path || "standard input", error);
  }
}

/**
 * Reads a text file that the user names, without the byte order mark that some editors put before it. One in another encoding would be
 * read as other text than its author sees.
 */
export function readUserText(path: string): string {
  const text = utf8Text(readUserFile(path));
  if (text === undefined) throw new Error(`${path} is not UTF-8, so its text would be read wrong: save it as UTF-8`);
  return text.replace(/^\ufeff/, "");
}

/** Why a file cannot be read, without the system's own words for the most frequent reason. */
export function cannotRead(path: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const text = code === "ENOENT" ? "does not exist" : `cannot be read: ${message}`;
  return new Error(`${path} ${text}`, { cause: error });
}
