import { closeSync, openSync, readSync, statSync } from "node:fs";
import { STDIN } from "./sources.js";

/** What is read in one go: a file, or the lines that begin in a range of bytes of a large one. */
export interface Unit {
  readonly file: string;
  readonly range?: { readonly start: number; readonly end: number };
  /** The number of the range, from 0. */
  readonly part?: number;
}

/** A file is divided if that gives several cores something to do. */
const CHUNK = 1 << 26;

/** The units of files, in order. Only texts can be read from the middle. */
export function unitsOf(files: readonly string[]): readonly Unit[] {
  return files.flatMap((file): readonly Unit[] => {
    const size = sizeOf(file);
    if (size < 2 * CHUNK || !isText(file)) return [{ file }];
    return Array.from({ length: Math.ceil(size / CHUNK) }, (_, part) => {
      return { file, range: { start: part * CHUNK, end: Math.min((part + 1) * CHUNK, size) }, part };
    });
  });
}

/** In bytes; 0 if it cannot be read, which is reported when it is. */
export function sizeOf(file: string): number {
  return file === STDIN ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
}

/** Whether a file begins as lines of JSON do. */
function isText(file: string): boolean {
  return !file.endsWith(".har") && headOf(file).startsWith("{");
}

/** Whether the lines of a file can only be read from its beginning, because it is compressed or no file. */
export function isStream(file: string): boolean {
  if (file === STDIN || file.endsWith(".har")) return file === STDIN;
  const head = headOf(file);
  return head.startsWith(GZIP) || head.startsWith(ZSTD);
}

/* How files begin, one character for each byte. */
export const GZIP = "\x1f\x8b";
export const ZSTD = "\x28\xb5\x2f\xfd";
export const PARQUET = "PAR1";

/** The first four bytes of a file; none of what can be read only once. */
export function headOf(file: string): string {
  if (file === STDIN || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return "";
  const head = Buffer.alloc(4);
  const opened = openSync(file, "r");
  try {
    return head.toString("latin1", 0, readSync(opened, head));
  } finally {
    closeSync(opened);
  }
}
