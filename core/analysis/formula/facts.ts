import { toBytes } from "../../language/bytes.js";
import { findValues } from "../../language/catalogue/values.js";
import { parseIp } from "../../language/ip.js";
import type { Bytes } from "../../language/value.js";
import { matching } from "../text/regex.js";
import type { TextBase } from "../text/automaton.js";
import { fromAddress } from "../values/addresses.js";
import { COUNTRIES_ON } from "../relations/geography.js";

// What is known about fields besides their types. Proofs rely on it, so it contains only what Cloudflare documents and every
// request has, nothing that is merely usual. https://developers.cloudflare.com/ruleset-engine/rules-language/fields/reference/

interface TextFacts {
  /** A pattern that every value matches, also after rewrites. */
  readonly always?: string;
  /** A pattern that every value matches as the client sent it. */
  readonly sent?: string;
  /** What every value matches, in words, for messages. */
  readonly about?: string;
  /** A pattern that values in examples should also match. */
  readonly readable?: string;
  readonly examples?: readonly Bytes[];
}

/** Without empty and dot segments, which normalisation removes. */
const SEGMENTS = "(/[A-Za-z0-9_~!$&'()*+,;=:@%-][A-Za-z0-9._~!$&'()*+,;=:@%-]*)*/?";
const PATH = `^${SEGMENTS}$`;
const QUERY = "[A-Za-z0-9/._~!$&'()*+,;=:@%?-]*";
const PRINTABLE = "^[ -~]*$";
const path: TextFacts = {
  always: "^/",
  sent: "^/[^?#\\x00-\\x1f\\x7f]*$",
  about: "a path begins with `/` and contains neither `?` nor `#`",
  readable: PATH,
  examples: ["/"],
};
const uri: TextFacts = {
  always: "^/",
  sent: "^/[^#\\x00-\\x1f\\x7f]*$",
  about: "a URI begins with `/`",
  readable: `^${SEGMENTS}([?]${QUERY})?$`,
  examples: ["/"],
};
const fullUri: TextFacts = {
  always: "^https?://",
  sent: "^https?://[^#\\x00-\\x1f\\x7f]*$",
  about: "a full URI begins with `http://` or `https://`",
  readable: `^https?://[a-z0-9.-]+${SEGMENTS}([?]${QUERY})?$`,
  examples: ["https://www.example.com/"],
};
const query: TextFacts = {
  sent: "^[^#\\x00-\\x1f\\x7f]*$",
  readable: "^[A-Za-z0-9/._~!$&'()*+,;=:@%?-]*$",
  examples: [""],
};
const extension: TextFacts = {
  always: "^[^A-Z./]*$",
  sent: "^[^A-Z./?#\\x00-\\x1f\\x7f]*$",
  about: "an extension is in lower case and has no dot",
  readable: "^[a-z0-9]*$",
  examples: [""],
};
const country: TextFacts = {
  always: "^[A-Z0-9][A-Z0-9]$",
  about: "a country is a code of two upper-case letters (ISO 3166-1 alpha-2), or `T1` or `XX`",
  // An example is a country that exists, on its continent.
  readable: `^(${Array.from(COUNTRIES_ON.values()).flat().join("|")})$`,
  examples: ["DE", "US", "FR", "JP"],
};
const continent: TextFacts = {
  always: "^(AF|AN|AS|EU|NA|OC|SA|T1)$",
  about: "a continent is one of `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, `SA` and `T1`",
  examples: ["EU", "NA"],
};
const header: TextFacts = {
  sent: "^[^\\x00\\r\\n]*$",
  about: "a header is one line",
  readable: PRINTABLE,
  examples: [""],
};

const TEXTS: Readonly<Record<string, TextFacts>> = {
  "http.host": {
    sent: "^[^/?#\\\\\\x00-\\x20\\x7f]+$",
    about: "a host name has no space, `/`, `?`, `#` and `\\`",
    readable: "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$",
    examples: ["www.example.com"],
  },
  "http.request.method": {
    always: "^[^a-z]*$",
    about: "a method is in upper case",
    readable: "^[A-Z]+$",
    examples: ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"],
  },
  "http.request.uri.path": path,
  "raw.http.request.uri.path": path,
  "http.request.uri": uri,
  "raw.http.request.uri": uri,
  "http.request.full_uri": fullUri,
  "raw.http.request.full_uri": fullUri,
  "http.request.uri.query": query,
  "raw.http.request.uri.query": query,
  "http.request.uri.path.extension": extension,
  "raw.http.request.uri.path.extension": extension,
  "http.request.uri.path.basename": {
    always: "^[^/]*$",
    about: "a base name has no `/`",
    readable: "^[A-Za-z0-9._~!$&'()*+,;=:@%-]*$",
    examples: [""],
  },
  "http.request.version": {
    always: "^(HTTP|SPDY)/",
    about: "a version is written `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`",
    readable: "^HTTP/(1[.][01]|2|3)$",
    examples: ["HTTP/2", "HTTP/1.1", "HTTP/3", "HTTP/1.0"],
  },
  "ip.src.country": country,
  "ip.src.continent": continent,
  "http.user_agent": { ...header, examples: ["", "Mozilla/5.0"] },
  "http.referer": header,
  "http.cookie": header,
  "http.x_forwarded_for": header,
  "cf.waf.score.class": {
    always: "^(attack|likely_attack|likely_clean|clean)?$",
    about: "a class is one of `attack`, `likely_attack`, `likely_clean` and `clean`",
    examples: ["clean", "attack"],
  },
  "cf.zone.plan": { readable: "^(FREE|PRO|BIZ|ENT)$", examples: ["ENT", "FREE", "PRO", "BIZ"] },
};

export function textFacts(name: string): TextFacts {
  return TEXTS[name] ?? { readable: documentedValues(name) ?? PRINTABLE };
}

/** The values that Cloudflare documents for a field, which may have more. */
function documentedValues(name: string): string | undefined {
  const { values, changed } = findValues(name.replace(/\[\*\]$/, "")) ?? {};
  if (values === undefined || changed !== undefined) return undefined;
  return `^(${values.map((value) => value.replaceAll(/[^A-Za-z0-9_ -]/g, "[$&]")).join("|")})$`;
}

interface NumberFacts {
  readonly always?: readonly (readonly [first: bigint, last: bigint])[];
  readonly about?: string;
  readonly examples: readonly bigint[];
}

const address = (text: string): bigint => {
  const parsed = parseIp(text);
  return parsed === undefined ? 0n : fromAddress(parsed);
};

/** A score from 1 to 99, or 100 where the request was not scored. */
const score: NumberFacts = {
  always: [[1n, 100n]],
  about: "a score is 1 to 99, or 100 where none was computed",
  examples: [50n, 1n, 99n],
};
const port: NumberFacts = {
  always: [[1n, 65535n]],
  about: "a port is 1 to 65535",
  examples: [443n, 80n, 8443n, 8080n],
};
const amount = (what: string): NumberFacts => ({
  always: [[0n, 2n ** 63n - 1n]],
  about: `${what} is not negative`,
  examples: [0n],
});

const NUMBERS: Readonly<Record<string, NumberFacts>> = {
  "ip.src": { examples: ["203.0.113.9", "198.51.100.7", "192.0.2.5", "2001:db8::9"].map(address) },
  "ip.src.asnum": { always: [[0n, 4294967295n]], about: "an AS number has 32 bits", examples: [64496n] },
  "cf.bot_management.score": {
    always: [[0n, 99n]],
    about: "a bot score is 1 to 99, or 0 where none was computed",
    examples: [50n, 1n, 99n],
  },
  ...Object.fromEntries(
    ["cf.waf.score", "cf.waf.score.rce", "cf.waf.score.sqli", "cf.waf.score.xss", "cf.llm.prompt.injection_score"].map(
      (name) => [name, score],
    ),
  ),
  "cf.threat_score": { always: [[0n, 0n]], about: "the threat score is always 0 today", examples: [0n] },
  "cf.edge.server_port": port,
  "cf.edge.client_port": { ...port, examples: [50_000n] },
  ...Object.fromEntries(
    [
      ...["cf.timings.client_quic_rtt_msec", "cf.timings.client_tcp_rtt_msec", "cf.timings.edge_msec"],
      ...["cf.timings.origin_ttfb_msec", "cf.timings.worker_msec"],
    ].map((name) => [name, amount("a duration")]),
  ),
  ...Object.fromEntries(
    [
      ...["cf.waf.content_scan.num_obj", "cf.waf.content_scan.num_malicious_obj", "cf.llm.prompt.token_count"],
      ...["cf.edge.l4.delivery_rate", "cf.tls_client_hello_length"],
    ].map((name) => [name, amount("an amount")]),
  ),
  "cf.waf.content_scan.obj_sizes[*]": amount("a size"),
  "cf.response.1xxx_code": {
    always: [
      [0n, 0n],
      [1000n, 1999n],
    ],
    about: "a code is 1000 to 1999, or 0 where there is none",
    examples: [0n, 1020n],
  },
  "http.response.code": { always: [[100n, 999n]], about: "a status has three digits", examples: [200n, 404n, 503n] },
  "http.request.body.size": amount("a size"),
  "http.request.timestamp.msec": {
    always: [[0n, 999n]],
    about: "the milliseconds of a time are 0 to 999",
    examples: [0n],
  },
  "http.request.timestamp.sec": { ...amount("a time"), examples: [1_790_000_000n] },
  ssl: { examples: [1n] },
  // The usual country is in it.
  "ip.src.is_in_european_union": { examples: [1n] },
};

export function numberFacts(name: string): NumberFacts {
  return NUMBERS[name] ?? { examples: [] };
}

/** Fields that every request has: never nil. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set([
  ...["http.host", "http.cookie", "http.referer", "http.user_agent", "http.x_forwarded_for", "ssl"],
  ...["http.request.method", "http.request.version", "http.request.body.size", "http.request.timestamp.sec"],
  ...["", "raw."].flatMap((raw) =>
    ["full_uri", "uri", "uri.path", "uri.path.extension", "uri.path.basename", "uri.query"].map(
      (name) => `${raw}http.request.${name}`,
    ),
  ),
  ...["ip.src", "ip.src.asnum", "ip.src.country", "ip.src.continent", "ip.src.is_in_european_union"],
  ...["cf.edge.server_port", "cf.threat_score", "cf.client.bot", "cf.bot_management.score"],
]);

export function isAlwaysPresent(name: string): boolean {
  return ALWAYS_PRESENT.has(name);
}

/** Maps old field names to current ones. */
export function canonicalName(name: string): string {
  if (name === "ip.addr") return "ip.src";
  return name.startsWith("ip.geoip.") ? `ip.src.${name.slice("ip.geoip.".length)}` : name;
}

/** Maps whose keys are always in lower case. */
export function hasLowerKeys(name: string): boolean {
  return /^(?:raw\.)?http\.(?:request|response)\.headers$/.test(name);
}

const bases = new Map<string, TextBase | undefined>();

/** A pattern of this file as a set of strings. */
export function patternBase(pattern: string | undefined): TextBase | undefined {
  if (pattern === undefined) return undefined;
  if (!bases.has(pattern)) bases.set(pattern, matching(toBytes(pattern)));
  return bases.get(pattern);
}
