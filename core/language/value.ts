import type { IpAddress } from "./ip.js";

/**
 * A byte sequence, stored as a JavaScript string with one byte (0 to 255) per character (a latin1 "binary" string). So `<`
 * compares bytes and `length` counts them. `toBytes` encodes text.
 */
export type Bytes = string;

/** A 64-bit integer: a number if that is exact, otherwise a bigint, so `===` compares correctly. */
export type Integer = number | bigint;

/** The value of a field or a function. Nil (missing) is `undefined`. */
export type Value = boolean | Integer | Bytes | IpAddress | readonly Value[] | ReadonlyMap<Bytes, Value>;

/** Why something is unknown: which field, function, list or pattern, and how to provide it. */
export interface Reason {
  readonly kind: "field" | "function" | "list" | "regex";
  readonly name: string;
  readonly why: string;
}

/** A value that is not available locally: a score, a list whose items are not given, a hash that is not public. */
export class Unknown {
  constructor(readonly because: readonly Reason[]) {}

  /** Joins the reasons, without duplicates. */
  static join(a: Unknown | undefined, b: Unknown): Unknown {
    if (a === undefined || a === b) return b;
    const more = b.because.filter((one) => !a.because.some((other) => other.name === one.name));
    return more.length === 0 ? a : new Unknown([...a.because, ...more]);
  }
}

/** A map of which only some entries are known. Whatever asks for more than one entry finds it unknown. */
export class PartlyUnknown extends Unknown {
  constructor(
    because: readonly Reason[],
    readonly entry: (key: Bytes) => Evaluated,
  ) {
    super(because);
  }
}

/** A field's value, nil, or unknown. */
export type Evaluated = Value | undefined | Unknown;

/** True, false, or unknown. */
export type Verdict = boolean | Unknown;

export const MAX_INTEGER = 2n ** 63n - 1n;
export const MIN_INTEGER = -(2n ** 63n);

/** An integer in its unique representation; undefined outside 64 bits. */
export function toInteger(value: number | bigint): Integer | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const big = BigInt(value);
  if (big > MAX_INTEGER || big < MIN_INTEGER) return undefined;
  const small = Number(big);
  return Number.isSafeInteger(small) ? small : big;
}

export function isMap(value: Evaluated): value is ReadonlyMap<Bytes, Value> {
  return value instanceof Map;
}

export function isArray(value: Evaluated): value is readonly Value[] {
  return Array.isArray(value);
}

export function isAddress(value: Evaluated): value is IpAddress {
  return typeof value === "object" && "version" in value;
}

/** Values of a map in the byte order of its keys, as the engine iterates them. */
export function mapValues(map: ReadonlyMap<Bytes, Value>): readonly Value[] {
  const keys = Array.from(map.keys()).sort();
  return keys.map((key) => map.get(key) as Value);
}
