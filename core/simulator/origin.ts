import type { HttpRequest } from "../language/index.js";
import { readProperty, readNumber, readText } from "./read-property.js";

/** Where origin rules send the request instead of the zone's own DNS record. */
export interface Origin {
  /** Host name to resolve. */
  readonly host?: string;
  readonly port?: number;
  /** Server name in the TLS handshake. */
  readonly sni?: string;
}

/** What origin rules have set; undefined if they set nothing. */
export function originOf(settings: object | undefined): Origin | undefined {
  if (settings === undefined) return undefined;
  const origin = readProperty(settings, "origin");
  const found = {
    host: readText(origin, "host"),
    port: readNumber(origin, "port"),
    sni: readText(readProperty(settings, "sni"), "value"),
  };
  return Object.values(found).every((value) => value === undefined) ? undefined : found;
}

/** The request with the Host header that origin rules set. Rules of this zone see the client's. */
export function withHostHeader(request: HttpRequest, settings: object | undefined): HttpRequest {
  const host = readText(settings, "hostHeader");
  return host === undefined ? request : request.rewrite({ headers: [{ name: "Host", values: [host] }] });
}
