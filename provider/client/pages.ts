import type { Transport } from "../http/index.js";
import { ApiError, RulesetsError } from "../model/errors.js";
import { isList, isObject, type Json, type JsonObject } from "../model/json.js";

/** The objects of a list; any other items are ignored. */
export function objects(value: unknown): JsonObject[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** A value of a response as text; empty when it is neither a string nor a number. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Encodes a path segment. Throws CONFIG_INVALID for one that would change the path: empty, `.` or `..`. */
export function encodeSegment(segment: string): string {
  if (["", ".", ".."].includes(segment)) {
    const text = `${JSON.stringify(segment)} cannot be part of an API path; use an ID or a name.`;
    throw new RulesetsError(text, { code: "CONFIG_INVALID" });
  }
  return encodeURIComponent(segment);
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads a list with numbered pages one page at a time, so that a caller never holds more than one. */
export async function* pages(
  transport: Transport,
  path: string,
  perPage: number,
  query: Query = {},
): AsyncGenerator<JsonObject[]> {
  for (let page = 1, last = 1; page <= last; page += 1) {
    const response = await transport.send({ method: "GET", path, query: { ...query, page, per_page: perPage } });
    last = response.totalPages ?? 1;
    yield objects(response.result);
  }
}

/** All items of a list with numbered pages. */
export async function allPages(
  transport: Transport,
  path: string,
  perPage: number,
  query: Query = {},
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const page of pages(transport, path, perPage, query)) found.push(...page);
  return found;
}

/** The result of a request, or undefined when the service responds that the object does not exist. */
export async function undefinedIfMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof ApiError && error.code === "API_NOT_FOUND") return undefined;
    throw error;
  }
}
