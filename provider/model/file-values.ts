import type { FileError, MistakeDetails } from "./file-error.js";

/** Steps into a document: keys of objects and indexes of lists. */
export type Steps = readonly (string | number)[];

/** The content of a file, and errors that name places in it. */
export interface FileValues {
  readonly value: unknown;
  errorAt(steps: Steps, reason: string, details?: MistakeDetails): FileError;
  /** Rejects unknown properties. */
  rejectUnknownMembers(value: object, names: readonly string[], at: Steps, what: string): void;
}

/** A text, or a list of them. */
export function textsAt(file: FileValues, value: unknown, at: Steps): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? (value as unknown[]) : [value];
  if (list.length === 0 || !list.every((item) => typeof item === "string" && item !== ""))
    throw file.errorAt(at, "must be a text or a list of texts");
  return list as readonly string[];
}

/** The items of a list, each with the steps to it; none without a list. */
export function itemsAt(file: FileValues, value: unknown, at: Steps): readonly (readonly [unknown, Steps])[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw file.errorAt(at, "must be a list");
  return (value as unknown[]).map((item, index) => [item, [...at, index]] as const);
}
