import { isList, isObject, mapValues, type Json, type JsonObject, textOf } from "./json.js";

/** The engine's marker for an output that is not known yet, in place of a value of any type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN || value === NOT_KNOWN;
}

/** A string that is known; empty for any other value. */
export function knownText(value: unknown): string {
  return isUnknown(value) ? "" : textOf(value);
}

/** Represents a value that is not known yet; unlike the marker, it cannot be confused with a string. */
export const NOT_KNOWN: unique symbol = Symbol("not known yet");
export type NotKnown = typeof NOT_KNOWN;

/** The value if it is known, otherwise undefined. */
export function valueIfKnown<T>(value: T | NotKnown): T | undefined {
  return value === NOT_KNOWN ? undefined : value;
}

/** The engine's marker, where it stands for a part of a value. */
type Marker = typeof UNKNOWN;
/** A value in which the marker may stand for the whole or any part. */
export type PendingValue<T> = Marker | PendingParts<T>;
/** A value in which the marker may stand for any part. */
export type PendingParts<T> = T extends string | number | boolean | null | undefined
  ? T
  : JsonObject extends T
    ? T
    : { readonly [Name in keyof T]: PendingValue<T[Name]> };

/**
 * An object whose values may each still be unknown, or contain parts that are. What this package itself adds, under names
 * that begin with `__`, is complete or missing.
 */
export type Pending<T> = {
  readonly [Name in keyof T]: (Name extends `__${string}` ? T[Name] : PendingParts<T[Name]>) | NotKnown;
};

/** The values that are known. */
export function knownValues<T extends object>(values: Pending<T>): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== NOT_KNOWN)) as Partial<T>;
}

/** Whether every value is known completely. */
export function isKnown<T extends object>(values: Pending<T>): values is Pending<T> & T {
  return !hasUnknown(values);
}

/** Whether a value is known completely. */
export function isComplete<T>(value: PendingValue<T>): value is PendingValue<T> & T {
  return !hasUnknown(value);
}

/** Whether anything in a value, at any depth, is not known yet. */
export function hasUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

/**
 * Replaces every leaf of a value by the engine's marker for unknown values, so that only the structure is known. Inside
 * rules, unknown values keep that marker.
 */
export function withUnknownLeaves<T>(value: T): T {
  return blurred(value as Json | undefined) as T;
}

function blurred(value: Json | undefined): Json {
  if (isList(value)) return value.map(blurred);
  return isObject(value) ? mapValues(value, blurred) : UNKNOWN;
}
