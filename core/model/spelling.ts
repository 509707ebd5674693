import { isList, isObject, omit, type Json, type JsonObject } from "./json.js";
import type { Path } from "./path.js";
import { getShape, type Field, type FieldType, type Shape } from "./shapes.js";
import { shapeFromWire } from "./wire.js";

/*
 * A program may give the fields of a rule the names of this package or, as in a response, those of the service. They are converted
 * where rules come in; everything behind that works with the names of this package alone.
 */

/** A field with a name that only the service has for it. */
interface ServiceName {
  /** The object with the field. */
  readonly at: Path;
  readonly wire: string;
  /** Its name in this package. */
  readonly name: string;
  /** Whether it is also given with that name. */
  readonly isTwice: boolean;
}

const RULE: FieldType = { kind: "shape", name: "RulesetRule" };

/**
 * The rule with the names of this package, without what only the service sets. Where the program uses a name of the service, it
 * passes on what the service returned, so fields that neither has a name for are newer ones, and go into `wire`.
 * `findServiceName` still finds a field that is given with both names.
 */
export function inOurNames(rule: JsonObject): JsonObject {
  const shape = getShape("RulesetRule");
  const kept = withoutReadOnly(rule, shape);
  return findServiceName(rule) === undefined ? kept : shapeFromWire(kept, shape);
}

/** The path of a value in a rule, as `inOurNames` changes it. */
export function pathInOurNames(rule: JsonObject, path: Path): Path {
  if (findServiceName(rule) === undefined) return path;
  const steps: (string | number)[] = [];
  let type: FieldType | undefined = RULE;
  for (const step of path) {
    if (type?.kind === "shape") {
      const field: Field | undefined = fieldNamed(getShape(type.name), step);
      steps.push(...stepsTo(getShape(type.name), field, step));
      type = field?.type;
    } else {
      steps.push(step);
      type = type === undefined || type.kind === "plain" ? undefined : type.of;
    }
  }
  return steps;
}

function stepsTo({ raw }: Shape, field: Field | undefined, step: string | number): Path {
  // A bare list of query parameters.
  if (typeof step === "number") return ["lists", step];
  return field === undefined && raw && step !== "wire" ? ["wire", step] : [field?.name ?? step];
}

function fieldNamed({ byName, byWire }: Shape, name: string | number): Field | undefined {
  return byName[name] ?? byWire[name];
}

/** The first field of a rule that has a name of the service. */
export function findServiceName(rule: JsonObject): ServiceName | undefined {
  return findIn(rule, RULE);
}

/** Every check of every rule comes here, so it makes no object except for what it finds. */
function findIn(value: Json | undefined, type: FieldType): ServiceName | undefined {
  if (type.kind === "list" && isList(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findIn(value[index], type.of);
      if (found !== undefined) return { ...found, at: [index, ...found.at] };
    }
  }
  if (!isObject(value) || type.kind === "list" || type.kind === "plain") return undefined;
  const shape = type.kind === "shape" ? getShape(type.name) : undefined;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined || item === null) continue;
    const name = shape === undefined ? undefined : ourName(shape, key);
    if (name !== undefined) return { at: [], wire: key, name, isTwice: (value[name] ?? null) !== null };
    const inner = type.kind === "map" ? type.of : shape?.byName[key]?.type;
    const found = inner === undefined ? undefined : findIn(item, inner);
    if (found !== undefined) return { ...found, at: [key, ...found.at] };
  }
  return undefined;
}

/** The name in this package of a field that only the service calls like this. */
function ourName({ byName, byWire, readOnly }: Shape, wire: string): string | undefined {
  if (byName[wire] !== undefined) return undefined;
  return byWire[wire]?.name ?? readOnly.find((field) => field.wire === wire && field.name !== wire)?.name;
}

/** Drops what the service alone sets. A value of another kind stays, so that it is refused. */
function withoutReadOnly(value: JsonObject, shape: Shape): JsonObject {
  const isResponse = (item: Json | undefined, json: string | undefined): boolean =>
    json === "array" ? isList(item) && item.every((one) => typeof one === "string") : typeof item === json;
  const names = shape.readOnly.flatMap(({ name, wire, json }) =>
    [name, wire].filter((key) => isResponse(value[key], json)),
  );
  let kept = names.length === 0 ? value : omit(value, names);
  for (const [key, item] of Object.entries(kept)) {
    const type = fieldNamed(shape, key)?.type;
    if (type?.kind !== "shape" || !isObject(item)) continue;
    const inner = withoutReadOnly(item, getShape(type.name));
    if (inner !== item) kept = { ...kept, [key]: inner };
  }
  return kept;
}
