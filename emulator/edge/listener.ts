import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Edge } from "./edge.js";
import type { Outgoing } from "./message.js";
import { pairsOf, type Origin } from "./origin.js";
import { refusal } from "./pages.js";

const BODY_LIMIT = 100 * 1024 * 1024;

/** Serves an edge over HTTP. */
export function serveEdge(edge: Edge, origin: Origin): RequestListener {
  return (request, response) => {
    serveRequest(edge, origin, request)
      .catch((error: unknown) => refusal(500, `error code: 1101\n${(error as Error).message}`))
      .then((outgoing) => {
        write(request, response, outgoing);
      })
      .catch(() => response.destroy());
  };
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
  const fields = headers.filter(([name]) => !["content-length", "connection"].includes(name.toLowerCase()));
  const bytes = Buffer.from(body);
  const isEmpty = method === "HEAD" || status === 204 || status === 304;
  response.writeHead(
    status,
    [...fields, ...(isEmpty ? [] : [["content-length", String(bytes.length)] as const])].flat(),
  );
  response.end(isEmpty ? undefined : bytes);
}
