import type { RequestInput } from "../../core/language/index.js";
import { isObject } from "../../core/model/json.js";
import type { TextDocument, Steps } from "./text/text-document.js";
import { readBySchema } from "../../core/files/file-schema.js";
import { schema } from "../../core/files/generated/validate-request.js";

/**
 * Reads a request from a document. Missing properties come from `defaults`; headers and fields are merged.
 * @throws Error with the line of the mistake
 */
export function readRequest(
  document: TextDocument,
  value: unknown,
  at: Steps,
  defaults: Partial<RequestInput> = {},
): RequestInput {
  const own = readPart(document, value, at);
  const { fields, lists, headers } = { ...defaults, ...own };
  const both: Partial<RequestInput> = {
    ...defaults,
    ...own,
    headers: bothHeaders(defaults.headers, own.headers) ?? headers,
    fields: { ...defaults.fields, ...fields },
    lists: { ...defaults.lists, ...lists },
  };
  if (both.url === undefined) throw document.errorAt(at, "url is required");
  return both as RequestInput;
}

/** Reads a partial request, such as the defaults for several requests. */
export function readPart(document: TextDocument, value: unknown, at: Steps): Partial<RequestInput> {
  readBySchema(document, schema, { value, at });
  if (typeof value === "string") return fromLine(value);
  return isObject(value) ? value : {};
}

type Headers = NonNullable<RequestInput["headers"]>;

/** Merges two sets of headers by name; the second takes precedence. Pairs are ordered, so they replace the first set. */
function bothHeaders(before: Headers | undefined, after: Headers | undefined): Headers | undefined {
  if (before === undefined || after === undefined) return after ?? before;
  if (Array.isArray(before) || Array.isArray(after)) return after;
  const named = new Map(
    [...Object.entries(before), ...Object.entries(after)].map(([name, value]) => [
      name.toLowerCase(),
      [name, value] as const,
    ]),
  );
  return Object.fromEntries(named.values());
}

/** `GET https://example.com/`, or the URL alone. */
export function fromLine(text: string): Partial<RequestInput> {
  const [, method, url] = /^(?:([A-Za-z]+)\s+)?(\S+)$/.exec(text.trim()) ?? [];
  if (url === undefined || !/^(https?:\/)?\//i.test(url)) {
    throw new Error(
      `${JSON.stringify(text)} is not a request; write \`GET https://example.com/path\`, or an object with url`,
    );
  }
  return method === undefined ? { url } : { method, url };
}
