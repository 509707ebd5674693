import { isObject, mapFrom, type Json } from "./json.js";

/** How an output that is not known yet arrives in the provider process, in place of a value of any type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN || value === NOT_KNOWN;
}

/** A value that is not known yet, as a case of its own: no text can be taken for it. */
export const NOT_KNOWN: unique symbol = Symbol("not known yet");
export type NotKnown = typeof NOT_KNOWN;

/** A value, where there is one that is known. */
export function known<T>(value: T | NotKnown): T | undefined {
  return value === NOT_KNOWN ? undefined : value;
}

/** Values of which each may still be unknown. */
export type Pending<T> = { readonly [Name in keyof T]: T[Name] | NotKnown };

/** Whether every value is known. */
export function isKnown<T extends object>(values: Pending<T>): values is T {
  return !Object.values(values).includes(NOT_KNOWN);
}

/** Whether anything in a value, at any depth, is not known yet. */
export function hasUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

/**
 * A value of which only the shape is known: every leaf may become anything. Inside of a rule, what is not known stays the
 * marker that came, in place of a value of whatever type.
 */
export function blur<T>(value: T): T {
  return blurred(value as Json | undefined) as T;
}

function blurred(value: Json | undefined): Json {
  if (Array.isArray(value)) return (value as Json[]).map(blurred);
  return isObject(value) ? mapFrom(Object.entries(value).map(([key, item]) => [key, blurred(item)] as const)) : UNKNOWN;
}
