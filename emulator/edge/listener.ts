import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createAnsweringServer, type Unread, type UnreadResponse } from "../unread.js";
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
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    serveRequest(edge, origin, request)
      .catch((error: unknown) => refusal(500, `error code: 1101\n${(error as Error).message}`))
      .then((outgoing) => {
        write(request, response, outgoing);
      })
      .catch(() => response.destroy());
  };
  return createAnsweringServer({ maxHeaderSize: MAX_URL_LENGTH + MAX_HEADERS_LENGTH }, serve, unreadResponse);
}

async function serveRequest(edge: Edge, origin: Origin, request: IncomingMessage): Promise<Outgoing> {
  const body = await bodyOf(request);
  if (body === undefined) return refusal(413, "The body is larger than 100 MB.");
  const { method = "GET", url: target = "/", httpVersion, rawHeaders, socket } = request;
  const headers = pairsOf(rawHeaders);
  return edge.respond({ method, target, httpVersion, headers, remoteAddress: socket.remoteAddress, body }, origin);
}

/** Undefined if the body is too large; it is still read to its end, so that the client sees the answer. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size <= BODY_LIMIT) parts.push(part as Buffer);
    else parts.length = 0;
  }
  return size > BODY_LIMIT ? undefined : Buffer.concat(parts);
}

/** The length is recalculated, because rules may have replaced the body. */
function write({ method }: IncomingMessage, response: ServerResponse, { status, headers, body }: Outgoing): void {
  const bytes = Buffer.from(body);
  const isEmpty = method === "HEAD" || status === 204 || status === 304;
  const length = isEmpty ? [] : [["content-length", String(bytes.length)] as const];
  response.writeHead(status, [...passedOn(headers), ...length].flat());
  response.end(isEmpty ? undefined : bytes);
}

function unreadResponse(unread: Unread): UnreadResponse {
  const { status, body } = pageOfUnread(unread);
  return { status, contentType: "text/plain; charset=utf-8", body: String(body) };
}

function pageOfUnread({ status, message, packet }: Unread): Outgoing {
  if (status !== 431) return refusal(status, `The request cannot be read: ${message}`);
  const line = packet?.indexOf("\n") ?? -1;
  return line < 0 || line > MAX_URL_LENGTH ? tooLong() : refusal(status, "The headers are too large.");
}
