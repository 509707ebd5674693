/** Plain JSON, which all layers exchange. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a plain object: neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. `Array.isArray` would make it a list of `any`. */
export function isList(value: Json | undefined): value is readonly Json[];
export function isList(value: unknown): value is readonly unknown[];
export function isList(value: unknown): boolean {
  return Array.isArray(value);
}

/** The strings of a list; any other items are ignored. Empty if the value is not a list. */
export function textsIn(value: Json | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Whether a value is plain JSON, at any depth. As in an object, `undefined` stands for a missing value. */
function isJson(value: unknown): value is Json | undefined {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return !["bigint", "function", "symbol"].includes(typeof value);
  return Array.isArray(value) ? value.every(isJson) : isPlain(value) && Object.values(value).every(isJson);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value) && isJson(value);
}

/** Not an instance of a class. The prototype of plain objects may be that of another context, as in tests. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The objects of a list; any other items are ignored. */
export function objectsIn(value: unknown): JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** A string; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A string without quotes, any other value as JSON. */
export function writtenText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The value of an object's own property; undefined for an inherited one, such as `constructor`. */
export function ownValue<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * An empty object without a prototype, so that `constructor` and the like are ordinary keys. `Object.create(null)` would make a
 * hash table of it, which takes several times the time and the memory.
 */
function emptyMap<T>(): Record<string, T> {
  return Object.setPrototypeOf({}, null) as Record<string, T>;
}

/** An object without a prototype from pairs of key and value. */
export function mapFrom<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const map = emptyMap<T>();
  for (const [key, value] of entries) map[key] = value;
  return map;
}

/** An object without a prototype that has the same keys, each with what becomes of its value. */
export function mapValues<T, R>(source: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  const map = emptyMap<R>();
  for (const key of Object.keys(source)) map[key] = change(source[key] as T);
  return map;
}

/** The named properties of an object, except those that are undefined. */
export function pick<T extends object, K extends keyof T>(source: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    names.flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])),
  ) as Pick<T, K>;
}

/** All properties of an object except the named ones. */
export function omit<T extends object, K extends keyof T>(source: T, names: readonly K[]): Omit<T, K> {
  const left: readonly unknown[] = names;
  return Object.fromEntries(Object.entries(source).filter(([name]) => !left.includes(name))) as Omit<T, K>;
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Canonical text of a value, with sorted keys and without `undefined`: equal values have equal texts. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  let members = "";
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${stableText(value[key])}`;
  }
  return `{${members}}`;
}

/** Whether two values are equal, regardless of the order of their keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return !isObject(a) && !isObject(b) && !Array.isArray(b) && sameScalar(a, b);
  const names = definedNames(a);
  return names.length === definedNames(b).length && names.every((name) => sameMember(a[name], ownValue(b, name)));
}

/** A member that is null is not a missing one. */
function sameMember(a: unknown, b: unknown): boolean {
  return b !== undefined && sameJson(a, b);
}

/** As in JSON, which has no `undefined`. */
function sameScalar(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

function definedNames(value: JsonObject): string[] {
  return Object.keys(value).filter((name) => value[name] !== undefined);
}
