import { refuse } from "./failure.js";
import type { Collection } from "./store/collection.js";

/** A thing with an id, in the service's own snake_case. */
export type Stored = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A list with one item in the place of its former self. */
export function replaced<T extends { readonly id: string }>(list: readonly T[], item: T): T[] {
  return list.map((old) => (old.id === item.id ? item : old));
}

/** The item of an id in a list, or the refusal of the service. */
export function findStored<T extends { readonly id: string }>(
  list: readonly T[],
  id: string,
  code: number,
  what: string,
): T {
  const found = list.find((item) => item.id === id);
  if (found !== undefined) return found;
  throw refuse(404, code, `${what} ${id} not found`);
}

/** The item of an id in a zone or account, or the refusal of the service. */
export function getStored<T>(collection: Collection<T>, scope: string, id: string, code: number, what: string): T {
  const found = collection.get(scope, id);
  if (found !== undefined) return found;
  throw refuse(404, code, `${what} ${id} not found`);
}
