import ruleSchema from "../../schema/rule.json";
import { mapFrom } from "./json.js";

/** Type of a rule's field: a named shape, a list or a map of another type, or a plain value. */
export type FieldType =
  | { readonly kind: "plain" }
  | { readonly kind: "shape"; readonly name: string }
  | { readonly kind: "list"; readonly of: FieldType }
  | { readonly kind: "map"; readonly of: FieldType };

export interface Field {
  readonly name: string;
  /** The name on the wire. */
  readonly wire: string;
  readonly type: FieldType;
}

/** A field that only the service sets. */
interface ReadOnlyField extends Field {
  /** Its type in JSON Schema. */
  readonly json: string | undefined;
}

/** A named object of the schema with its fields. */
export interface Shape {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byName: Readonly<Record<string, Field>>;
  readonly byWire: Readonly<Record<string, Field>>;
  /** Fields of responses, which are never sent. */
  readonly readOnly: readonly ReadOnlyField[];
  /** Whether fields without a typed name go into `wire`. */
  readonly raw: boolean;
  /** Whether no field is needed. */
  readonly mayBeEmpty: boolean;
}

/** The part of JSON Schema that schema/rule.json uses. */
export interface SchemaNode {
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly const?: boolean;
  readonly $ref?: string;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly readOnly?: boolean;
  readonly "x-wire"?: string;
  readonly "x-known"?: readonly (string | number)[];
  readonly "x-exactly-one"?: readonly (readonly string[])[];
  readonly "x-at-most-one"?: readonly (readonly string[])[];
  readonly "x-at-least-one"?: readonly (readonly string[])[];
}

// The compiler infers a separate type for each definition of the file; SchemaNode is what they have in common.
export const definitions = ruleSchema.$defs as unknown as Readonly<Record<string, SchemaNode>>;

/** The name of the definition a reference points to. */
export function referenceName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function fieldType(node: SchemaNode): FieldType {
  if (node.$ref !== undefined) return { kind: "shape", name: referenceName(node.$ref) };
  if (node.type === "array" && node.items !== undefined) return { kind: "list", of: fieldType(node.items) };
  const values = node.additionalProperties;
  if (node.type === "object" && typeof values === "object") return { kind: "map", of: fieldType(values) };
  return { kind: "plain" };
}

function shape(name: string, node: SchemaNode): Shape {
  const properties = Object.entries(node.properties ?? {});
  const named = properties
    .filter(([field]) => field !== "wire")
    .map(([field, value]) => ({ name: field, wire: value["x-wire"] ?? snakeCase(field), type: fieldType(value) }));
  const isReadOnly = ({ name: field }: Field): boolean => node.properties?.[field]?.readOnly === true;
  const fields = named.filter((field) => !isReadOnly(field));
  return {
    name,
    fields,
    readOnly: named.filter(isReadOnly).map((field) => ({ ...field, json: node.properties?.[field.name]?.type })),
    byName: mapFrom(fields.map((field) => [field.name, field] as const)),
    byWire: mapFrom(fields.map((field) => [field.wire, field] as const)),
    raw: properties.some(([field]) => field === "wire"),
    mayBeEmpty: [node.required, node["x-exactly-one"], node["x-at-least-one"]].every(
      (names = []) => names.length === 0,
    ),
  };
}

const shapes = new Map(Object.entries(definitions).map(([name, node]) => [name, shape(name, node)]));

/** A shape by its name in schema/rule.json. */
export function getShape(name: string): Shape {
  const found = shapes.get(name);
  if (found === undefined) throw new Error(`schema/rule.json has no ${name}`);
  return found;
}

/** A name of ours as the wire spells it, unless the schema says otherwise. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
