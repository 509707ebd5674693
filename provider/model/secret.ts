import { isObject, mapFrom, type Json, type JsonObject } from "./json.js";
import { type Path, withValueAt, valueAt } from "./path.js";
import { isUnknown } from "./unknown.js";

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
  return paths.reduce<Json>((current, path) => {
    const secret = valueAt(current, path) as Json | undefined;
    if (secret === undefined || isUnknown(secret)) return current;
    return withValueAt(current, path, wrapSecret(secret)) ?? current;
  }, value);
}

/** All texts inside a value, the material of redaction. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}
