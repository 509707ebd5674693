import { analyse, usesOf, type HttpRequest, type RequestInput } from "../../../core/language/index.js";
import type { TraceRequest } from "../../../client/index.js";

/** Converts a request to the tracer's format. Headers with the same name are joined. */
export function toTraceRequest(request: HttpRequest, input: RequestInput): TraceRequest {
  const headers = new Map<string, string>();
  for (const [name, value] of request.headers) {
    const before = headers.get(name);
    if (name.toLowerCase() !== "host") headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const { body, country, continent, botScore, threatScore, httpVersion } = input;
  const geoloc = { iso_code: country?.toUpperCase(), continent: continent?.toUpperCase() };
  const isPlaced = country !== undefined || continent !== undefined;
  return {
    method: request.method,
    url: String(input.url),
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body: bodyOf(body) }),
    protocol: httpVersion === undefined ? "HTTP/1.1" : `HTTP/${String(httpVersion).replace(/^HTTP\//i, "")}`,
    // Rules that run on requests do not depend on the origin's response.
    skip_response: true,
    context: {
      bot_score: botScore,
      threat_score: threatScore,
      skip_challenge: false,
      ...(isPlaced ? { geoloc } : {}),
    },
  };
}

function bodyOf(body: string | Uint8Array): NonNullable<TraceRequest["body"]> {
  return typeof body === "string" ? { plain_text: body } : { base64: Buffer.from(body).toString("base64") };
}

/** Fields derived from the client's address and connection, which the tracer makes up. */
const DERIVED_FIELDS: ReadonlySet<string> = new Set([
  "ip.src",
  "ip.addr",
  "ip.src.asnum",
  "ip.geoip.asnum",
  "cf.bot_management.verified_bot",
  "cf.client.bot",
  "http.request.timestamp.sec",
  "http.request.timestamp.msec",
]);

/** What an expression reads that the tracer does not accept: fields of the client, given fields, and given lists. */
export function findUntraceable(
  expression: string | undefined,
  { country, continent, bodySize, fields = {}, lists = {} }: RequestInput,
): readonly string[] {
  if (expression === undefined) return [];
  const { expression: parsed } = analyse(expression);
  if (parsed === undefined) return [];
  const uses = usesOf(parsed);
  const isOwn = (name: string): boolean => {
    if (DERIVED_FIELDS.has(name) || Object.hasOwn(fields, name)) return true;
    if (/^ip\.(src|geoip)\.(country|is_in_european_union)$/.test(name)) return country === undefined;
    if (/^ip\.(src|geoip)\.continent$/.test(name)) return continent === undefined;
    return name.startsWith("http.request.body.") && bodySize !== undefined;
  };
  return [
    ...Array.from(uses.fields).filter(isOwn),
    ...Array.from(uses.lists)
      .filter((name) => Object.hasOwn(lists, name))
      .map((name) => `$${name}`),
  ];
}
