import { refuse } from "./failure.js";
import type { Collection } from "./store/collection.js";

/** An object with an ID, in the API's snake_case notation. */
export type Stored = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A list with one item replaced. */
export function replaceItem<T extends { readonly id: string }>(list: readonly T[], item: T): T[] {
  return list.map((old) => (old.id === item.id ? item : old));
}

/** The item with an ID in a list, or the service's refusal. */
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

/** The item with an ID in a zone or account, or the service's refusal. */
export function getStored<T>(collection: Collection<T>, scope: string, id: string, code: number, what: string): T {
  const found = collection.get(scope, id);
  if (found !== undefined) return found;
  throw refuse(404, code, `${what} ${id} not found`);
}
