import { isObject, type JsonObject } from "../../core/model/json.js";
import type { ApiMessage } from "../../core/model/errors.js";

/** The service's envelope around every response, with its irregularities removed. */
export interface Envelope {
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly ApiMessage[];
  readonly messages: readonly ApiMessage[];
  /** Cursor of the next page. */
  readonly after?: string;
  readonly totalPages?: number;
  /** Number of items of the whole list, which may ignore the filters of the request. */
  readonly totalCount?: number;
}

function message(entry: unknown): ApiMessage[] {
  if (typeof entry === "string") return [{ message: entry }];
  if (!isObject(entry)) return [];
  const page = entry.documentation_url;
  const pointer = isObject(entry.source) ? entry.source.pointer : undefined;
  const own: ApiMessage = {
    message: typeof entry.message === "string" ? entry.message : "no message",
    ...(typeof entry.code === "number" ? { code: entry.code } : {}),
    ...(typeof pointer === "string" ? { pointer } : {}),
    ...(typeof page === "string" && /^https:\/\/\S+$/.test(page) ? { documentationUrl: page } : {}),
  };
  return [own, ...messages(entry.error_chain)];
}

/** `errors` and `messages` may be null, contain plain strings, lack codes, or have a nested `error_chain`. */
function messages(value: unknown): ApiMessage[] {
  return Array.isArray(value) ? value.flatMap(message) : [];
}

/** Number of pages; some lists report only the number of items. */
function totalsOf({ total_pages, total_count, per_page }: JsonObject): Pick<Envelope, "totalPages" | "totalCount"> {
  const totalCount = typeof total_count === "number" ? { totalCount: total_count } : {};
  if (typeof total_pages === "number") return { totalPages: total_pages, ...totalCount };
  const countable = typeof total_count === "number" && typeof per_page === "number" && per_page > 0;
  return countable ? { totalPages: Math.ceil(total_count / per_page), ...totalCount } : totalCount;
}

/** An answer to a GraphQL query is not in the envelope: `errors` decides, also with status 200. */
function fromGraphql({ data, errors }: JsonObject): Envelope {
  const found = messages(errors);
  return { success: found.length === 0, result: data ?? null, errors: found, messages: [] };
}

/** Parses an envelope; undefined when the value is not one. */
export function parseEnvelope(value: unknown): Envelope | undefined {
  if (isObject(value) && value.success === undefined && "data" in value) return fromGraphql(value);
  if (!isObject(value) || typeof value.success !== "boolean") return undefined;
  const info = isObject(value.result_info) ? value.result_info : {};
  const after = isObject(info.cursors) ? info.cursors.after : info.cursor;
  return {
    success: value.success,
    result: value.result ?? null,
    errors: messages(value.errors),
    messages: messages(value.messages),
    ...(typeof after === "string" && after !== "" ? { after } : {}),
    ...totalsOf(info),
  };
}
