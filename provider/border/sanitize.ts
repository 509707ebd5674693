import { isObject, type Json } from "../../core/model/json.js";

/** Converts a value to what the engine can store: plain JSON without `undefined`. Never throws: the write is done by then. */
export function sanitize(value: unknown): Json {
  return clean(value, new Set()) ?? null;
}

function clean(value: unknown, above: Set<unknown>): Json | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return value.toString();
    case "object":
      return value === null || above.has(value) ? null : inside(value, above);
    default:
      return undefined;
  }
}

/** `above` are the objects that this one stands in: one that is among them holds itself. */
function inside(value: object, above: Set<unknown>): Json {
  above.add(value);
  const cleaned = structure(value, above);
  above.delete(value);
  return cleaned;
}

function structure(value: object, above: Set<unknown>): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Map) {
    const named = [...(value as Map<unknown, unknown>)].filter(([key]) => typeof key === "string");
    return structure(Object.fromEntries(named as [string, unknown][]), above);
  }
  if (value instanceof Set) return structure([...(value as Set<unknown>)], above);
  if (Array.isArray(value)) return Array.from(value, (item) => clean(item, above) ?? null);
  if (!isObject(value)) return {};
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const cleaned = clean(item, above);
    if (cleaned !== undefined) entries.push([key, cleaned]);
  }
  return Object.fromEntries(entries);
}
