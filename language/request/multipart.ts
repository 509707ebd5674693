import { lowerAscii } from "../bytes.js";
import type { Bytes } from "../value.js";
import { headerValues, type Header } from "./headers.js";

/** One part of a multipart body. */
export interface Part {
  readonly headers: readonly Header[];
  readonly value: Bytes;
}

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i;

/** The parts of a `multipart/form-data` body; empty if the content type has no boundary. */
export function parseMultipart(contentType: Bytes, body: Bytes): readonly Part[] {
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
export function partHeader(part: Part, name: Bytes): readonly Bytes[] {
  return headerValues(part.headers, name);
}

/** `name` or `filename` of the part, from its Content-Disposition. */
export function dispositionParameter(part: Part, name: "name" | "filename"): readonly Bytes[] {
  return partHeader(part, "content-disposition").flatMap((value) => {
    for (const parameter of value.split(";").slice(1)) {
      const [key = "", text = ""] = parameter.trim().split(/=(.*)/s);
      if (lowerAscii(key) === name) return [text.replace(/^"([^]*)"$/, "$1")];
    }
    return [];
  });
}
