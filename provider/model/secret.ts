import { isObject, mapFrom, type Json, type JsonObject } from "./json.js";
import type { Path } from "./path.js";
import { isUnknown } from "./unknown.js";

/** Stands in messages where a secret stood. */
export const HIDDEN = "[secret]";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** A secret as the engine writes it on the wire; the engine encrypts the value and masks it, and nothing beside it. */
export function wrapSecret(value: Json): JsonObject {
  return { [SIGNATURE]: SECRET, value };
}

/** The value inside a secret's wire form; any other value as it is. */
export function unwrapSecrets(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return (value as Json[]).map((item) => unwrapSecrets(item) ?? null);
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === SECRET) return unwrapSecrets(value.value);
  return mapFrom(Object.entries(value).map(([key, item]) => [key, unwrapSecrets(item)] as const));
}

/** A copy in which the values at the paths are in the wire form of secrets. Paths that lead nowhere are passed over. */
export function wrapSecretsAt(value: Json, paths: readonly Path[]): Json {
  if (paths.some((path) => path.length === 0)) return isUnknown(value) ? value : wrapSecret(value);
  const inside = new Map<string, Path[]>();
  for (const [step, ...rest] of paths) {
    const known = inside.get(String(step));
    if (known === undefined) inside.set(String(step), [rest]);
    else known.push(rest);
  }
  const wrap = (item: Json, step: string): Json => {
    const within = inside.get(step);
    return within === undefined ? item : wrapSecretsAt(item, within);
  };
  if (inside.size === 0) return value;
  if (Array.isArray(value)) return (value as Json[]).map((item, index) => wrap(item, String(index)));
  if (!isObject(value)) return value;
  return mapFrom(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : wrap(item, key)] as const),
  );
}
