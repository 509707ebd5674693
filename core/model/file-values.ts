import type { FileError, MistakeDetails } from "./file-error.js";

/** Steps into a document: keys of objects and indexes of lists. */
export type Steps = readonly (string | number)[];

/** The content of a file, and errors that name places in it. */
export interface FileValues {
  readonly value: unknown;
  errorAt(steps: Steps, reason: string, details?: MistakeDetails): FileError;
}
