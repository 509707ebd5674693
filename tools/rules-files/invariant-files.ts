import type { NamedInvariant } from "../../core/invariants/invariant.js";
import { readInvariants } from "../../core/invariants/read.js";
import { findFiles } from "./text/find-files.js";
import { TextDocument, type FilePlace } from "./text/text-document.js";

/** Invariants, and where the files have them. */
export interface InvariantFiles {
  readonly invariants: readonly NamedInvariant[];
  readonly place: (invariant: NamedInvariant, exception?: number) => FilePlace;
}

/**
 * Reads files of invariants.
 * @param paths files, or folders with `*.invariants.yaml` in or below them
 * @throws Error with the place of the first mistake
 */
export function readInvariantFiles(paths: readonly string[]): InvariantFiles {
  const places = new Map<NamedInvariant, (exception?: number) => FilePlace>();
  const names = new Map<string, FilePlace>();
  for (const file of findFiles(paths, { ending: "invariants", what: "invariants" })) {
    const document = TextDocument.read(file);
    readInvariants(document).forEach((invariant, index) => {
      const at = ["invariants", index];
      const other = names.get(invariant.name);
      if (other !== undefined)
        throw document.errorAt(
          [...at, "name"],
          `${other.file}:${String(other.line)} has an invariant of this name as well`,
        );
      names.set(invariant.name, document.place(at));
      places.set(invariant, (exception) => document.place(exception === undefined ? at : [...at, "except", exception]));
    });
  }
  return {
    invariants: Array.from(places.keys()),
    place: (invariant, exception) => (places.get(invariant) as (exception?: number) => FilePlace)(exception),
  };
}
