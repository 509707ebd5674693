import type { Json } from "../../core/model/json.js";
import { namedIn } from "../../core/managed/names.js";
import { managedName, type NameOf } from "../../core/managed/rulesets.js";

/** The names of the managed rulesets and rules in the values, to append to them; empty if no name is known. */
export function managedNamesBehind(values: readonly (Json | undefined)[], nameOf?: NameOf): string {
  const names = namedIn(values, nameOf);
  return names === "" ? "" : `; ${names}`;
}

/** The built-in names, plus those that were supplied. */
export function nameOfManaged(supplied: Readonly<Record<string, string>>): NameOf {
  return (id) => managedName(id) ?? (Object.hasOwn(supplied, id) ? supplied[id] : undefined);
}
