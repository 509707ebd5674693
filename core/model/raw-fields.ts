import { isList, isObject, type Json, type JsonObject } from "./json.js";
import type { Path } from "./path.js";
import { getShape, type FieldType } from "./shapes.js";

/** The paths of the fields of a rule that have no typed name, in the object whose `wire` they are in. */
export function rawFieldsOf(rule: JsonObject): Path[] {
  return rawFieldsIn(rule, { kind: "shape", name: "RulesetRule" });
}

function rawFieldsIn(value: Json | undefined, type: FieldType): Path[] {
  const inside = (items: Iterable<readonly [string | number, Json | undefined, FieldType]>): Path[] =>
    [...items].flatMap(([key, item, of]) => rawFieldsIn(item, of).map((path): Path => [key, ...path]));
  if (type.kind === "list" && isList(value)) return inside(value.map((item, index) => [index, item, type.of]));
  if (!isObject(value) || type.kind === "plain" || type.kind === "list") return [];
  if (type.kind === "map") return inside(Object.entries(value).map(([key, item]) => [key, item, type.of]));
  const { fields, raw } = getShape(type.name);
  const own = raw && isObject(value.wire) ? Object.keys(value.wire).map((key): Path => [key]) : [];
  return [...own, ...inside(fields.map(({ name, type: of }) => [name, value[name], of]))];
}
