import { BODY_FIELDS } from "../../../../core/language/request/body-fields.js";
import { DERIVED } from "../../../../core/language/request/fields.js";
import type { LogRecord } from "./request-log.js";

/** A part of what a line of the log says of a request. */
export type LogPart = "path" | "query" | "draw" | Exclude<keyof LogRecord, "id" | "headers" | "hasQuery">;

/** What a field of a logged request is computed from. */
interface FieldSource {
  readonly parts: readonly LogPart[];
  /** Whether further headers change it. */
  readonly ofHeaders: boolean;
}

const of = (...parts: readonly LogPart[]): FieldSource => ({ parts, ofHeaders: false });
const ofHeaders = (...parts: readonly LogPart[]): FieldSource => ({ parts, ofHeaders: true });

const allHeaders = ofHeaders("host", "userAgent", "referer", "version");

function ofTarget(prefix: string): Readonly<Record<string, FieldSource>> {
  return {
    [`${prefix}.full_uri`]: ofHeaders("scheme", "host", "uri"),
    [`${prefix}.uri`]: of("uri"),
    [`${prefix}.uri.path`]: of("path"),
    [`${prefix}.uri.path.extension`]: of("path"),
    [`${prefix}.uri.query`]: of("query"),
    [`${prefix}.uri.args`]: of("query"),
    [`${prefix}.uri.args.names`]: of("query"),
    [`${prefix}.uri.args.values`]: of("query"),
    [`${prefix}.headers`]: allHeaders,
    [`${prefix}.headers.names`]: allHeaders,
    [`${prefix}.headers.values`]: allHeaders,
    [`${prefix}.headers.truncated`]: allHeaders,
  };
}

/** The fields of logged requests that differ from one to the next. */
const SOURCES: Readonly<Record<string, FieldSource>> = {
  ...ofTarget("http.request"),
  ...ofTarget("raw.http.request"),
  "http.request.uri.path.basename": of("path"),
  "http.host": ofHeaders("host"),
  "http.user_agent": ofHeaders("userAgent"),
  "http.referer": ofHeaders("referer"),
  "http.cookie": ofHeaders(),
  "http.request.cookies": ofHeaders(),
  "http.x_forwarded_for": ofHeaders(),
  "http.request.accepted_languages": ofHeaders(),
  "http.request.method": of("method"),
  "http.request.version": of("version"),
  "cf.edge.client_tcp": of("version"),
  "cf.edge.server_port": of("scheme", "host"),
  ssl: of("scheme"),
  "ip.src": of("ip"),
  "ip.addr": of("ip"),
  ...both("asnum", of("asn")),
  ...both("country", of("country")),
  ...both("is_in_european_union", of("country")),
  "cf.bot_management.score": of("botScore"),
  "cf.random_seed": of("draw"),
  "cf.worker.upstream_zone": of("isSubrequest"),
  "http.request.timestamp.sec": of("time"),
  "http.request.timestamp.msec": of("time"),
  // Logs do not say these.
  ...Object.fromEntries(
    [
      "cf.threat_score",
      "cf.bot_management.verified_bot",
      "cf.client.bot",
      "ip.src.continent",
      "ip.geoip.continent",
      ...Object.keys(BODY_FIELDS),
    ].map((field) => [field, of()]),
  ),
};

function both(name: string, source: FieldSource): Readonly<Record<string, FieldSource>> {
  return { [`ip.src.${name}`]: source, [`ip.geoip.${name}`]: source };
}

/** What a field is computed from; undefined if it may be anything. */
export function sourceOf(field: string): FieldSource | undefined {
  if (Object.hasOwn(SOURCES, field)) return SOURCES[field];
  // Other fields are not known of any request in a log, or are what an option says.
  return Object.hasOwn(DERIVED, field) ? undefined : of();
}

/** Whether the values of a part come again. */
export function isOften(part: LogPart): boolean {
  return part !== "time" && part !== "draw";
}

export type PartValue = string | number | undefined;

/** Returns what reads the values of parts: that of one, or all of them as a text. */
export function readingParts(parts: readonly LogPart[]): (record: LogRecord) => PartValue {
  const readers = parts.map((part) => READ[part]);
  const [first] = readers;
  if (first === undefined) return () => "";
  return readers.length === 1 ? first : (record) => JSON.stringify(readers.map((read) => read(record)));
}

const READ: Readonly<Record<LogPart, (record: LogRecord) => PartValue>> = {
  scheme: ({ scheme }) => scheme,
  host: ({ host }) => host,
  uri: ({ uri }) => uri,
  path: ({ uri }) => pathOf(uri),
  query: ({ uri }) => queryOf(uri),
  method: ({ method }) => method,
  version: ({ version }) => version,
  userAgent: ({ userAgent }) => userAgent,
  referer: ({ referer }) => referer,
  ip: ({ ip }) => ip,
  country: ({ country }) => country,
  asn: ({ asn }) => asn,
  botScore: ({ botScore }) => botScore,
  isSubrequest: ({ isSubrequest }) => (isSubrequest === undefined ? undefined : Number(isSubrequest)),
  time: () => undefined,
  draw: () => undefined,
};

export function pathOf(uri: string): string {
  const end = uri.search(/[?#]/);
  return end < 0 ? uri : uri.slice(0, end);
}

/** Undefined if there is none. */
export function queryOf(uri: string): string | undefined {
  const [start, end] = [uri.indexOf("?"), uri.indexOf("#")];
  if (start < 0 || (end >= 0 && end < start)) return undefined;
  return uri.slice(start + 1, end < 0 ? uri.length : end);
}
