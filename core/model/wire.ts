import { isList, isObject, mapFrom, type Json, type JsonObject } from "./json.js";
import { getShape, type FieldType, type Shape } from "./shapes.js";

/** A value in the service's format: its names, with the raw fields of `wire` merged in. Keys of user maps are not renamed. */
export function shapeToWire(value: JsonObject, shape: Shape): JsonObject {
  const typed = Object.entries(value).flatMap<readonly [string, Json | undefined]>(([key, item]) => {
    if (item === undefined || (key === "wire" && shape.raw)) return [];
    const field = shape.byName[key];
    return field === undefined ? [[key, item]] : [[field.wire, valueToWire(item, field.type)]];
  });
  const raw = shape.raw && isObject(value.wire) ? Object.entries(value.wire) : [];
  return Object.fromEntries([...typed, ...raw]);
}

function valueToWire(value: Json, type: FieldType): Json {
  if (type.kind === "shape" && isObject(value)) return shapeToWire(value, getShape(type.name));
  if (type.kind === "list" && isList(value)) return value.map((item) => valueToWire(item, type.of));
  if (type.kind === "map" && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valueToWire(item ?? null, type.of)]));
  }
  return value;
}

/**
 * A value of the service with the names of this package. Fields without a typed name go into `wire`, so that nothing is lost. What
 * already has our name stays; next to it, the service's name of the same field stays as well.
 */
export function shapeFromWire(value: JsonObject, shape: Shape): JsonObject {
  const typed: [string, Json][] = [];
  const raw: [string, Json | undefined][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue;
    const field = shape.byWire[key] ?? shape.byName[key] ?? shape.readOnly.find(({ wire }) => wire === key);
    if (field !== undefined) {
      const isTwice = key !== field.name && (value[field.name] ?? null) !== null;
      typed.push(isTwice ? [key, item] : [field.name, fieldFromWire(item, field.type, shape.name)]);
    } else if (shape.raw && key === "wire" && isObject(item)) raw.push(...Object.entries(item));
    else (shape.raw ? raw : typed).push([key, item]);
  }
  return Object.fromEntries<Json>(raw.length > 0 ? [...typed, ["wire", Object.fromEntries(raw)]] : typed);
}

export function fieldFromWire(value: Json, type: FieldType, owner: string): Json {
  if (type.kind === "shape") {
    const item = owner.endsWith("CacheKeyCustomKeyQueryString") ? queryFromWire(value) : value;
    return isObject(item) ? shapeFromWire(item, getShape(type.name)) : item;
  }
  if (type.kind === "list" && isList(value)) {
    return value.map((item) => fieldFromWire(item, type.of, owner));
  }
  if (type.kind === "map" && isObject(value)) {
    return mapFrom(
      Object.entries(value).map(([key, item]) => [key, fieldFromWire(item ?? null, type.of, owner)] as const),
    );
  }
  return value;
}

/** The service also writes query parameters of a cache key as `"*"` or a bare list, in which "*" stands for all of them. */
function queryFromWire(value: Json): Json {
  const names = isObject(value) ? (value.list ?? value.lists) : value;
  if (names === "*" || (isList(names) && names.length === 1 && names[0] === "*")) return { all: true };
  if (isList(value)) return { list: value };
  return isObject(value) && value.all === false && isList(names) ? { list: names } : value;
}
