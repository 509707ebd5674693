import { isList, isObject, mapFrom, ownValue, sameJson, type Json } from "../../core/model/json.js";
import { isAroundAny, valueAt, type Path } from "../../core/model/path.js";
import type { Secrets } from "../../client/redaction/secrets.js";
import { failure, type Findings } from "../../core/model/failure.js";

/** Replaces a secret in the rules; the secret itself is sent separately. */
const PLACEHOLDER = "pulumi-rulesets:secret:";

export function secretPlaceholder(name: string): string {
  return `${PLACEHOLDER}${name}`;
}

interface RestoredSecrets {
  readonly value: Json | undefined;
  /** The paths of the secrets. */
  readonly paths: readonly Path[];
}

/** Puts back the secrets that the resource class sent separately, and returns their paths. What has none is not copied. */
export function restoreSecrets(
  value: Json | undefined,
  secrets: Readonly<Record<string, unknown>>,
  at: Path = [],
): RestoredSecrets {
  if (!hasPlaceholder(value)) return { value, paths: [] };
  if (typeof value === "string" && value.startsWith(PLACEHOLDER)) {
    const secret = ownValue(secrets, value.slice(PLACEHOLDER.length)) as Json | undefined;
    return { value: secret, paths: secret === undefined ? [] : [at] };
  }
  if (isList(value)) {
    const items = value.map((item, index) => restoreSecrets(item, secrets, [...at, index]));
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

function hasPlaceholder(value: Json | undefined): boolean {
  if (typeof value === "string") return value.startsWith(PLACEHOLDER);
  return typeof value === "object" && value !== null && Object.values(value).some(hasPlaceholder);
}

/**
 * The paths of secrets in each rule of the argument `rules`, by its index. If the whole list is secret, so is every
 * rule.
 */
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

/** Old inputs that the engine passes instead of the program's values. */
interface KeptInputs {
  readonly olds: object | undefined;
  readonly args: object;
  /** `ignoreChanges` as the program writes it. */
  readonly ignored: readonly string[];
}

/** The paths that were secret before and still have the same value because of `ignoreChanges`. */
export function keptSecrets(paths: readonly Path[], { olds, args, ignored }: KeptInputs): Path[] {
  const heads = new Set(ignored.map((text) => (text === "*" ? text : /^\w+/.exec(text)?.[0])));
  return paths.filter(
    (path) => (heads.has("*") || heads.has(String(path[0]))) && sameJson(valueAt(args, path), valueAt(olds, path)),
  );
}

/**
 * Refuses secret arguments that Pulumi cannot hide. An argument that identifies an object becomes part of resource IDs,
 * and outputs repeat what the service returns: the engine stores and shows both in plain text.
 */
export function refuseSecrets(paths: readonly Path[], allowed: readonly string[]): Findings {
  const names = new Set(paths.flatMap(([name]) => (name === undefined ? [] : [String(name)])));
  return [...names]
    .filter((name) => !allowed.includes(name))
    .map((name) =>
      failure(
        [name],
        "is a secret, but it is part of the resource's id or of its outputs, which Pulumi stores and shows in plain " +
          `text. If it does not need to be hidden, use pulumi.unsecret(${name})`,
      ),
    )
    .flat();
}

/**
 * Removes quoted values from findings at or around a path that is secret: every part of the value, and the source line.
 */
export function redactFindings(
  findings: Findings,
  {
    secretPaths: paths,
    session: { secrets },
  }: { readonly secretPaths: readonly Path[]; readonly session: { readonly secrets: Secrets } },
): Findings {
  const isSecret = isAroundAny(paths);
  return findings.map((found) => {
    const { excerpt: _line, ...rest } = found;
    return isSecret(found.path) ? { ...rest, message: secrets.hideQuotes(found.message) } : found;
  });
}

/**
 * The paths of strings and numbers in a value that contain a secret. For an object key that contains one, the path of
 * the object.
 */
export function findCopies(value: unknown, secrets: Secrets, at: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => findCopies(item, secrets, [...at, index]));
  if (isObject(value)) {
    if (Object.keys(value).some((key) => secrets.contains(key))) return [at];
    return Object.entries(value).flatMap(([key, item]) => findCopies(item, secrets, [...at, key]));
  }
  return secrets.contains(value) ? [at] : [];
}
