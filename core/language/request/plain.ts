import { findField } from "../catalogue/index.js";
import { toBytes } from "../bytes.js";
import { parseIp } from "../ip.js";
import { elementOf, INTEGER, IP, STRING, typeName, UNKNOWN, BOOLEAN, type Type } from "../type.js";
import { toInteger, type Value } from "../value.js";

/** A field's value in a program's notation: strings are UTF-8, IP addresses are strings, maps are objects. `null` is nil. */
export type PlainValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

/**
 * Converts a plain value to the value of a field.
 * @throws TypeError if it does not match the field's type
 */
export function toFieldValue(name: string, plain: PlainValue): Value | undefined {
  return plain === null ? undefined : toValue(plain, findField(name)?.type ?? UNKNOWN, name);
}

function toValue(plain: PlainValue, type: Type, where: string): Value {
  const value = convert(plain, type, where);
  if (value === undefined)
    throw new TypeError(`${where}: expected a value of type ${typeName(type)}, not ${show(plain)}`);
  return value;
}

function convert(plain: PlainValue, type: Type, where: string): Value | undefined {
  const guess = type === UNKNOWN;
  if (typeof plain === "string") {
    return type === IP ? parseIp(plain) : guess || type === STRING ? toBytes(plain) : undefined;
  }
  if (plain instanceof Uint8Array) {
    return guess || type === STRING ? Buffer.from(plain).toString("latin1") : undefined;
  }
  if (typeof plain === "number" || typeof plain === "bigint") {
    const whole = typeof plain === "bigint" || Number.isInteger(plain);
    return (guess || type === INTEGER) && whole ? toInteger(plain) : undefined;
  }
  if (typeof plain === "boolean") return guess || type === BOOLEAN ? plain : undefined;
  return plain === null ? undefined : convertMany(plain, type, where);
}

function convertMany(plain: object, type: Type, where: string): Value | undefined {
  const of = elementOf(type) ?? UNKNOWN;
  if (Array.isArray(plain)) {
    if (type !== UNKNOWN && type.kind !== "array") return undefined;
    return (plain as readonly PlainValue[]).map((item, index) => toValue(item, of, `${where}[${String(index)}]`));
  }
  if (type !== UNKNOWN && type.kind !== "map") return undefined;
  const entries = Object.entries(plain as Readonly<Record<string, PlainValue>>);
  return new Map(entries.map(([key, item]) => [toBytes(key), toValue(item, of, `${where}[${JSON.stringify(key)}]`)]));
}

function show(plain: PlainValue): string {
  return typeof plain === "bigint" ? String(plain) : JSON.stringify(plain);
}
