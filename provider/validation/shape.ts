import type { ErrorObject } from "ajv";
import { isObject } from "../../core/model/json.js";
import { valueAt, type Path } from "../../core/model/path.js";
import { definitions, getShape, referenceName, type SchemaNode } from "../../core/model/shapes.js";
import { mayBeUnchecked } from "../../core/model/unchecked.js";
import { hasUnknown, isUnknown } from "../../core/model/unknown.js";
import { failure, checkKnownValue, findNearest, warning, type Findings } from "../../core/model/failure.js";
import { late } from "../../core/model/late.js";
import { pathOfPointer } from "../../core/files/pointer.js";
import { typeOfValue } from "../../core/files/type-of-value.js";

/** Loads the compiled schema with the first rule: a refresh or a destroy checks no rules. */
const loadValidator = late<typeof import("./generated/validate-rule.js")>(() =>
  require("./generated/validate-rule.js"),
);

/** Checks a rule against schema/rule.json, and returns all failures. Values that are not known yet are skipped. */
export function checkShape(rule: unknown, path: Path): Findings {
  if (isUnknown(rule)) return [];
  if (!isObject(rule)) return failure(path, `must be a rule (an object), not ${typeOfValue(rule)}`);
  const { validateRule } = loadValidator();
  const found = validateRule(rule) ? [] : (validateRule.errors ?? []).map((error) => translate(error, rule, path));
  return [...found, walk(rule, { $ref: "#/$defs/RulesetRule" }, path)].flat();
}

function translate(error: ErrorObject, rule: unknown, path: Path): Findings {
  const at = pathOfPointer(error.instancePath, rule);
  const full = [...path, ...at];
  const params = error.params as Record<string, unknown>;
  const value = valueAt(rule, at);
  if (isUnknown(value)) return [];
  // `checkNumbers` reports NaN and Infinity.
  if (typeof value === "number" && !Number.isFinite(value)) return [];
  switch (error.keyword) {
    case "required":
      return failure(full, `${String(params.missingProperty)} is required`);
    case "dependencies":
      return failure(full, `${String(params.property)} needs ${String(params.missingProperty)} beside it`);
    case "additionalProperties":
      return failure(
        [...full, String(params.additionalProperty)],
        unknownField(String(params.additionalProperty), shapeAt(at)),
      );
    case "type":
      return failure(full, `must be ${article(String(params.type))}, not ${typeOfValue(value)}`);
    case "const":
      return failure(full, `only ${JSON.stringify(params.allowedValue)} is accepted; leave it out otherwise`);
    case "minLength":
      return failure(full, "must not be empty");
    case "minItems":
      return failure(full, "must not be empty; leave it out instead");
    case "uniqueItems":
      return hasUnknown(value) ? [] : failure(full, "contains the same value twice");
    case "minimum":
    case "maximum":
    case "maxItems":
      return failure(full, error.message ?? "is out of range");
    default:
      return failure(full, error.message ?? "is not valid");
  }
}

/** The schema of the value at a path of a rule. */
function shapeAt(path: Path): SchemaNode {
  const resolve = (node: SchemaNode | undefined): SchemaNode =>
    node?.$ref === undefined ? (node ?? {}) : resolve(definitions[referenceName(node.$ref)]);
  const step = (node: SchemaNode, name: string | number): SchemaNode => {
    const { properties, items, additionalProperties } = node;
    return resolve(
      properties?.[name] ?? items ?? (typeof additionalProperties === "object" ? additionalProperties : {}),
    );
  };
  return path.reduce(step, resolve({ $ref: "#/$defs/RulesetRule" }));
}

/** Message for an unknown field, with the one that is probably meant: the wire name of a typed field, or a similar name. */
function unknownField(name: string, { properties = {} }: SchemaNode): string {
  const fields = Object.keys(properties);
  const renamed = fields.find((field) => {
    const wire = properties[field]?.["x-wire"];
    return wire !== undefined && (camelCase(wire) === name || wire === name);
  });
  const meant = renamed ?? fields.find((field) => field === camelCase(name)) ?? findNearest(name, fields);
  if (meant !== undefined) return `there is no field ${JSON.stringify(name)}; did you mean ${JSON.stringify(meant)}?`;
  const raw = fields.includes("wire") ? "; a field newer than this package goes into wire: { snake_case: value }" : "";
  return `there is no field ${JSON.stringify(name)}${raw}`;
}

function camelCase(name: string): string {
  return name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function article(type: string): string {
  const words: Record<string, string> = {
    string: "a string",
    integer: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
  };
  return words[type] ?? type;
}

/** Checks what JSON Schema cannot express well: known values, exclusive fields, and fields in `wire`. */
function walk(value: unknown, node: SchemaNode, path: Path): Findings {
  if (isUnknown(value) || value === undefined) return [];
  if (node.$ref !== undefined) return walkShape(value, referenceName(node.$ref), path);
  const known = node["x-known"];
  if (known !== undefined) return walkKnown(value, known, path);
  if (node.type === "array" && Array.isArray(value) && node.items !== undefined) {
    const items = node.items;
    return value.map((item, index) => walk(item, items, [...path, index])).flat();
  }
  if (node.type === "object" && isObject(value) && typeof node.additionalProperties === "object") {
    const values = node.additionalProperties;
    return Object.entries(value)
      .map(([key, item]) => walk(item, values, [...path, key]))
      .flat();
  }
  return [];
}

function walkKnown(value: unknown, known: readonly (string | number)[], path: Path): Findings {
  if (typeof value === "string") {
    return checkKnownValue(
      path,
      "the value",
      value,
      known.filter((item) => typeof item === "string"),
    );
  }
  return typeof value === "number" && Number.isFinite(value) && !known.includes(value)
    ? failure(path, `must be one of ${known.join(", ")}`)
    : [];
}

function walkShape(value: unknown, name: string, path: Path): Findings {
  const node = definitions[name];
  if (!isObject(value) || node === undefined) return [];
  const members = Object.entries(node.properties ?? {}).map(([key, child]) =>
    value[key] === undefined || (key === "action" && name === "RulesetRule")
      ? []
      : walk(value[key], child, [...path, key]),
  );
  return [...members, choices(value, node, path), rawFields(value, name, path)].flat();
}

function choices(value: object, node: SchemaNode, path: Path): Findings {
  const given = (names: readonly string[]): string[] =>
    names.filter((name) => (value as Record<string, unknown>)[name] !== undefined);
  const exactly = (node["x-exactly-one"] ?? []).flatMap((names) =>
    given(names).length === 1 ? [] : [failure(path, `needs exactly one of ${names.join(" and ")}`)],
  );
  const most = (node["x-at-most-one"] ?? []).flatMap((names) =>
    given(names).length <= 1 ? [] : [failure(path, `takes only one of ${names.join(" and ")}`)],
  );
  const least = (node["x-at-least-one"] ?? []).flatMap((names) =>
    given(names).length >= 1
      ? []
      : [failure(path, `needs at least one of ${names.filter((n) => n !== "wire").join(", ")}`)],
  );
  return [...exactly, ...most, ...least].flat();
}

function rawFields(value: object, name: string, path: Path): Findings {
  const shape = getShape(name);
  const raw = (value as Record<string, unknown>).wire;
  if (!shape.raw || !isObject(raw)) return [];
  return Object.keys(raw)
    .map((key) => {
      const typed = shape.byWire[key] ?? shape.byName[key];
      // A value that the typed field cannot have; `checkUnchecked` reports it.
      if (mayBeUnchecked(shape, key)) return [];
      if (typed !== undefined) return failure([...path, "wire", key], `has a typed name: write ${typed.name} instead`);
      const near = findNearest(key, Object.keys(shape.byWire));
      return near === undefined
        ? []
        : warning(
            [...path, "wire", key],
            `is not known to this version of pulumi-rulesets and is passed on unchanged; did you mean ${near}?`,
          );
    })
    .flat();
}
