import { fromBytes, toBytes } from "../../bytes.js";
import { toInteger, type Bytes, type Integer, type Value } from "../../value.js";
import type { Implementation } from "./implementation.js";

/** A number as written, which distinguishes 42 from 42.0. */
class JsonNumber {
  constructor(readonly source: string) {}
}

export const lookupJsonString: Implementation = ([text, ...path]) => {
  const found = lookUp(text, path);
  return typeof found === "string" ? toBytes(found) : undefined;
};

/** Plain integers of 64 bits only; `-0` is a fraction. */
export const lookupJsonInteger: Implementation = ([text, ...path]): Integer | undefined => {
  const found = lookUp(text, path);
  if (!(found instanceof JsonNumber) || !/^(?!-0$)-?\d{1,19}$/.test(found.source)) return undefined;
  const value = BigInt(found.source);
  return BigInt.asIntN(64, value) === value ? toInteger(value) : undefined;
};

function lookUp(text: Value | undefined, path: readonly (Value | undefined)[]): unknown {
  let found = typeof text === "string" ? parse(text) : undefined;
  for (const step of path) {
    if (typeof step === "number" && Array.isArray(found)) found = found[step];
    else if (typeof step === "string" && isObject(found)) {
      const key = fromBytes(step);
      found = key !== undefined && Object.hasOwn(found, key) ? found[key] : undefined;
    } else return undefined;
  }
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

function parse(bytes: Bytes): unknown {
  const text = fromBytes(bytes);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text, keepSource);
  } catch {
    return undefined;
  }
}

/** The library's types do not include the third argument of a reviver yet. */
function keepSource(...[, value, context]: readonly unknown[]): unknown {
  if (typeof value !== "number") return value;
  return new JsonNumber((context as { source?: string } | undefined)?.source ?? String(value));
}
