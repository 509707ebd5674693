import { literal, name, type Member } from "../code/code.js";
import type { SelectedScope } from "./content.js";

/** What the parts of a program share: names that no two resources have, and what else the program consists of. */
export interface ProgramParts {
  /** The name of a zone or an account in names of files and resources. */
  slug(scope: SelectedScope): string;
  /** A name for a resource, which nothing else has. */
  takeName(wanted: string, id: string): string;
  /** Records a resource that the program declares. */
  declare(type: string, resource: string, id: string | undefined): void;
  /** The variable of a list that the program creates; undefined for one that exists. */
  newList(name: string): string | undefined;
  /** Adds a file beside the program, and returns its path. */
  addFile(wanted: string, id: string, file: { readonly extension: string; readonly text: string }): string;
}

export function member(key: string, value: string): Member {
  return { key, value: literal(value) };
}

export function scopeMember({ found }: SelectedScope): Member {
  const own = found.scope.level === "zones" ? "zoneId" : "accountId";
  return { key: own, value: name(own) };
}
