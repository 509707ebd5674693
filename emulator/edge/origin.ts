import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { showBytes } from "../../core/language/bytes.js";
import { headerOf, passedOn, withoutHop, type Headers, type Outgoing } from "./message.js";

/** A request as the origin receives it. */
interface OriginRequest {
  readonly method: string;
  /** With the scheme and host after all rewrites. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Other settings from rules, by phase, such as a route to another origin. */
  readonly settings: Readonly<Record<string, object>>;
}

export type Origin = (request: OriginRequest) => Promise<Outgoing>;

/** Returns the request as the origin would see it. */
export const echo: Origin = ({ method, url, headers, body, settings }) => {
  const shown = {
    method,
    url,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, showBytes(value)])),
    body: body.toString("utf8"),
    settings,
  };
  const text = `${JSON.stringify(shown, undefined, 2)}\n`;
  return Promise.resolve({ status: 200, headers: [["content-type", "application/json"]], body: text });
};

/** https://developers.cloudflare.com/fundamentals/reference/connection-limits/ */
const MAX_HEADERS_LENGTH = 32 * 1024;
const READ_TIMEOUT_SECONDS = 100;
const CACHE_PHASE = "http_request_cache_settings";

/** Why an origin's response cannot be passed on. */
export class UnusableResponse extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Forwards the request to a server, with the client's Host header. It waits for the response as long as a cache rule says,
 * otherwise `timeoutSeconds`.
 */
export function proxyTo(base: URL, timeoutSeconds = READ_TIMEOUT_SECONDS): Origin {
  const send = base.protocol === "https:" ? requestHttps : requestHttp;
  return ({ method, url, headers, body, settings }) =>
    new Promise<Outgoing>((resolve, reject) => {
      const path = url.replace(/^https?:\/\/[^/?#]*/i, "");
      const sent = [...passedOn(headers), ...lengthOf(headers, body)];
      const request = send(
        new URL(base),
        {
          method,
          path: base.pathname.replace(/\/$/, "") + path,
          headers: sent.flat(),
          maxHeaderSize: MAX_HEADERS_LENGTH,
        },
        (response) => {
          collect(response).then(resolve, reject);
        },
      );
      const seconds = readTimeoutOf(settings[CACHE_PHASE]) ?? timeoutSeconds;
      const timer = setTimeout(() => {
        request.destroy(new UnusableResponse(524, `no response in ${String(seconds)} s`));
      }, seconds * 1000);
      request.on("close", () => {
        clearTimeout(timer);
      });
      request.on("upgrade", (_response, socket) => {
        socket.destroy();
        reject(new UnusableResponse(520, "it switched to another protocol"));
      });
      request.on("error", reject);
      request.end(body);
    });
}

async function collect(response: IncomingMessage): Promise<Outgoing> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const { statusCode: status = 0 } = response;
  if (status < 200) throw new UnusableResponse(520, `its status is ${String(status)}`);
  return {
    status,
    headers: withoutHop(pairsOf(response.rawHeaders)),
    body: Buffer.concat(parts),
  };
}

function readTimeoutOf(settings: object | undefined): number | undefined {
  const { read_timeout: seconds } = (settings ?? {}) as { readonly read_timeout?: unknown };
  return typeof seconds === "number" ? seconds : undefined;
}

/** Names and values of Node's raw headers, in order. */
export function pairsOf(raw: readonly string[]): Headers {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
}

function lengthOf(headers: Headers, body: Buffer): Headers {
  return headerOf(headers, "content-length") === undefined && body.length === 0
    ? []
    : [["content-length", String(body.length)]];
}
