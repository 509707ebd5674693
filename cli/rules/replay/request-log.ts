import type { RequestInput } from "../../../language/index.js";
import { isObject } from "../../../provider/model/json.js";

/** A recorded request. */
export interface RecordedRequest {
  readonly request: RequestInput;
  /** When it was received, in seconds since 1970. */
  readonly at: number | undefined;
  /** The service's ID of it. */
  readonly id?: string;
}

/** The fields of the log that are read. */
export const LOG_FIELDS = [
  ...[
    "BotScore",
    "ClientASN",
    "ClientCountry",
    "ClientIP",
    "ClientRequestHost",
    "ClientRequestMethod",
    "ClientRequestPath",
  ],
  ...[
    "ClientRequestProtocol",
    "ClientRequestReferer",
    "ClientRequestScheme",
    "ClientRequestURI",
    "ClientRequestUserAgent",
  ],
  ...["Cookies", "EdgeStartTimestamp", "RayID", "RequestHeaders"],
];

/**
 * Converts a line of Cloudflare's HTTP request log:
 * https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/. Undefined if the URL is missing.
 */
export function fromLogLine(line: unknown): RecordedRequest | undefined {
  if (!isObject(line)) return undefined;
  const text = (name: string): string | undefined => {
    const value = line[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const number = (name: string): number | undefined => {
    const value = line[name];
    return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
  };
  const [host, uri] = [text("ClientRequestHost"), text("ClientRequestURI") ?? text("ClientRequestPath")];
  if (host === undefined || uri === undefined) return undefined;
  const at = timeOf(line.EdgeStartTimestamp);
  const score = number("BotScore");
  return {
    at,
    id: text("RayID"),
    request: {
      method: text("ClientRequestMethod"),
      url: `${text("ClientRequestScheme") ?? "https"}://${host}${uri}`,
      headers: headersOf(line),
      httpVersion: /^HTTP\/[\d.]+$/.test(text("ClientRequestProtocol") ?? "")
        ? text("ClientRequestProtocol")
        : undefined,
      ip: text("ClientIP"),
      country: text("ClientCountry"),
      asn: number("ClientASN"),
      // 0 means that no score was computed.
      botScore: score === 0 ? undefined : score,
      timestamp: at,
    },
  };
}

function headersOf(line: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [];
  const add = (name: string, value: unknown): void => {
    if (typeof value === "string" && value !== "") headers.push([name, value]);
  };
  add("user-agent", line.ClientRequestUserAgent);
  add("referer", line.ClientRequestReferer);
  if (isObject(line.Cookies)) {
    const jar = Object.entries(line.Cookies).flatMap(([name, value]) =>
      typeof value === "string" ? [`${name}=${value}`] : [],
    );
    add("cookie", jar.join("; "));
  }
  if (!isObject(line.RequestHeaders)) return headers;
  for (const [name, value] of Object.entries(line.RequestHeaders)) add(name, value);
  // The same name again replaces what the log says elsewhere.
  return Object.entries(Object.fromEntries(headers));
}

/** RFC 3339, seconds or nanoseconds: log jobs can write any of them. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "string") {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : parsed / 1000;
  }
  if (typeof value !== "number") return undefined;
  return value > 1e14 ? value / 1e9 : value;
}
