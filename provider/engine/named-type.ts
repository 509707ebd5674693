import { isJsonObject, isObject, type JsonObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import { isUnknown } from "../../core/model/unknown.js";

/** The type of a property, in the terms of a Pulumi package schema. */
export type ValueType = ItemType | { readonly list: ItemType } | { readonly map: ItemType };
type Primitive = "string" | "number" | "boolean";
type ItemType = Primitive | NamedType<unknown>;

/** A type with a name: what it consists of, and whether a value has it. Its TypeScript type exists only at compile time. */
export interface NamedType<T> {
  readonly name: string;
  readonly definition: Definition;
  readonly is: (value: unknown) => boolean;
  readonly of?: T;
}

export type Definition =
  | ObjectDefinition
  /** A string with a closed set of values, each with its meaning. */
  | { readonly kind: "choice"; readonly text: string; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: "either"; readonly types: readonly ItemType[] }
  /** A definition of schema/rule.json, or the type of one of its fields. */
  | { readonly kind: "rule"; readonly definition: string; readonly field?: string }
  | { readonly kind: "any object" }
  /** Only in states: programs do not see it. */
  | { readonly kind: "internal" };

interface ObjectDefinition extends ObjectRules {
  readonly kind: "object";
  readonly text: string;
  readonly properties: Readonly<Record<string, Member>>;
}

interface ObjectRules {
  /** A definition of schema/rule.json whose fields it has as well. */
  readonly extends?: string;
  /** Properties of which exactly one must be given. */
  readonly exactlyOneOf?: readonly string[];
}

/** A property of an object. */
export interface Member {
  readonly type: ValueType;
  readonly text: string;
  readonly required?: boolean;
  /** What applies where it is missing. */
  readonly otherwise?: string;
}

/** How a property with values of a TypeScript type must be described. */
type Described<V> = [V] extends [string]
  ? "string" | NamedType<V>
  : [V] extends [number]
    ? "number"
    : [V] extends [boolean]
      ? "boolean"
      : [V] extends [readonly (infer Item)[]]
        ? { readonly list: Described<Item> }
        : NamedType<V>;

/** The description of every property of an object: the compiler finds what is missing, too much, or of another type. */
type Members<T> = {
  readonly [N in keyof T]-?: Omit<Member, "type" | "required"> & {
    readonly type: Described<NonNullable<T[N]>>;
  } & (undefined extends T[N] ? { readonly required?: never } : { readonly required: true });
};

/** An object with the properties of `Own`. With `rules`, its values are of the type `Whole`. */
export function objectType<Own, Whole = Own>(
  name: string,
  text: string,
  properties: Members<Own> & Readonly<Record<string, Member>>,
  rules: ObjectRules = {},
): NamedType<Whole> {
  const definition: ObjectDefinition = { kind: "object", text, properties, ...rules };
  return { name, definition, is: (value) => isObjectOf(definition, value) };
}

/** A string with a closed set of values. */
export function choiceType<T extends string>(
  name: string,
  text: string,
  values: Readonly<Record<T, string>>,
): NamedType<T> {
  const is = (value: unknown): boolean => typeof value === "string" && Object.hasOwn(values, value);
  return { name, definition: { kind: "choice", text, values }, is };
}

/** A value of one of several types. */
export function eitherType<T>(name: string, types: readonly ItemType[]): NamedType<T> {
  return { name, definition: { kind: "either", types }, is: (value) => types.some((type) => isOfType(type, value)) };
}

/** A boolean or a string. */
export const BOOLEAN_OR_STRING = eitherType<boolean | string>("BooleanOrString", ["boolean", "string"]);

/** A type that schema/rule.json defines. */
export function ruleType<T>(definition: string, is: (value: unknown) => boolean, field?: string): NamedType<T> {
  const name = field === undefined ? definition : `${definition}.${field}`;
  return { name, definition: { kind: "rule", definition, ...(field === undefined ? {} : { field }) }, is };
}

/** Any object, such as a response in the wire format. */
export function anyObject<T extends JsonObject>(name: string): NamedType<T> {
  return { name, definition: { kind: "any object" }, is: isJsonObject };
}

/** A type of values that only states contain. */
export function internalType<T>(name: string, is: (value: unknown) => boolean): NamedType<T> {
  return { name, definition: { kind: "internal" }, is };
}

/** Whether a value has a type. The engine's marker may stand for any value inside an object or a list. */
export function isOfType(type: ValueType, value: unknown): boolean {
  if (typeof type === "string") return typeof value === type;
  if ("list" in type) return Array.isArray(value) && value.every((item) => isItemOf(type.list, item));
  if ("map" in type) return isObject(value) && entriesOf(value).every(([, item]) => isItemOf(type.map, item));
  return type.is(value);
}

function isItemOf(type: ValueType, value: unknown): boolean {
  return isUnknown(value) || isOfType(type, value);
}

/** Where a value does not have a type: the part that is wrong, and the type that it should have. */
export function findMismatch(
  type: ValueType,
  value: unknown,
): { readonly path: Path; readonly type: ValueType } | undefined {
  if (isOfType(type, value)) return undefined;
  for (const [step, part, item] of partsOf(type, value)) {
    const found = isUnknown(item) ? undefined : findMismatch(part, item);
    if (found !== undefined) return { path: [step, ...found.path], type: found.type };
  }
  return { path: [], type };
}

/** The parts of a value that have a type of their own. */
export function partsOf(type: ValueType, value: unknown): (readonly [string | number, ValueType, unknown])[] {
  if (typeof type === "string") return [];
  if ("list" in type)
    return Array.isArray(value) ? value.map((item: unknown, index) => [index, type.list, item] as const) : [];
  if (!isObject(value)) return [];
  if ("map" in type) return entriesOf(value).map(([name, item]) => [name, type.map, item] as const);
  const properties = type.definition.kind === "object" ? type.definition.properties : {};
  return Object.entries(properties).flatMap(([name, member]) =>
    value[name] === undefined || value[name] === null ? [] : [[name, member.type, value[name]] as const],
  );
}

/** A type as messages name it: "must be …". */
export function typeWords(type: ValueType): string {
  if (typeof type === "string") return type === "boolean" ? "true or false" : `a ${type}`;
  if ("list" in type) return "a list";
  if ("map" in type) return "an object";
  const { definition } = type;
  if (definition.kind === "either") return definition.types.map(typeWords).join(" or ");
  return definition.kind === "choice" ? `one of ${Object.keys(definition.values).join(", ")}` : "an object";
}

/** The engine adds `__defaults` to objects of other providers. */
function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([name]) => name !== "__defaults");
}

function isObjectOf({ properties, exactlyOneOf }: ObjectDefinition, value: unknown): boolean {
  if (!isObject(value)) return false;
  const isGiven = (name: string): boolean => value[name] !== undefined && value[name] !== null;
  if (exactlyOneOf !== undefined && exactlyOneOf.filter(isGiven).length !== 1) return false;
  return Object.entries(properties).every(([name, { type, required }]) =>
    isGiven(name) ? isItemOf(type, value[name]) : required !== true,
  );
}
