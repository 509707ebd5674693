import type { RecordedInput, RecordedPart } from "../../../../core/language/index.js";
import { isObject } from "../../../../core/model/json.js";

/** A recorded request. */
export interface RecordedRequest {
  readonly request: RecordedInput;
  /** When it was received, in seconds since 1970. */
  readonly at: number | undefined;
  /** The service's ID of it. */
  readonly id?: string;
}

/**
 * What a line of the log says of a request. Whatever is undefined is missing, or not of the type that the service writes: rules find
 * it unknown.
 */
export interface LogRecord {
  readonly scheme: string | undefined;
  readonly host: string;
  /** Path and query. */
  readonly uri: string;
  /** Whether `uri` would have the query. */
  readonly hasQuery: boolean;
  readonly method: string | undefined;
  readonly version: string | undefined;
  /** Empty if the request has none. */
  readonly userAgent: string | undefined;
  /** Empty if the request has none. */
  readonly referer: string | undefined;
  readonly ip: string | undefined;
  readonly country: string | undefined;
  readonly asn: number | undefined;
  readonly botScore: number | undefined;
  /** Whether a Worker sent it. */
  readonly isSubrequest: boolean | undefined;
  readonly time: unknown;
  readonly id: string | undefined;
  /** Headers and cookies that the zone is set to log, which can also replace the others; undefined if there are none. */
  readonly headers: { readonly cookies: unknown; readonly others: unknown } | undefined;
}

/**
 * Reads a line of Cloudflare's HTTP request log:
 * https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/. Undefined if the URL is missing.
 */
export function readLogLine(line: unknown): LogRecord | undefined {
  if (!isObject(line)) return undefined;
  const host = textOf(line.ClientRequestHost);
  const whole = textOf(line.ClientRequestURI);
  const uri = whole ?? textOf(line.ClientRequestPath);
  if (host === undefined || uri === undefined) return undefined;
  const version = textOf(line.ClientRequestProtocol);
  const [cookies, others] = [line.Cookies, line.RequestHeaders];
  const score = integerOf(line.BotScore);
  return {
    scheme: textOf(line.ClientRequestScheme),
    host,
    uri,
    hasQuery: whole !== undefined,
    method: textOf(line.ClientRequestMethod),
    version: version !== undefined && /^HTTP\/[\d.]+$/.test(version) ? version : undefined,
    userAgent: headerOf(line.ClientRequestUserAgent),
    referer: headerOf(line.ClientRequestReferer),
    ip: textOf(line.ClientIP),
    country: textOf(line.ClientCountry),
    asn: integerOf(line.ClientASN),
    // 0 means that no score was computed.
    botScore: score === 0 ? undefined : score,
    isSubrequest: typeof line.WorkerSubrequest === "boolean" ? line.WorkerSubrequest : undefined,
    time: line.EdgeStartTimestamp,
    id: textOf(line.RayID),
    headers: hasEntries(cookies) || hasEntries(others) ? { cookies, others } : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function headerOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
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
  const url = `${scheme ?? "https"}://${host}${uri}`;
  const known = { method, url, httpVersion: version, ip, country, asn, botScore, timestamp: at };
  return { at, id, request: { ...known, headers: headersOf(record), recorded: partOf(record) } };
}

function headersOf({ userAgent, referer, headers }: LogRecord): Readonly<Record<string, string>> {
  // The same name again replaces what the log says elsewhere.
  const others = isObject(headers?.others) ? headers.others : {};
  const all = Object.entries({ "user-agent": userAgent, referer, ...others });
  return Object.fromEntries(
    all.flatMap(([name, value]) => (typeof value === "string" && value !== "" ? [[name, value] as const] : [])),
  );
}

/** Only headers and cookies that the zone is set to log are in it: https://developers.cloudflare.com/logs/logpush/logpush-job/custom-fields/ */
function partOf({ userAgent, referer, headers, ...record }: LogRecord): RecordedPart {
  const cookies = isObject(headers?.cookies) ? Object.entries(headers.cookies) : [];
  return {
    withoutHeaders: Object.entries({ "user-agent": userAgent, referer }).flatMap(([name, value]) =>
      value === "" ? [name] : [],
    ),
    cookies: Object.fromEntries(
      cookies.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
    ),
    withoutFields: [
      ...(record.method === undefined ? ["http.request.method"] : []),
      ...(record.scheme === undefined ? OF_SCHEME : []),
      ...(record.hasQuery ? [] : OF_QUERY),
      ...(record.isSubrequest === false ? [] : ["cf.worker.upstream_zone"]),
    ],
  };
}

const both = (...names: readonly string[]): readonly string[] => names.flatMap((name) => [name, `raw.${name}`]);
const OF_SCHEME = ["ssl", "cf.edge.server_port", ...both("http.request.full_uri")];
const OF_QUERY = both(
  ...["uri", "full_uri", "uri.query", "uri.args", "uri.args.names", "uri.args.values"].map(
    (name) => `http.request.${name}`,
  ),
);

/** RFC 3339, seconds or nanoseconds: log jobs can write any of them. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "string") {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : parsed / 1000;
  }
  if (typeof value !== "number") return undefined;
  return value > 1e14 ? value / 1e9 : value;
}
