import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";

/** Why a request gets no further than the connection. */
export interface Unread {
  readonly status: number;
  readonly message: string;
  /** The first bytes of what cannot be read as HTTP. */
  readonly packet?: Buffer | undefined;
}

/** The response to such a request. */
export interface UnreadResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** https://developers.cloudflare.com/fundamentals/reference/connection-limits/#between-client-and-cloudflare */
const KEEP_ALIVE_MS = 400_000;

const STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/**
 * A server that also answers requests to which Node's would send an empty response or none: bytes that are not HTTP, a tunnel,
 * an unknown expectation, no host. A client that closes its side after the request gets its answer, too.
 */
export function createAnsweringServer(
  options: ServerOptions,
  handler: RequestListener,
  respond: (unread: Unread) => UnreadResponse,
): Server {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false, ...options }, handler);
  const end = (socket: Duplex, unread: Unread): void => {
    if (socket.writable) socket.end(textOf(respond(unread)));
  };
  server.on("clientError", (error: Error & { readonly code?: string; readonly rawPacket?: Buffer }, socket) => {
    const { code = "", message, rawPacket: packet } = error;
    end(socket, { status: STATUSES[code] ?? 400, message, packet });
  });
  server.on("connect", (_request, socket) => {
    end(socket, { status: 405, message: "tunnels are not served" });
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const { status, contentType, body } = respond({ status: 417, message: "100-continue is the only expectation" });
    request.resume();
    response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) }).end(body);
  });
  // Not in the types, but what Node's own handler of half-closed connections asks for.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

function textOf({ status, contentType, body }: UnreadResponse): string {
  return [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ""}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
