import { lowerAscii, toBytes, upperAscii } from "../bytes.js";
import { parseIp, type IpAddress } from "../ip.js";
import type { Bytes } from "../value.js";
import { givenFields, givenLists, unknownField, type ContextInput } from "./context.js";
import type { Header, RecordedHeaders } from "./headers.js";
import { HttpRequest } from "./request.js";
import { parseTarget } from "./target.js";

/** What is known about a request. Whatever is not given is unknown, unless it has a default. */
export interface RequestInput extends ContextInput {
  /** @default "GET" */
  readonly method?: string;
  /** Absolute, http or https. */
  readonly url: string | URL;
  /** By name, or as pairs in the order in which they were sent. A missing Host header is added. */
  readonly headers?:
    | Readonly<Record<string, string | readonly string[]>>
    | readonly (readonly [name: string, value: string])[];
  /** `"1.1"`, `"2"`, `"HTTP/3"` … From 2 on, header names are sent in lower case. */
  readonly httpVersion?: string | number;
  /** The client's address. */
  readonly ip?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, `SA`, or `T1` for Tor. */
  readonly continent?: string;
  readonly asn?: number;
  /** 1 to 99; low scores mean bots. */
  readonly botScore?: number;
  readonly verifiedBot?: boolean;
  /** @default 0, the only value that Cloudflare returns now */
  readonly threatScore?: number;
  /** @default "", no body */
  readonly body?: string | Uint8Array;
  /** Size in bytes of a body whose content is not known. */
  readonly bodySize?: number;
  /** When the request was received, in seconds since 1970, with fractions. */
  readonly timestamp?: number;
  /**
   * Where the request's random seed lies among all seeds, from 0 to below 1: with 0.03, the request is among the first 5 % in
   * `hash_in_range(0, 100, cf.random_seed) lt 5`. The service's hash is not public, so this stands for it.
   */
  readonly draw?: number;
}

/** A request that may be from a log. */
export interface RecordedInput extends RequestInput {
  /** What was recorded. @default headers and body are given as a whole */
  readonly recorded?: RecordedPart;
}

/** What is known of a request of which a log has only a part: a body or header that is not given is unknown. */
export interface RecordedPart {
  /** Headers that the request does not have. */
  readonly withoutHeaders?: readonly string[];
  /** Some of its cookies. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** Fields that are unknown although the method and the URL have values. */
  readonly withoutFields?: readonly string[];
}

/**
 * Creates a request to evaluate expressions against. Fields are derived from the input; all others are unknown.
 * @throws TypeError on an invalid URL, address or number
 *
 * @example
 * const request = makeRequest({ method: "POST", url: "https://shop.example.com/login", ip: "203.0.113.9" });
 */
export function makeRequest(input: RecordedInput): HttpRequest {
  const target = parseTarget(input.url);
  const version = parseVersion(input.httpVersion);
  const headers = withHost(readHeaders(input.headers, version), target.authority);
  const recorded = input.recorded === undefined ? undefined : recordedHeaders(input.recorded);
  return new HttpRequest(
    {
      method: upperAscii(toBytes(input.method ?? "GET")),
      target,
      headers,
      recorded,
      original: { target, headers, recorded },
      version,
      ip: readIp(input.ip),
      country: input.country === undefined ? undefined : upperAscii(toBytes(input.country)),
      continent: input.continent === undefined ? undefined : upperAscii(toBytes(input.continent)),
      asn: integer(input.asn, "asn"),
      botScore: integer(input.botScore, "botScore"),
      verifiedBot: input.verifiedBot,
      threatScore: integer(input.threatScore, "threatScore") ?? 0,
      body: readBody(input),
      bodySize: integer(input.bodySize, "bodySize"),
      timestamp: input.timestamp,
      draw: readDraw(input.draw),
      fields: new Map([
        ...(input.recorded?.withoutFields ?? []).map((name) => [name, unknownField(name)] as const),
        ...givenFields(input.fields),
      ]),
    },
    givenLists(input.lists),
  );
}

function recordedHeaders({ withoutHeaders = [], cookies = {} }: RecordedPart): RecordedHeaders {
  return {
    absent: new Set(withoutHeaders.map((name) => lowerAscii(toBytes(name)))),
    cookies: Object.entries(cookies).map(([name, value]) => [toBytes(name), toBytes(value)] as const),
  };
}

/** As they are. */
const VERSIONS: ReadonlySet<string> = new Set(["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"]);

function parseVersion(version: string | number | undefined): Bytes | undefined {
  if (version === undefined || (typeof version === "string" && VERSIONS.has(version))) return version;
  const number = /^(?:HTTP\/)?(\d(?:\.\d)?)$/i.exec(String(version))?.[1];
  if (number === undefined)
    throw new TypeError(`httpVersion: "${String(version)}" is not an HTTP version; write "1.1", "2" or "3"`);
  return `HTTP/${number.replace(/^([23])\.0$/, "$1").replace(/^1$/, "1.1")}`;
}

function readHeaders(headers: RequestInput["headers"] = {}, version: Bytes | undefined): readonly Header[] {
  const pairs = isPairs(headers) ? headers : Object.entries(headers).flatMap(([name, values]) => each(name, values));
  const lower = version === "HTTP/2" || version === "HTTP/3";
  return pairs.map(([name, value]) => [lower ? lowerAscii(toBytes(name)) : toBytes(name), toBytes(value)]);
}

function isPairs(
  headers: NonNullable<RequestInput["headers"]>,
): headers is readonly (readonly [name: string, value: string])[] {
  return Array.isArray(headers);
}

function each(name: string, values: string | readonly string[]): (readonly [string, string])[] {
  return (typeof values === "string" ? [values] : values).map((value) => [name, value] as const);
}

function withHost(headers: readonly Header[], authority: Bytes): readonly Header[] {
  return headers.some(([name]) => lowerAscii(name) === "host") ? headers : [["host", authority], ...headers];
}

function readIp(ip: string | undefined): IpAddress | undefined {
  if (ip === undefined) return undefined;
  const parsed = parseIp(ip);
  if (parsed === undefined) throw new TypeError(`ip: "${ip}" is not an IP address`);
  return parsed;
}

function integer(value: number | undefined, name: string): number | undefined {
  if (value !== undefined && !Number.isSafeInteger(value)) {
    throw new TypeError(`${name}: ${String(value)} is not an integer`);
  }
  return value;
}

function readDraw(draw: number | undefined): number | undefined {
  if (draw !== undefined && !(draw >= 0 && draw < 1))
    throw new TypeError(`draw: ${String(draw)} is not a number from 0 to below 1`);
  return draw;
}

/** If neither the body nor its size is given, there is no body, or it was not recorded. */
function readBody({ body, bodySize, recorded }: RecordedInput): Bytes | undefined {
  if (body === undefined) return bodySize === 0 || (bodySize === undefined && recorded === undefined) ? "" : undefined;
  return typeof body === "string" ? toBytes(body) : Buffer.from(body).toString("latin1");
}
