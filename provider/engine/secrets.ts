import { isObject, mapFrom, own, sameJson, type Json } from "../model/json.js";
import { valueAt, type Path } from "../model/path.js";
import type { Secrets } from "../redaction/secrets.js";
import type { Session } from "./session.js";
import { failure, join, type Failure, type Findings } from "../validation/index.js";

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
    const secret = own(secrets, value.slice(PLACEHOLDER.length)) as Json | undefined;
    return { value: secret, paths: secret === undefined ? [] : [at] };
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

/** Where in each rule of the argument `rules` secrets stand, by its index. A secret list makes every rule a secret. */
export function pathsByRule(paths: readonly Path[]): (index: number) => readonly Path[] {
  const inside = new Map<Path[number] | undefined, Path[]>();
  for (const [name, at, ...rest] of paths) {
    if (name !== "rules") continue;
    const known = inside.get(at);
    if (known === undefined) inside.set(at, [rest]);
    else known.push(rest);
  }
  const whole = inside.has(undefined);
  return (index) => (whole ? [[]] : (inside.get(index) ?? []));
}

/** What the engine hands in from before, in place of what the program says. */
interface HandedIn {
  readonly olds: object | undefined;
  readonly args: object;
  /** `ignoreChanges` as the program writes it. */
  readonly ignored: readonly string[];
}

/** Of the places that held secrets before, those that still hold the same because of `ignoreChanges`. */
export function keptSecrets(paths: readonly Path[], { olds, args, ignored }: HandedIn): Path[] {
  const heads = new Set(ignored.map((text) => (text === "*" ? text : /^\w+/.exec(text)?.[0])));
  return paths.filter(
    (path) => (heads.has("*") || heads.has(String(path[0]))) && sameJson(valueAt(args, path), valueAt(olds, path)),
  );
}

/**
 * Arguments that may be no secret. What names an object stands in the ids of resources, and what the service answers in
 * outputs: the engine stores and shows both in clear.
 */
export function refuseSecrets(paths: readonly Path[], allowed: readonly string[]): Findings {
  const names = new Set(paths.flatMap(([name]) => (name === undefined ? [] : [String(name)])));
  return join(
    [...names]
      .filter((name) => !allowed.includes(name))
      .map((name) =>
        failure(
          [name],
          "is a secret, but it is part of the resource's id or of its outputs, which Pulumi stores and shows in plain " +
            `text. If it does not need to be hidden, use pulumi.unsecret(${name})`,
        ),
      ),
  );
}

/** Findings that may quote values: at a place that holds a secret, or around it, every part of it goes, and its line too. */
export function withoutSecrets(
  { failures, warnings }: Findings,
  { secretPaths: paths, session: { secrets } }: { readonly secretPaths: readonly Path[]; readonly session: Session },
): Findings {
  const hide = (found: Failure): Failure => {
    const { excerpt: _line, ...rest } = found;
    return paths.some((path) => path.every((step, index) => index >= found.path.length || found.path[index] === step))
      ? { ...rest, reason: secrets.hideEcho(found.reason) }
      : found;
  };
  return { failures: failures.map(hide), warnings: warnings.map(hide) };
}

/** Where texts and numbers stand in a value that hold a secret; of a key that does, the object it stands in. */
export function copiesIn(value: unknown, secrets: Secrets, at: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => copiesIn(item, secrets, [...at, index]));
  if (isObject(value)) {
    if (Object.keys(value).some((key) => secrets.contains(key))) return [at];
    return Object.entries(value).flatMap(([key, item]) => copiesIn(item, secrets, [...at, key]));
  }
  return secrets.contains(value) ? [at] : [];
}
