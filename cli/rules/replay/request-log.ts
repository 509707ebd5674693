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

/** What a line of the log says of a request. Whatever is undefined is missing, or not of the type that the service writes. */
export interface LogRecord {
  readonly scheme: string;
  readonly host: string;
  /** Path and query. */
  readonly uri: string;
  readonly method: string | undefined;
  readonly version: string | undefined;
  readonly userAgent: string | undefined;
  readonly referer: string | undefined;
  readonly ip: string | undefined;
  readonly country: string | undefined;
  readonly asn: number | undefined;
  readonly botScore: number | undefined;
  readonly time: unknown;
  readonly id: string | undefined;
  /** Further headers, which can also replace the others; undefined if there are none. */
  readonly headers: { readonly cookies: unknown; readonly others: unknown } | undefined;
}

/**
 * Reads a line of Cloudflare's HTTP request log:
 * https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/. Undefined if the URL is missing.
 */
export function readLogLine(line: unknown): LogRecord | undefined {
  if (!isObject(line)) return undefined;
  const host = textOf(line.ClientRequestHost);
  const uri = textOf(line.ClientRequestURI) ?? textOf(line.ClientRequestPath);
  if (host === undefined || uri === undefined) return undefined;
  const version = textOf(line.ClientRequestProtocol);
  const [cookies, others] = [line.Cookies, line.RequestHeaders];
  const score = integerOf(line.BotScore);
  return {
    scheme: textOf(line.ClientRequestScheme) ?? "https",
    host,
    uri,
    method: textOf(line.ClientRequestMethod),
    version: version !== undefined && /^HTTP\/[\d.]+$/.test(version) ? version : undefined,
    userAgent: textOf(line.ClientRequestUserAgent),
    referer: textOf(line.ClientRequestReferer),
    ip: textOf(line.ClientIP),
    country: textOf(line.ClientCountry),
    asn: integerOf(line.ClientASN),
    // 0 means that no score was computed.
    botScore: score === 0 ? undefined : score,
    time: line.EdgeStartTimestamp,
    id: textOf(line.RayID),
    headers: hasEntries(cookies) || hasEntries(others) ? { cookies, others } : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function integerOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

function hasEntries(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/** The request of a line. */
export function recordedRequest(record: LogRecord): RecordedRequest {
  const { scheme, host, uri, method, version, ip, country, asn, botScore, time, id } = record;
  const at = timeOf(time);
  const url = `${scheme}://${host}${uri}`;
  const headers = headersOf(record);
  return { at, id, request: { method, url, headers, httpVersion: version, ip, country, asn, botScore, timestamp: at } };
}

function headersOf({ userAgent, referer, headers: more }: LogRecord): readonly (readonly [string, string])[] {
  const headers: (readonly [string, string])[] = [];
  const add = (name: string, value: unknown): void => {
    if (typeof value === "string" && value !== "") headers.push([name, value]);
  };
  add("user-agent", userAgent);
  add("referer", referer);
  if (more === undefined) return headers;
  if (isObject(more.cookies)) {
    const jar = Object.entries(more.cookies).flatMap(([name, value]) =>
      typeof value === "string" ? [`${name}=${value}`] : [],
    );
    add("cookie", jar.join("; "));
  }
  if (!isObject(more.others)) return headers;
  for (const [name, value] of Object.entries(more.others)) add(name, value);
  // The same name again replaces what the log says elsewhere.
  return Object.entries(Object.fromEntries(headers));
}

/** RFC 3339, seconds or nanoseconds: log jobs can write any of them. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "string") {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : parsed / 1000;
  }
  if (typeof value !== "number") return undefined;
  return value > 1e14 ? value / 1e9 : value;
}
