import { makeRequest, Unknown, type HttpRequest } from "../../../../core/language/index.js";
import { DERIVED } from "../../../../core/language/request/fields.js";

/** The dimensions of analytics that tell something about a request, and the fields that follow from each. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  clientRequestHTTPHost: ["http.host"],
  clientRequestHTTPMethodName: ["http.request.method"],
  clientRequestPath: [
    "http.request.uri.path",
    "http.request.uri.path.extension",
    "http.request.uri.path.basename",
    "raw.http.request.uri.path",
    "raw.http.request.uri.path.extension",
  ],
  clientRequestQuery: ["query", "args", "args.names", "args.values"].flatMap((name) => [
    `http.request.uri.${name}`,
    `raw.http.request.uri.${name}`,
  ]),
  clientRequestScheme: ["ssl"],
  clientRequestHTTPProtocol: ["http.request.version"],
  clientIP: ["ip.src", "ip.addr"],
  clientCountryName: [
    "ip.src.country",
    "ip.geoip.country",
    "ip.src.is_in_european_union",
    "ip.geoip.is_in_european_union",
  ],
  clientAsn: ["ip.src.asnum", "ip.geoip.asnum"],
  userAgent: ["http.user_agent"],
};

/** Fields that follow from several dimensions. */
const JOINED: readonly (readonly [field: string, dimensions: readonly string[]])[] = ["", "raw."].flatMap((prefix) => [
  [`${prefix}http.request.uri`, ["clientRequestPath", "clientRequestQuery"]] as const,
  [
    `${prefix}http.request.full_uri`,
    ["clientRequestScheme", "clientRequestHTTPHost", "clientRequestPath", "clientRequestQuery"],
  ] as const,
]);

/** Fields with the same value for every request. */
const FIXED: ReadonlySet<string> = new Set([
  "cf.threat_score",
  "cf.worker.upstream_zone",
  "http.request.timestamp.sec",
]);

/** The dimensions to ask for. */
export const DIMENSIONS: readonly string[] = Object.keys(FIELDS);

/**
 * The request of a group. A field that does not follow from its dimensions is unknown, so that no rule is judged by what analytics
 * do not contain.
 * @param timestamp in seconds since 1970
 * @throws TypeError if the dimensions make no request
 */
export function requestOfGroup(dimensions: Readonly<Record<string, string>>, timestamp: number): HttpRequest {
  const {
    clientRequestHTTPHost: host = "",
    clientRequestPath: path = "/",
    clientRequestQuery: query = "",
  } = dimensions;
  const { clientRequestScheme: scheme = "https", clientRequestHTTPProtocol: version } = dimensions;
  const search = query === "" || query.startsWith("?") ? query : `?${query}`;
  const asn = Number(dimensions.clientAsn);
  const request = makeRequest({
    timestamp,
    ...defined("method", dimensions.clientRequestHTTPMethodName),
    url: `${scheme === "http" ? "http" : "https"}://${host}${path}${search}`,
    ...defined("ip", dimensions.clientIP),
    ...defined("country", dimensions.clientCountryName),
    ...(Number.isSafeInteger(asn) && dimensions.clientAsn !== undefined ? { asn } : {}),
    ...(version !== undefined && /^HTTP\/[\d.]+$/.test(version) ? { httpVersion: version } : {}),
    headers: dimensions.userAgent === undefined ? {} : { "user-agent": dimensions.userAgent },
  });
  const known = knownFields(new Set(Object.keys(dimensions).filter((name) => isValue(name, dimensions[name]))));
  const missing = Object.keys(DERIVED).filter((name) => !known.has(name));
  return request.withFields(new Map(missing.map((name) => [name, notInAnalytics(name)])));
}

/** Whether a dimension tells something. A request can be without a query, and without a user agent. */
function isValue(dimension: string, value: string | undefined): boolean {
  return value !== "" || dimension === "clientRequestQuery" || dimension === "userAgent";
}

function knownFields(dimensions: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([
    ...FIXED,
    ...Object.entries(FIELDS).flatMap(([dimension, fields]) => (dimensions.has(dimension) ? fields : [])),
    ...JOINED.flatMap(([field, all]) => (all.every((one) => dimensions.has(one)) ? [field] : [])),
  ]);
}

function notInAnalytics(name: string): Unknown {
  return new Unknown([{ kind: "field", name, why: `analytics do not have \`${name}\`` }]);
}

function defined<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined || value === "" ? {} : ({ [name]: value } as Record<K, string>);
}
