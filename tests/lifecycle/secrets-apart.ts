import { secretPlaceholder } from "../../provider/engine/secrets.js";
import { isObject } from "../../core/model/json.js";
import { wrapSecret } from "../../core/model/secret.js";

type Props = Record<string, unknown>;

/** A secret in the arguments of a program. */
export class Secret {
  constructor(readonly value: unknown) {}
}
export const secret = (value: unknown): Secret => new Secret(value);

/** What the resource class sends: placeholders, and the secrets separately. */
export function sent(args: object): Props {
  const secrets: Props = {};
  const walk = (value: unknown): unknown => {
    if (value instanceof Secret) {
      const name = String(Object.keys(secrets).length);
      secrets[name] = value.value;
      return secretPlaceholder(name);
    }
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  const apart = walk(args) as object;
  return { ...apart, ...(Object.keys(secrets).length === 0 ? {} : { __secrets: secrets }) };
}

/** The arguments as the service receives them. */
export function bare(value: unknown): unknown {
  if (value instanceof Secret) return value.value;
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bare(item)]));
}

const [signature] = Object.entries(wrapSecret("")).find(([, value]) => value !== "") ?? [""];

/** What the engine stores and shows in clear: everything that did not come in the wire form of a secret. */
export function clear(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clear);
  if (!isObject(value)) return value;
  if (signature in value) return "(encrypted)";
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clear(item)]));
}

/** The paths of all values that came in the wire form of a secret. */
export function secretPathsIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => secretPathsIn(item, [...path, index]));
  if (!isObject(value)) return [];
  if (signature in value) return [[...path]];
  return Object.entries(value).flatMap(([key, item]) => secretPathsIn(item, [...path, key]));
}
