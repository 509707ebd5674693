import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { MAX_URL_LENGTH, tooLong } from "./address.js";
import type { Edge } from "./edge.js";
import { passedOn, type Outgoing } from "./message.js";
import { pairsOf, type Origin } from "./origin.js";
import { refusal } from "./pages.js";

const BODY_LIMIT = 100 * 1024 * 1024;
/** https://developers.cloudflare.com/fundamentals/reference/connection-limits/#request-limits */
const MAX_HEADERS_LENGTH = 32 * 1024;

/** Serves an edge over HTTP. */
export function serveEdge(edge: Edge, origin: Origin): Server {
  const server = createServer({ maxHeaderSize: MAX_URL_LENGTH + MAX_HEADERS_LENGTH }, (request, response) => {
    serveRequest(edge, origin, request)
      .catch((error: unknown) => refusal(500, `error code: 1101\n${(error as Error).message}`))
      .then((outgoing) => {
        write(request, response, outgoing);
      })
      .catch(() => response.destroy());
  });
  return server.on("clientError", refuseUnreadable);
}

async function serveRequest(edge: Edge, origin: Origin, request: IncomingMessage): Promise<Outgoing> {
  const body = await bodyOf(request);
  if (body === undefined) return refusal(413, "The body is larger than 100 MB.");
  const { method = "GET", url: target = "/", httpVersion, rawHeaders, socket } = request;
  const headers = pairsOf(rawHeaders);
  return edge.respond({ method, target, httpVersion, headers, remoteAddress: socket.remoteAddress, body }, origin);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > BODY_LIMIT) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/** The length is recalculated, because rules may have replaced the body. */
function write({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Outgoing): void {
  const bytes = Buffer.from(body);
  const isEmpty = method === "HEAD" || status === 204 || status === 304;
  const length = isEmpty ? [] : [["content-length", String(bytes.length)] as const];
  response.writeHead(status, [...passedOn(headers), ...length].flat());
  response.end(isEmpty ? undefined : bytes);
}

/** Answers what cannot be read as a request. */
function refuseUnreadable(
  error: Error & { readonly code?: string; readonly rawPacket?: Buffer },
  socket: Duplex,
): void {
  if (!socket.writable) return;
  const { status, body } = unreadable(error);
  socket.end(
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ""}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${String(body)}`,
  );
}

function unreadable({
  code,
  message,
  rawPacket,
}: Error & { readonly code?: string; readonly rawPacket?: Buffer }): Outgoing {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refusal(408, "The request took too long.");
  if (code !== "HPE_HEADER_OVERFLOW") return refusal(400, `The request cannot be read: ${message}`);
  const line = rawPacket?.indexOf("\n") ?? -1;
  return line < 0 || line > MAX_URL_LENGTH ? tooLong() : refusal(431, "The headers are too large.");
}
