import { isList, isObject, mapFrom, mapValues, parseJson, type Json, type JsonObject } from "./json.js";
import type { Path } from "./path.js";
import { isUnknown } from "./unknown.js";

/** Replaces secrets in messages. */
export const HIDDEN = "[secret]";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** A secret in the engine's wire format; the engine encrypts and masks this value, and nothing else. */
export function wrapSecret(value: Json): JsonObject {
  return { [SIGNATURE]: SECRET, value };
}

/** A secret in the engine's wire format, with its value; undefined for any other value. */
export function secretInWire(value: Json): { readonly value: Json } | undefined {
  return isObject(value) && value[SIGNATURE] === SECRET ? { value: value.value ?? null } : undefined;
}

/** A secret in the state of a stack: its value, or undefined if it is encrypted. Undefined for any other value. */
export function secretInState(value: Json): { readonly plain: Json | undefined } | undefined {
  if (!isObject(value) || value[SIGNATURE] !== SECRET) return undefined;
  return { plain: typeof value.plaintext === "string" ? (parseJson(value.plaintext) as Json | undefined) : undefined };
}

/** Replaces secrets in wire format by `[secret]`, at any depth. */
export function hideWrapped(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map((item) => hideWrapped(item) ?? null);
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === SECRET) return HIDDEN;
  return mapValues(value, hideWrapped);
}

/** Replaces secrets in wire format by their values, at any depth. */
export function unwrapSecrets(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map((item) => unwrapSecrets(item) ?? null);
  if (!isObject(value)) return value;
  if (value[SIGNATURE] === SECRET) return unwrapSecrets(value.value);
  return mapValues(value, unwrapSecrets);
}

/** The paths of secrets in wire format; what is inside of one is part of it. */
export function wrappedPaths(value: Json | undefined, at: Path = []): Path[] {
  if (isList(value)) return value.flatMap((item, index) => wrappedPaths(item, [...at, index]));
  if (!isObject(value)) return [];
  if (value[SIGNATURE] === SECRET) return [at];
  return Object.entries(value).flatMap(([key, item]) => wrappedPaths(item, [...at, key]));
}

/** A copy in which the values at the paths are in the wire format of secrets. Paths that do not exist are ignored. */
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
  if (isList(value)) return value.map((item, index) => wrap(item, String(index)));
  if (!isObject(value)) return value;
  return mapFrom(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : wrap(item, key)] as const),
  );
}
