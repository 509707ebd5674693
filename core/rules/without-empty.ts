import { isList, isObject, mapFrom, type Json, type JsonObject } from "../model/json.js";
import { getShape, type FieldType, type Shape } from "../model/shapes.js";

const RULE: FieldType = { kind: "shape", name: "RulesetRule" };

/**
 * Removes what means the same as an absent field: null, an empty list where a list is expected, and an empty object where an
 * object is expected that may be empty. Any other value stays, so that it is refused if it does not fit.
 */
function prune(value: Json, type: FieldType): Json | undefined {
  if (value === null) return undefined;
  const kept = pruneInside(value, type);
  if (isList(kept)) return kept.length === 0 && type.kind === "list" ? undefined : kept;
  return isObject(kept) && mayBeEmpty(type) && Object.keys(kept).length === 0 ? undefined : kept;
}

function mayBeEmpty(type: FieldType): boolean {
  return type.kind === "map" || (type.kind === "shape" && getShape(type.name).mayBeEmpty);
}

/** Removes it from the parts of a value. What people name or list themselves, such as a header, stays, even if it is empty. */
function pruneInside(value: Json, type: FieldType): Json {
  if (type.kind === "list" && isList(value)) return value.map((item) => pruneInside(item, type.of));
  if (!isObject(value) || type.kind === "plain" || type.kind === "list") return value;
  const kept = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    if (item === undefined || item === null) return [];
    if (type.kind === "map") return [[name, pruneInside(item, type.of)]];
    const pruned = prune(item, typeOf(getShape(type.name), name));
    if (pruned !== undefined) return [[name, pruned]];
    return KEEP_EMPTY.has(name) && isObject(item) ? [[name, {}]] : [];
  });
  return mapFrom(kept);
}

/** Raw fields are sent as they are, so only the whole of them may be empty. */
function typeOf({ byName, raw }: Shape, name: string): FieldType {
  return byName[name]?.type ?? (raw && name === "wire" ? { kind: "map", of: { kind: "plain" } } : { kind: "plain" });
}

/** Objects that have a meaning even when they are empty. */
export const KEEP_EMPTY = new Set(["linkMaze"]);

/** The rule without what means the same as an absent field. */
export function withoutEmpty(rule: JsonObject): JsonObject {
  const kept = pruneInside(rule, RULE);
  return isObject(kept) ? kept : {};
}
