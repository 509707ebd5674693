import { lowerAscii, showBytes } from "../bytes.js";
import { PartlyUnknown, type Bytes, type Evaluated, type Value } from "../value.js";
import { BODY_FIELDS } from "./body-fields.js";
import { unknownField } from "./context.js";
import {
  acceptedLanguages,
  cookiesOf,
  headerText,
  isUnknownHeader,
  mediaType,
  type Header,
  type SomeHeaders,
} from "./headers.js";
import type { RequestParts, ResponseParts } from "./parts.js";
import { argumentsOf, basenameOf, extensionOf, groupByName, uriOf, type Target } from "./target.js";

type Derive = (parts: RequestParts) => Evaluated;
type Table = Readonly<Record<string, Derive>>;

const EUROPEAN_UNION: ReadonlySet<Bytes> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** A field that is unknown unless provided. */
function given(name: string, give: string, pick: (parts: RequestParts) => Evaluated): Table {
  const unknown = unknownField(name, give);
  return { [name]: (parts) => pick(parts) ?? unknown };
}

/** Fields of a URL, in its current or original form. */
function ofTarget(prefix: string, pick: (parts: RequestParts) => Target): Table {
  const args = (parts: RequestParts): readonly Header[] => argumentsOf(pick(parts).query ?? "");
  return {
    [`${prefix}.full_uri`]: (parts) => `${pick(parts).scheme}://${hostOf(parts)}${uriOf(pick(parts))}`,
    [`${prefix}.uri`]: (parts) => uriOf(pick(parts)),
    [`${prefix}.uri.path`]: (parts) => pick(parts).path,
    [`${prefix}.uri.path.extension`]: (parts) => extensionOf(pick(parts).path),
    [`${prefix}.uri.query`]: (parts) => pick(parts).query ?? "",
    [`${prefix}.uri.args`]: (parts) => groupByName(args(parts)),
    [`${prefix}.uri.args.names`]: (parts) => args(parts).map(([name]) => name),
    [`${prefix}.uri.args.values`]: (parts) => args(parts).map(([, value]) => value),
  };
}

/** Fields of headers: keys in lower case, names as sent. */
function ofHeaders(name: string, pick: (parts: RequestParts) => SomeHeaders | undefined): Table {
  const over = (field: string, derive: (headers: readonly Header[]) => Evaluated): Table => ({
    [field]: (parts) => {
      const some = pick(parts);
      if (some === undefined) return unknownField(name, "response");
      return some.recorded === undefined ? derive(some.headers) : unknownField(field);
    },
  });
  const byName = (headers: readonly Header[]): ReadonlyMap<Bytes, Value> =>
    groupByName(headers.map(([key, value]) => [lowerAscii(key), value]));
  return {
    [name]: (parts) => {
      const some = pick(parts);
      if (some === undefined) return unknownField(name, "response");
      const isUnknown = (key: Bytes): boolean => isUnknownHeader(some, key);
      return some.recorded === undefined ? byName(some.headers) : partOf(name, byName(some.headers), isUnknown);
    },
    ...over(`${name}.names`, (headers) => headers.map(([key]) => key)),
    ...over(`${name}.values`, (headers) => headers.map(([, value]) => value)),
    ...over(`${name}.truncated`, () => false),
  };
}

/** A map of which some entries were recorded. Keys are in lower case. */
function partOf(name: string, known: ReadonlyMap<Bytes, Value>, isUnknown: (key: Bytes) => boolean): PartlyUnknown {
  return new PartlyUnknown(unknownField(name).because, (key) =>
    isUnknown(key) ? unknownField(`${name}[${JSON.stringify(showBytes(key))}]`) : known.get(key),
  );
}

function ofResponse(name: string, pick: (response: ResponseParts) => Evaluated): Table {
  return given(name, "response", ({ response }) => response && pick(response));
}

function hostOf({ target, headers }: RequestParts): Bytes {
  const header = headerText(headers, "host");
  return header === "" ? target.authority : header;
}

/** A field that follows from one header. */
function ofHeader(field: string, name: Bytes, derive: (headers: readonly Header[]) => Evaluated): Table {
  const unknown = unknownField(field);
  return { [field]: (parts) => (isUnknownHeader(parts, name) ? unknown : derive(parts.headers)) };
}

function textOf(field: string, name: Bytes): Table {
  return ofHeader(field, name, (headers) => headerText(headers, name));
}

const cookies: Derive = (parts) => {
  if (!isUnknownHeader(parts, "cookie")) return groupByName(cookiesOf(parts.headers));
  const known = groupByName(parts.recorded?.cookies ?? []);
  return partOf("http.request.cookies", known, (key) => !known.has(key));
};

/** How fields derive from a request. Every other field is unknown. */
export const DERIVED: Table = {
  ...ofTarget("http.request", ({ target }) => target),
  ...ofTarget("raw.http.request", ({ original }) => original.target),
  ...ofHeaders("http.request.headers", (parts) => parts),
  ...ofHeaders("raw.http.request.headers", ({ original }) => original),
  ...ofHeaders("http.response.headers", ({ response }) => response),
  ...ofHeaders("raw.http.response.headers", ({ response }) => response),
  ...BODY_FIELDS,
  "http.host": hostOf,
  ...textOf("http.cookie", "cookie"),
  ...textOf("http.referer", "referer"),
  ...textOf("http.user_agent", "user-agent"),
  ...textOf("http.x_forwarded_for", "x-forwarded-for"),
  "http.request.cookies": cookies,
  ...ofHeader("http.request.accepted_languages", "accept-language", acceptedLanguages),
  "http.request.method": ({ method }) => method,
  "http.request.uri.path.basename": ({ target }) => basenameOf(target.path),
  ssl: ({ target }) => target.scheme === "https",
  "cf.edge.server_port": ({ original }) => original.target.port,
  // Cloudflare no longer computes it: https://developers.cloudflare.com/ruleset-engine/rules-language/fields/reference/
  "cf.threat_score": ({ threatScore }) => threatScore,
  "cf.worker.upstream_zone": () => "",
  ...given("http.request.version", "httpVersion", ({ version }) => version),
  ...given("http.request.timestamp.sec", "timestamp", ({ timestamp }) => timestamp && Math.floor(timestamp)),
  ...given(
    "http.request.timestamp.msec",
    "timestamp",
    ({ timestamp }) => timestamp && Math.floor((timestamp % 1) * 1000),
  ),
  ...given("ip.src", "ip", ({ ip }) => ip),
  ...given("ip.addr", "ip", ({ ip }) => ip),
  ...both("asnum", "asn", ({ asn }) => asn),
  ...both("country", "country", ({ country }) => country),
  ...both("continent", "continent", ({ continent }) => continent),
  ...both("is_in_european_union", "country", ({ country }) => country && EUROPEAN_UNION.has(country)),
  ...given("cf.bot_management.score", "botScore", ({ botScore }) => botScore),
  ...given("cf.bot_management.verified_bot", "verifiedBot", ({ verifiedBot }) => verifiedBot),
  ...given("cf.client.bot", "verifiedBot", ({ verifiedBot }) => verifiedBot),
  ...given("cf.edge.client_tcp", "httpVersion", ({ version }) => version && version !== "HTTP/3"),
  ...ofResponse("http.response.code", ({ status }) => status),
  ...ofResponse("http.response.content_type.media_type", ({ headers }) => mediaType(headers)),
};

/** A field of the client address, under its current and its old name. */
function both(name: string, give: string, pick: (parts: RequestParts) => Evaluated): Table {
  return { ...given(`ip.src.${name}`, give, pick), ...given(`ip.geoip.${name}`, give, pick) };
}
