import type { Bytes, Evaluated } from "../value.js";
import { unknownField } from "./context.js";
import { headerText, mediaType, headerValues, type Header } from "./headers.js";
import type { RequestParts } from "./parts.js";
import { argumentsOf, groupByName } from "./target.js";
import { lowerAscii } from "../bytes.js";

type Derive = (parts: RequestParts) => Evaluated;

/** A field of the body; unknown if the body is not known. */
function ofBody(name: string, derive: (body: Bytes, parts: RequestParts) => Evaluated): Derive {
  return (parts) => (parts.body === undefined ? unknownField(name, "body") : derive(parts.body, parts));
}

function form(body: Bytes, parts: RequestParts): readonly (readonly [Bytes, Bytes])[] {
  return mediaType(parts.headers) === "application/x-www-form-urlencoded" ? argumentsOf(body) : [];
}

function multipart(body: Bytes, parts: RequestParts): readonly Part[] {
  return mediaType(parts.headers).startsWith("multipart/")
    ? parseMultipart(headerText(parts.headers, "content-type"), body)
    : [];
}

function byName(parts: readonly Part[]): Evaluated {
  return groupByName(
    parts.flatMap((part) => dispositionParameter(part, "name").map((name) => [name, part.value] as const)),
  );
}

const FIELDS: Readonly<Record<string, (body: Bytes, parts: RequestParts) => Evaluated>> = {
  "http.request.body.raw": (body) => body,
  "http.request.body.truncated": () => false,
  "http.request.body.mime": (body) =>
    body === "" ? "" : unknownField("http.request.body.mime", 'fields: { "http.request.body.mime": … }'),
  "http.request.body.form": (body, parts) => groupByName(form(body, parts)),
  "http.request.body.form.names": (body, parts) => form(body, parts).map(([name]) => name),
  "http.request.body.form.values": (body, parts) => form(body, parts).map(([, value]) => value),
  "http.request.body.multipart": (body, parts) => byName(multipart(body, parts)),
  "http.request.body.multipart.values": (body, parts) => multipart(body, parts).map(({ value }) => value),
  "http.request.body.multipart.names": (body, parts) =>
    multipart(body, parts).map((part) => dispositionParameter(part, "name")),
  "http.request.body.multipart.filenames": (body, parts) =>
    multipart(body, parts).map((part) => dispositionParameter(part, "filename")),
  "http.request.body.multipart.content_types": (body, parts) =>
    multipart(body, parts).map((part) => partHeader(part, "content-type")),
  "http.request.body.multipart.content_dispositions": (body, parts) =>
    multipart(body, parts).map((part) => partHeader(part, "content-disposition")),
  "http.request.body.multipart.content_transfer_encodings": (body, parts) =>
    multipart(body, parts).map((part) => partHeader(part, "content-transfer-encoding")),
};

/** How body fields derive from a request. */
export const BODY_FIELDS: Readonly<Record<string, Derive>> = {
  ...Object.fromEntries(Object.entries(FIELDS).map(([name, derive]) => [name, ofBody(name, derive)])),
  "http.request.body.size": ({ body, bodySize }) =>
    bodySize ?? body?.length ?? unknownField("http.request.body.size", "bodySize"),
};

/** One part of a multipart body. */
interface Part {
  readonly headers: readonly Header[];
  readonly value: Bytes;
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i;

/** The parts of a `multipart/form-data` body; empty if the content type has no boundary. */
function parseMultipart(contentType: Bytes, body: Bytes): readonly Part[] {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return [];
  return `\r\n${body}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith("--"))
    .map(parsePart);
}

function parsePart(part: Bytes): Part {
  const text = part.replace(/^[ \t]*\r\n/, "");
  const end = text.startsWith("\r\n") ? 0 : text.indexOf("\r\n\r\n");
  const head = end < 0 ? text : text.slice(0, end);
  const headers = head.split("\r\n").flatMap((line): Header[] => {
    const colon = line.indexOf(":");
    return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { headers, value: end < 0 ? "" : text.slice(end + (end === 0 ? 2 : 4)) };
}

/** Values of a header of the part. */
function partHeader(part: Part, name: Bytes): readonly Bytes[] {
  return headerValues(part.headers, name);
}

/** `name` or `filename` of the part, from its Content-Disposition. */
function dispositionParameter(part: Part, name: "name" | "filename"): readonly Bytes[] {
  return partHeader(part, "content-disposition").flatMap((value) => {
    for (const parameter of value.split(";").slice(1)) {
      const [key = "", text = ""] = parameter.trim().split(/=(.*)/s);
      if (lowerAscii(key) === name) return [text.replace(/^"([^]*)"$/, "$1")];
    }
    return [];
  });
}
