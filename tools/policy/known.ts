import type { Json, JsonObject } from "../../core/model/json.js";
import { UNKNOWN } from "../../core/model/unknown.js";

/** A copy of the properties that a policy gets, in which a marker stands for what is not known: to read that throws. */
export function knownProperties(properties: object): JsonObject {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, valueOf(properties, name)]));
}

function valueOf(from: object, name: string | number): Json {
  let value: unknown;
  try {
    value = (from as Readonly<Record<string | number, unknown>>)[name];
  } catch {
    return UNKNOWN;
  }
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    return list.map((_, index) => valueOf(list, index));
  }
  return typeof value === "object" && value !== null ? knownProperties(value) : ((value ?? null) as Json);
}
