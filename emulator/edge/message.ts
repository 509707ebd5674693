import { validateHeaderName, validateHeaderValue } from "node:http";
import { showBytes, toBytes } from "../../core/language/bytes.js";

/** Headers in order, as sent: names and values are bytes, one per character. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Headers as text; a list has the values of a header that was sent several times. */
type HeaderTexts = Readonly<Record<string, string | readonly string[]>>;

/** A request as the edge received it. */
export interface Incoming {
  readonly method: string;
  /** As sent: path and query, or a URL. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: Headers;
  readonly remoteAddress?: string;
  readonly body: Buffer;
}

/** A response of the edge or of an origin. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | string;
}

/** The text of a header; several values are joined, as in the fields of rules. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : showBytes(values.join(", "));
}

/** Headers as text, by lower-case name. */
export function textsOf(headers: Headers): HeaderTexts {
  const texts = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const values = texts.get(key);
    if (values === undefined) texts.set(key, [showBytes(value)]);
    else values.push(showBytes(value));
  }
  return Object.fromEntries(
    [...texts].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
}

/** Sets headers to wanted texts where they differ; all other headers stay unchanged. */
export function withTexts(headers: Headers, wanted: HeaderTexts): Headers {
  const before = textsOf(headers);
  const isKept = (name: string): boolean => [before[name]].flat().join("\n") === [wanted[name]].flat().join("\n");
  const changed = Object.entries(wanted).filter(([name]) => !isKept(name));
  return [
    ...headers.filter(([name]) => isKept(name.toLowerCase())),
    ...changed.flatMap(([name, values]) => [values].flat().map((value) => [name, toBytes(value)] as const)),
  ];
}

/** Hop-by-hop headers, which describe one connection. */
const HOP = new Set(["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"]);

export function withoutHop(headers: Headers): Headers {
  return headers.filter(([name]) => !HOP.has(name.toLowerCase()));
}

/** The headers to pass on, without the length, and without what HTTP does not allow. */
export function passedOn(headers: Headers): Headers {
  return withoutHop(headers).filter(([name, value]) => name.toLowerCase() !== "content-length" && isValid(name, value));
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Encodes any text as a header value. */
export function headerText(text: string): string {
  return text.replace(/[^ !#-$&-~]/gu, (sign) => encodeURIComponent(sign));
}
