import { isList, isObject, type Json, type JsonObject } from "./json.js";
import type { Path } from "./path.js";
import { getShape, type FieldType } from "./shapes.js";

/** The paths of the fields of a rule that have no typed name: those in a `wire` as if they were in its object. */
export function rawFieldsOf(rule: JsonObject): Path[] {
  return rawFieldsIn(rule, { kind: "shape", name: "RulesetRule" });
}

function rawFieldsIn(value: Json | undefined, type: FieldType): Path[] {
  const inside = (items: Iterable<readonly [string | number, Json | undefined, FieldType]>): Path[] =>
    [...items].flatMap(([key, item, of]) => rawFieldsIn(item, of).map((path): Path => [key, ...path]));
  if (type.kind === "list" && isList(value)) return inside(value.map((item, index) => [index, item, type.of]));
  if (!isObject(value) || type.kind === "plain" || type.kind === "list") return [];
  if (type.kind === "map") return inside(Object.entries(value).map(([key, item]) => [key, item, type.of]));
  const { fields, byName, raw, readOnly } = getShape(type.name);
  const { wire, ...named } = value;
  const answered = new Set(readOnly.map(({ name }) => name));
  const own = Object.keys(named).filter((key) => byName[key] === undefined && !answered.has(key));
  const raws = raw && isObject(wire) ? Object.keys(wire) : [];
  return [
    ...[...raws, ...own].map((key): Path => [key]),
    ...inside(fields.map(({ name, type: of }) => [name, value[name], of])),
  ];
}
