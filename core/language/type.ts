/** The types of the language. Equal types are the same object, so `===` compares them. */
export type Type = ScalarType | ArrayType | MapType;

interface ScalarType {
  readonly kind: "boolean" | "integer" | "string" | "ip" | "unknown";
}
interface ArrayType {
  readonly kind: "array";
  readonly of: Type;
}
interface MapType {
  readonly kind: "map";
  readonly of: Type;
}

export const BOOLEAN: ScalarType = { kind: "boolean" };
export const INTEGER: ScalarType = { kind: "integer" };
/** Cloudflare's types String and Bytes, which are one type: a sequence of bytes. */
export const STRING: ScalarType = { kind: "string" };
export const IP: ScalarType = { kind: "ip" };
/** The type of an unknown name. It is accepted everywhere, so that one unknown name causes one finding. */
export const UNKNOWN: ScalarType = { kind: "unknown" };

const arrays = new Map<Type, ArrayType>();
const maps = new Map<Type, MapType>();

export function arrayOf(of: Type): Type {
  return of === UNKNOWN ? UNKNOWN : intern(arrays, of, { kind: "array", of });
}

function mapOf(of: Type): Type {
  return of === UNKNOWN ? UNKNOWN : intern(maps, of, { kind: "map", of });
}

function intern<T>(known: Map<Type, T>, of: Type, fresh: T): T {
  const found = known.get(of);
  if (found !== undefined) return found;
  known.set(of, fresh);
  return fresh;
}

/** The element type of an array or a map; undefined for every other type. */
export function elementOf(type: Type): Type | undefined {
  return type.kind === "array" || type.kind === "map" ? type.of : undefined;
}

const SCALARS: Readonly<Record<string, ScalarType>> = { Boolean: BOOLEAN, Integer: INTEGER, String: STRING, IP };
const NAMES = { boolean: "Boolean", integer: "Integer", string: "String", ip: "IP address", unknown: "unknown type" };
const cache = new Map<string, Type>();

/** A type by its name in the catalogue, such as `Map<Array<String>>`. A letter (`T`) stands for any type. */
export function parseType(name: string): Type {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const inner = /^(Array|Map)<(.+)>$/.exec(name);
  const parsed =
    inner?.[2] === undefined
      ? (SCALARS[name] ?? UNKNOWN)
      : inner[1] === "Array"
        ? arrayOf(parseType(inner[2]))
        : mapOf(parseType(inner[2]));
  cache.set(name, parsed);
  return parsed;
}

/** A type as messages show it: `Array<String>`, `IP address`. */
export function typeName(type: Type): string {
  if (type.kind === "array") return `Array<${typeName(type.of)}>`;
  return type.kind === "map" ? `Map<${typeName(type.of)}>` : NAMES[type.kind];
}

/** A type in a sentence: `a String`, `an Integer`. */
export function withArticle(type: Type): string {
  const name = typeName(type);
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}
