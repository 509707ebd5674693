import type { Call, Envelope, Transport } from "./http/index.js";
import { ApiError, OUTCOME_UNKNOWN, RulesetsError, failedRequestText } from "../core/model/errors.js";
import { isList, isObject, sameJson, type Json, type JsonObject } from "../core/model/json.js";

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

/** Refuses an answer that contains another object than the one with the ID that was requested. */
export function requireSame(call: Call, wanted: string, found: string): void {
  if (found.toLowerCase() !== wanted.toLowerCase()) throw garbled(call, `is about ${found}, which was not requested`);
}

/** Refuses a ruleset in a response whose rules are no list, or one of which does not say which one it is, and what it does. */
export function requireRules(call: Call, { rules }: JsonObject): void {
  if ((rules ?? null) === null) return;
  if (!isList(rules)) throw garbled(call, "has rules that are no list, so it cannot be trusted");
  const ids = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const fault =
      !isObject(rule) || !hasId(rule)
        ? "without an ID"
        : ids.has(responseText(rule.id))
          ? "with the ID of another"
          : responseText(rule.action) === ""
            ? "without an action"
            : undefined;
    if (fault !== undefined)
      throw garbled(call, `has a rule ${fault}, rules[${String(index)}], so it cannot be trusted`);
    ids.add(responseText((rule as JsonObject).id));
  }
}

/**
 * The objects of the list in a response; `null` is an empty one only where the service counts none.
 * @param isWhole whether an entry has what one of this kind cannot lack
 */
export function requireList(
  call: Call,
  { result, totalCount }: Pick<Envelope, "result" | "totalCount">,
  isWhole: (entry: JsonObject) => boolean = hasId,
): JsonObject[] {
  if (result === null && totalCount === 0) return [];
  if (!isList(result)) throw garbled(call, "contains no list");
  return result.map((entry, index) => {
    if (isObject(entry) && isWhole(entry)) return entry;
    const fault = isObject(entry) ? "an entry without an ID" : "an entry that is no object";
    throw garbled(call, `contains ${fault}, result[${String(index)}], so it cannot be trusted`);
  });
}

/** Refuses a list of which the service counts more than it returned. */
export function requireCounted(call: Call, found: number, counted: number | undefined): void {
  if (counted !== undefined && counted > found)
    throw garbled(call, `is incomplete: the service counts ${String(counted)}, and returned ${String(found)}`);
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

/** How a list with numbered pages is read. */
interface Paging {
  readonly perPage: number;
  readonly query?: Query;
  /** Whether the service counts what the query selects. @default true */
  readonly isCounted?: boolean;
  /** Whether an entry has what one of this kind cannot lack. @default it has an ID */
  readonly isWhole?: (entry: JsonObject) => boolean;
}

/** Reads one page of a list, counted from 1. */
export async function readPage(
  transport: Transport,
  path: string,
  { page, perPage, query = {}, isWhole }: Paging & { readonly page: number },
): Promise<Page> {
  const request = { method: "GET", path, query: { ...query, page, per_page: perPage } } as const;
  const response = await transport.send(request);
  const { totalPages, totalCount } = response;
  const items = requireList(request, response, isWhole);
  const isFull = items.length >= perPage;
  // A count of fewer than were returned says nothing about what follows a full page.
  const isWrong = isFull && (totalCount ?? Infinity) < page * perPage;
  return { items, pages: isWrong ? Infinity : (totalPages ?? (isFull ? Infinity : page)), total: totalCount };
}

/** Reads a list with numbered pages one page at a time, so that a caller never holds more than one. */
export async function* pages(
  transport: Transport,
  path: string,
  { isCounted = true, ...paging }: Paging,
): AsyncGenerator<readonly JsonObject[]> {
  let [found, before]: [number, readonly JsonObject[]] = [0, []];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { items, pages: count, total } = await readPage(transport, path, { ...paging, page });
    const isSame = items.length > 0 && sameJson(before, items);
    if (isSame && count !== Infinity) throw garbled({ method: "GET", path }, "is a page that was returned before");
    // A list that ignores the number of the page returns the same one forever.
    if (isSame) return;
    found += items.length;
    [before, last] = [items, items.length === 0 ? page : count];
    if (isCounted && page >= last) requireCounted({ method: "GET", path }, found, total);
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
  for await (const page of pages(transport, path, { perPage, query })) found.push(...page);
  return found;
}

/**
 * A list whose pages each name the next one, one page at a time. Throws if one comes again: the same would be asked for ever.
 * @param isNullEmpty whether `null` is an empty list
 */
export async function* pagesByCursor(
  transport: Transport,
  path: string,
  query: Query,
  isNullEmpty = (): Promise<boolean> => Promise.resolve(false),
): AsyncGenerator<readonly JsonObject[]> {
  const seen = new Set<string | undefined>();
  let found = 0;
  let before: readonly JsonObject[] | undefined;
  for (let cursor: string | undefined; !seen.has(cursor);) {
    seen.add(cursor);
    const call = { method: "GET", path, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } } as const;
    const response = await transport.send(call);
    if (response.result === null && found === 0 && (await isNullEmpty())) return;
    const items = requireList(call, response);
    if (before !== undefined && sameJson(before, items)) break;
    [found, before] = [found + items.length, items];
    if (response.after === undefined) requireCounted(call, found, response.totalCount);
    yield items;
    if (response.after === undefined) return;
    cursor = response.after;
  }
  throw garbled({ method: "GET", path }, "is a page that was returned before");
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
