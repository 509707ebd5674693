import { showBytes } from "../../core/language/bytes.js";
import { headerOf, type Headers, type Incoming, type Outgoing } from "./message.js";
import { refusal } from "./pages.js";

/** https://developers.cloudflare.com/fundamentals/reference/connection-limits/#request-limits */
export const MAX_URL_LENGTH = 16 * 1024;

/** What a request addresses. */
export interface Address {
  readonly host: string;
  /** Path and query. */
  readonly path: string;
  /** With the Host header that applies. */
  readonly headers: Headers;
}

/**
 * Reads what a request addresses, or refuses it. A URL in the request line takes precedence over the Host header.
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function readAddress({ target, httpVersion, headers }: Incoming): { address: Address } | { refused: Outgoing } {
  const isHost = ([name]: Headers[number]): boolean => name.toLowerCase() === "host";
  const hosts = headers.filter(isHost).length;
  if (hosts > 1) return { refused: refusal(400, "The request has several Host headers.") };
  if (hosts === 0 && httpVersion === "1.1") return { refused: refusal(400, "The request has no Host header.") };
  if (target.length > MAX_URL_LENGTH) return { refused: tooLong() };
  if (/^[/*]/.test(target))
    return { address: { host: headerOf(headers, "host") ?? "", path: showBytes(target), headers } };
  const [, host, rest = ""] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]+)([^#]*)/i.exec(target) ?? [];
  if (host === undefined) return { refused: refusal(400, "The request line has no path and no http or https URL.") };
  return {
    address: {
      host: showBytes(host),
      path: showBytes(rest.startsWith("/") ? rest : `/${rest}`),
      headers: [["Host", host], ...headers.filter((header) => !isHost(header))],
    },
  };
}

/** The response to a URL that is too long. */
export function tooLong(): Outgoing {
  return refusal(414, `The URL is longer than ${String(MAX_URL_LENGTH)} bytes.`);
}
