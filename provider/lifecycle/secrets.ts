import { isObject, mapFrom, own, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import { textsOf } from "../model/secret.js";

/** Stands where a secret stood in the rules; the secret itself travels apart. */
const PLACEHOLDER = "pulumi-rulesets:secret:";

export function secretPlaceholder(name: string): string {
  return `${PLACEHOLDER}${name}`;
}

export interface Restored {
  readonly value: Json | undefined;
  /** Where the secrets stand. */
  readonly paths: readonly Path[];
}

/** Puts the secrets back that the resource class sent apart, and tells where they stand. */
export function restoreSecrets(
  value: Json | undefined,
  secrets: Readonly<Record<string, unknown>>,
  at: Path = [],
): Restored {
  if (typeof value === "string" && value.startsWith(PLACEHOLDER)) {
    const secret = own(secrets, value.slice(PLACEHOLDER.length));
    return secret === undefined ? { value, paths: [] } : { value: secret as Json, paths: [at] };
  }
  if (Array.isArray(value)) {
    const items = (value as Json[]).map((item, index) => restoreSecrets(item, secrets, [...at, index]));
    return { value: items.map((item) => item.value ?? null), paths: items.flatMap(({ paths }) => paths) };
  }
  if (!isObject(value)) return { value, paths: [] };
  const entries = Object.entries(value).map(
    ([key, item]) => [key, restoreSecrets(item, secrets, [...at, key])] as const,
  );
  return {
    value: mapFrom(entries.map(([key, item]) => [key, item.value] as const)),
    paths: entries.flatMap(([, { paths }]) => paths),
  };
}

/** The paths inside one rule of the list. A secret list makes every rule a secret. */
export function pathsInRule(paths: readonly Path[], index: number): Path[] {
  return paths.flatMap((path) => (path.length === 0 ? [[]] : path[0] === index ? [path.slice(1)] : []));
}

/** Whether a path leads to a secret or into one; the paths of secrets begin where `root` ends. */
export function isWithin(root: Path, secrets: readonly Path[], path: Path): boolean {
  return secrets.some((secret) => [...root, ...secret].every((step, index) => path[index] === step));
}

/** Every text that must not be shown. */
export function secretTexts(secrets: Readonly<Record<string, unknown>>): string[] {
  return Object.values(secrets).flatMap(textsOf);
}
