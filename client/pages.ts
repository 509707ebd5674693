import type { Call, Envelope, Transport } from "./http/index.js";
import { ApiError, OUTCOME_UNKNOWN, RulesetsError, failedRequestText } from "../core/model/errors.js";
import { isList, isObject, sameJson, type Json, type JsonObject, objectsIn } from "../core/model/json.js";

/** A value of a response as text; empty when it is neither a string nor a number. */
export function responseText(value: Json | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Whether an object of a response says which one it is. */
export function hasId({ id }: JsonObject): boolean {
  return responseText(id) !== "";
}

/**
 * The object in a response. A write without one may have been carried out.
 * @param isWhole whether it has what an object of this kind cannot lack: an empty one is nobody's answer
 */
export function requireResult(
  { method, path }: Call,
  { result }: Pick<Envelope, "result">,
  what = "result",
  isWhole: (result: JsonObject) => boolean = () => true,
): JsonObject {
  if (isObject(result) && isWhole(result)) return result;
  throw garbled({ method, path }, `contains no ${what}`);
}

/** Refuses a ruleset in a response if one of its rules does not say which one it is. */
export function requireRuleIds(call: Call, { rules }: JsonObject): void {
  const index = isList(rules) ? rules.findIndex((rule) => !isObject(rule) || !hasId(rule)) : -1;
  if (index >= 0) throw garbled(call, `has a rule without an ID, rules[${String(index)}], so it cannot be trusted`);
}

/** The objects of the list in a response; the service also returns `null` for an empty one. */
export function requireList({ method, path }: Call, { result }: Pick<Envelope, "result">): JsonObject[] {
  if (!isList(result) && (result ?? null) !== null) throw garbled({ method, path }, "contains no list");
  return objectsIn(result);
}

/** A write may have been carried out. */
function garbled({ method, path }: Pick<Call, "method" | "path">, fault: string): ApiError {
  const isWrite = method !== "GET";
  return new ApiError(
    failedRequestText({ method, path }, `the response ${fault}.${isWrite ? ` ${OUTCOME_UNKNOWN}` : ""}`),
    {
      code: "API_GARBLED",
      ambiguous: isWrite,
    },
  );
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

/** One page of a list with numbered pages. */
export interface Page<T = JsonObject> {
  readonly items: readonly T[];
  /** Number of pages; infinite if the service does not tell it and this page is full. */
  readonly pages: number;
  /** Number of items of the whole list, if the service tells. */
  readonly total: number | undefined;
}

/** Reads one page of a list, counted from 1. */
export async function readPage(
  transport: Transport,
  path: string,
  { page, perPage, query = {} }: { readonly page: number; readonly perPage: number; readonly query?: Query },
): Promise<Page> {
  const request = { method: "GET", path, query: { ...query, page, per_page: perPage } } as const;
  const response = await transport.send(request);
  const { result, totalPages, totalCount } = response;
  const isFull = isList(result) && result.length >= perPage;
  return { items: requireList(request, response), pages: totalPages ?? (isFull ? Infinity : page), total: totalCount };
}

/** Reads a list with numbered pages one page at a time, so that a caller never holds more than one. */
export async function* pages(
  transport: Transport,
  path: string,
  perPage: number,
  query: Query = {},
): AsyncGenerator<readonly JsonObject[]> {
  let before: readonly JsonObject[] | undefined;
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { items, pages: count } = await readPage(transport, path, { page, perPage, query });
    // A list that ignores the number of the page returns the same one forever.
    if (before !== undefined && sameJson(before, items)) return;
    [before, last] = [count === Infinity ? items : undefined, count];
    yield items;
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

/** A list whose pages each name the next one, one page at a time. Throws if one comes again: the same would be asked for ever. */
export async function* pagesByCursor(
  transport: Transport,
  path: string,
  query: Query,
): AsyncGenerator<readonly JsonObject[]> {
  const seen = new Set<string | undefined>();
  for (let cursor: string | undefined; !seen.has(cursor);) {
    seen.add(cursor);
    const call = { method: "GET", path, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } } as const;
    const response = await transport.send(call);
    yield requireList(call, response);
    if (response.after === undefined) return;
    cursor = response.after;
  }
  throw new ApiError(
    failedRequestText({ method: "GET", path }, "the service named a page again that it had returned before."),
    {
      code: "API_GARBLED",
    },
  );
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
