import { isAddress, isArray, isMap, mapValues, type Value } from "../../value.js";
import type { Implementation } from "./implementation.js";

export const hasKey: Implementation = ([map, key]) =>
  isMap(map) && typeof key === "string" ? map.has(key) : undefined;

export const hasValue: Implementation = ([collection, wanted]) => {
  if (wanted === undefined) return undefined;
  if (isMap(collection)) return mapValues(collection).some((value) => isEqualValue(value, wanted));
  return isArray(collection) ? collection.some((value) => isEqualValue(value, wanted)) : undefined;
};

/** Whether two values are equal. Addresses of different versions never are. */
export function isEqualValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isAddress(a) && isAddress(b)) return a.version === b.version && a.value === b.value;
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((item, index) => sameItem(item, b[index]));
  if (isMap(a) && isMap(b)) {
    return a.size === b.size && Array.from(a.entries()).every(([key, item]) => sameItem(item, b.get(key)));
  }
  return false;
}

function sameItem(a: Value, b: Value | undefined): boolean {
  return b !== undefined && isEqualValue(a, b);
}
