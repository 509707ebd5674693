import { secretPlaceholder } from "../engine/secrets.js";
import { isList, isObject, type Json, type JsonObject } from "../model/json.js";
import { secretInWire } from "../model/secret.js";

/** Arguments with placeholders for their secrets, and the secrets by the names in the placeholders. */
interface SecretsApart {
  readonly args: JsonObject;
  readonly secrets: JsonObject;
}

/** Separates secrets, which the engine passes in their wire format, from the arguments, as the classes of programs do. */
export function secretsApart(args: JsonObject): SecretsApart {
  const secrets: Record<string, Json> = {};
  const walk = (value: Json): Json => {
    const secret = secretInWire(value);
    if (secret !== undefined) {
      const name = String(Object.keys(secrets).length);
      secrets[name] = secret.value;
      return secretPlaceholder(name);
    }
    if (isList(value)) return value.map(walk);
    return isObject(value) ? inside(value) : value;
  };
  const inside = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, item === undefined ? item : walk(item)]));
  return { args: inside(args), secrets };
}
