import type { HttpRequest } from "../language/index.js";
import { read, readNumber, readText } from "./read.js";

/** Where the request goes in place of the zone's own DNS record, as origin rules say. */
export interface Origin {
  /** Host that is looked up. */
  readonly host?: string;
  readonly port?: number;
  /** Name in the TLS handshake. */
  readonly sni?: string;
}

/** What origin rules have set; undefined where they set nothing of it. */
export function originOf(settings: object | undefined): Origin | undefined {
  const origin = read(settings, "origin");
  const found = {
    host: readText(origin, "host"),
    port: readNumber(origin, "port"),
    sni: readText(read(settings, "sni"), "value"),
  };
  return Object.values(found).every((value) => value === undefined) ? undefined : found;
}

/** The request with the Host header that origin rules give it. Rules of this zone see the client's. */
export function withHostHeader(request: HttpRequest, settings: object | undefined): HttpRequest {
  const host = readText(settings, "hostHeader");
  return host === undefined ? request : request.rewrite({ headers: [{ name: "Host", values: [host] }] });
}
