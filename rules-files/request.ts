import type { RequestInput } from "../language/index.js";
import { messageOf } from "../provider/model/errors.js";
import { requireMembers } from "./members.js";
import { isObject } from "../provider/model/json.js";
import type { TextDocument, Steps } from "../provider/files/text-document.js";

/** The properties of a request, with their types. */
const MEMBERS = {
  method: "string",
  url: "string",
  headers: "headers",
  httpVersion: "string or number",
  ip: "string",
  country: "string",
  continent: "string",
  asn: "number",
  botScore: "number",
  verifiedBot: "boolean",
  threatScore: "number",
  body: "string",
  bodySize: "number",
  timestamp: "number",
  draw: "number",
  fields: "object",
  lists: "object",
} as const satisfies Record<keyof RequestInput, string>;

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
  if (typeof value === "string") return fromLineAt(document, value, at);
  if (!isObject(value)) throw document.errorAt(at, "must be an object with url, or `METHOD URL`");
  requireMembers(document, value, at, { takes: MEMBERS, fits, what: "a request" });
  return value;
}

function fromLineAt(document: TextDocument, text: string, at: Steps): Partial<RequestInput> {
  try {
    return fromLine(text);
  } catch (error) {
    throw document.errorAt(at, messageOf(error));
  }
}

function fits(value: unknown, wanted: string): boolean {
  switch (wanted) {
    case "string":
      return typeof value === "string";
    case "headers":
      return Array.isArray(value) ? value.every(isPair) : isObject(value) && Object.values(value).every(isHeader);
    case "object":
      return isObject(value);
    default:
      return wanted.split(" or ").includes(typeof value === "string" ? "string" : typeof value);
  }
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === "string");
}

function isHeader(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
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
