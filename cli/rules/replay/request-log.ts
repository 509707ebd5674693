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

function headersOf(line: Readonly<Record<string, unknown>>): Record<string, string> {
  const more = isObject(line.RequestHeaders) ? line.RequestHeaders : {};
  const cookies = isObject(line.Cookies) ? line.Cookies : {};
  const jar = Object.entries(cookies).flatMap(([name, value]) =>
    typeof value === "string" ? [`${name}=${value}`] : [],
  );
  const known = [
    ["user-agent", line.ClientRequestUserAgent],
    ["referer", line.ClientRequestReferer],
    ["cookie", jar.join("; ")],
    ...Object.entries(more),
  ] as const;
  return Object.fromEntries(
    known.flatMap(([name, value]) => (typeof value === "string" && value !== "" ? [[name, value]] : [])),
  );
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
