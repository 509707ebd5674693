import { lowerAscii, toBytes } from "../bytes.js";
import type { Bytes, Value } from "../value.js";

/** The parts of a URL that a request contains. */
export interface Target {
  readonly scheme: "http" | "https";
  /** Host, with the port if given. */
  readonly authority: Bytes;
  readonly port: number;
  /** As sent: percent-encoded, not normalised. */
  readonly path: Bytes;
  /** After the `?`; undefined if there is none. */
  readonly query: Bytes | undefined;
}

const URL_PARTS = /^(https?):\/\/(?:[^/?#@]*@)?([^/?#@\s]+)((?:\/[^?#]*)?)(?:\?([^#]*))?(?:#.*)?$/is;
const PORT = /:(\d+)$/;

/**
 * Splits a URL into its parts. Characters that a client would encode are encoded (spaces, quotes, non-ASCII); nothing else
 * changes.
 * @throws TypeError
 */
export function parseTarget(url: string | URL): Target {
  const [, scheme, authority, path, query] = URL_PARTS.exec(String(url)) ?? [];
  if (scheme === undefined || authority === undefined) {
    throw new TypeError(`url: "${String(url)}" is not an absolute http or https URL`);
  }
  const secure = scheme.toLowerCase() === "https";
  const port = PORT.exec(authority)?.[1];
  return {
    scheme: secure ? "https" : "http",
    authority: lowerAscii(toBytes(authority)),
    port: port === undefined ? (secure ? 443 : 80) : Number(port),
    path: percentEncode(path === undefined || path === "" ? "/" : path),
    query: query === undefined ? undefined : percentEncode(query),
  };
}

/** Percent-encodes characters that never occur in a request line. */
export function percentEncode(text: string): Bytes {
  return percentEncodeBytes(toBytes(text));
}

/** Percent-encodes bytes that never occur in a request line. */
export function percentEncodeBytes(bytes: Bytes): Bytes {
  return bytes.replace(/[^!#-;=?-_a-~]/g, (byte) => {
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

export function uriOf({ path, query }: Pick<Target, "path" | "query">): Bytes {
  return query === undefined ? path : `${path}?${query}`;
}

/** Lower-case extension of the last segment, without the dot; empty if there is none, as in a name such as `.htaccess`. */
export function extensionOf(path: Bytes): Bytes {
  const name = basenameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : lowerAscii(name.slice(dot + 1));
}

export function basenameOf(path: Bytes): Bytes {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Name and value of each argument in order, not decoded. */
export function argumentsOf(query: Bytes): readonly (readonly [name: Bytes, value: Bytes])[] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    });
}

/** Values by name, in order. */
export function groupByName(pairs: readonly (readonly [name: Bytes, value: Bytes])[]): ReadonlyMap<Bytes, Value> {
  const grouped = new Map<Bytes, Bytes[]>();
  for (const [name, value] of pairs) {
    const values = grouped.get(name);
    if (values === undefined) grouped.set(name, [value]);
    else values.push(value);
  }
  return grouped;
}
