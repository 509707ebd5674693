import type { FieldOperand } from "../../language/ast.js";
import { fromBytes, showBytes } from "../../language/bytes.js";
import { findField } from "../../language/catalogue/index.js";
import { makeRequest, type PlainValue, type RequestInput } from "../../language/index.js";
import { formatIp } from "../../language/ip.js";
import { drawOfNumber, shareOf } from "../../language/shares.js";
import { isAddress, Unknown, type Bytes } from "../../language/value.js";
import { canonicalName } from "../formula/facts.js";
import { schemeOfPort } from "../relations/axioms.js";
import { HEADER_FIELDS } from "../relations/headers.js";
import { continentOf, countryWith, UNION } from "../relations/geography.js";
import type { NumberTerm, Term } from "../formula/term.js";
import type { Model, ModelValue } from "../solve/model.js";
import { toAddress } from "../values/addresses.js";

type Headers = Map<string, string[]>;

/** A request under construction. */
interface Draft {
  scheme: string;
  host: string;
  path: string;
  query: string | undefined;
  readonly headers: Headers;
  readonly cookies: Map<string, string[]>;
  readonly args: Map<string, string[]>;
  readonly fields: Record<string, PlainValue>;
  rest: Omit<RequestInput, "url">;
}

/** Properties that every request has; the same values that the analysis considers usual. */
export const ORDINARY = {
  ip: "203.0.113.9",
  country: "DE",
  continent: "EU",
  asn: 64496,
  httpVersion: "2",
  timestamp: 1_790_000_000,
  // In no share but the whole.
  draw: 0.999_999,
} as const;

/** The fields and lists that rules read. */
export interface RequestUses {
  readonly fields: Iterable<string>;
  readonly lists: Iterable<string>;
}

/**
 * Builds a request in which the terms have the values of a model, as far as possible. The evaluator must confirm that it does.
 * @param uses what rules read: fields without a value are nil, and lists are empty; without those whose items are known
 * @param host where the model leaves it open
 * @throws TypeError if no request can have such values
 */
export function buildRequest(model: Model, uses: RequestUses, host = "www.example.com"): RequestInput {
  const draft: Draft = {
    ...{ scheme: "https", host, path: "/", query: undefined, rest: { ...ORDINARY } },
    ...{ headers: new Map(), cookies: new Map(), args: new Map(), fields: {} },
  };
  for (const [term, value] of model.entries()) if (value !== undefined) place(draft, term, value);
  placeHeaders(draft, model);
  placeClient(draft, model);
  placePort(draft, model);
  placeDraw(draft, model);
  if ((draft.headers.get("host") ?? []).length > 1) throw new TypeError("a request has one Host header");
  if (Array.from(draft.headers.values()).flat().some(hasLineBreak)) throw new TypeError("a header is one line");
  const input = assemble(draft);
  const request = makeRequest(input);
  const missing = Array.from(uses.fields).filter((name) => request.field(name) instanceof Unknown && isPlain(name));
  const own = Object.entries(draft.fields).filter(
    ([name]) => !isDerived(name) || request.field(name) instanceof Unknown,
  );
  const fields = Object.fromEntries([...missing.map((name) => [name, null] as const), ...own]);
  const known = Object.keys(fields).length === 0 ? input : { ...input, fields };
  return withLists(known, model, uses.lists);
}

/** The values of fields in a model, by the names of the fields. */
function valuesIn(model: Model): ReadonlyMap<string, ModelValue> {
  return new Map(
    model.entries().flatMap(([{ operand }, value]) => {
      const isPlain = operand?.kind === "field" && operand.path.length === 0;
      return isPlain ? [[canonicalName(operand.name), value] as const] : [];
    }),
  );
}

/** A header whose field has a value is sent once, with that value. */
function placeHeaders(draft: Draft, model: Model): void {
  const values = valuesIn(model);
  for (const [field, header] of HEADER_FIELDS) {
    const value = values.get(field);
    if (typeof value === "string" && value !== "" && draft.headers.has(header))
      draft.headers.set(header, [text(value)]);
  }
}

/** A client is in one place. */
function placeClient(draft: Draft, model: Model): void {
  const values = valuesIn(model);
  const [given, onto, inside] = ["country", "continent", "is_in_european_union"].map((name) =>
    values.get(`ip.src.${name}`),
  );
  const continent = typeof onto === "string" ? onto : undefined;
  const isInUnion = inside === undefined ? undefined : inside === 1n;
  const country = typeof given === "string" ? given : countryWith(continent, isInUnion);
  if (country === undefined) throw new TypeError("no country is known to be there");
  draft.rest = { ...draft.rest, country, continent: continent ?? continentOf(country) ?? ORDINARY.continent };
  // It follows from the country.
  if (UNION.includes(country) === isInUnion) delete draft.fields["ip.src.is_in_european_union"];
}

/** The usual ports are for one scheme each. */
function placePort(draft: Draft, model: Model): void {
  const values = valuesIn(model);
  const port = values.get("cf.edge.server_port");
  if (typeof port !== "bigint") return;
  const scheme = schemeOfPort(Number(port));
  const isGiven = ["ssl", "http.request.full_uri", "raw.http.request.full_uri"].some((name) => values.has(name));
  if (isGiven && scheme !== undefined && scheme !== draft.scheme) throw new TypeError("a port has one scheme");
  if (!isGiven) draft.scheme = scheme ?? draft.scheme;
  if (Number(port) === (draft.scheme === "https" ? 443 : 80)) delete draft.fields["cf.edge.server_port"];
}

/**
 * The draw that gives a request its number. How the service's numbers of several ranges relate is not known, so no draw stands
 * for more than one range.
 */
function placeDraw(draft: Draft, model: Model): void {
  const drawn = model.entries().flatMap(([{ operand }, value]) => {
    const range = operand === undefined ? undefined : shareOf(operand);
    return range === undefined || typeof value !== "bigint" ? [] : [{ range, number: Number(value) }];
  });
  const [first, ...others] = drawn;
  if (first === undefined) return;
  if (others.length > 0) throw new TypeError("several ranges of numbers are drawn from one seed");
  const draw = drawOfNumber(first.range, first.number);
  if (draw >= 1) throw new TypeError("no draw has the end of its range");
  draft.rest = { ...draft.rest, draw };
}

function hasLineBreak(value: string): boolean {
  return /[\0\r\n]/.test(value);
}

/** Whether a field has no value but that of the URL and the headers. */
function isDerived(name: string): boolean {
  return /^(?:raw\.)?http\.request\.(?:uri\.|full_uri$|accepted_languages$)/.test(name);
}

/** Fields of the response come with one. */
function isPlain(name: string): boolean {
  const field = findField(name);
  return field !== undefined && field.when !== "response" && name !== "true" && name !== "false";
}

function assemble({ scheme, host, path, query, headers, cookies, args, rest }: Draft): RequestInput {
  const pairs = Array.from(args).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  const search = [...(query === undefined ? [] : [query]), ...pairs].join("&");
  const jar = Array.from(cookies).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  if (jar.length > 0) headers.set("cookie", [jar.join("; ")]);
  // Later versions send all names in lower case.
  const version = Array.from(headers.keys()).some((name) => /[A-Z]/.test(name)) ? { httpVersion: "1.1" } : {};
  const own = Object.fromEntries(
    Array.from(headers, ([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
  );
  return {
    ...(rest.httpVersion === ORDINARY.httpVersion ? { ...rest, ...version } : rest),
    url: `${scheme}://${host}${path}${search === "" ? "" : `?${search}`}`,
    ...(headers.size === 0 ? {} : { headers: own }),
  };
}

function place(draft: Draft, term: Term, value: NonNullable<ModelValue>): void {
  const { operand } = term;
  if (operand?.kind !== "field") return;
  const [first, second] = operand.path;
  if (operand.path.length === 0) {
    if (term.kind === "array") placeArray(draft, operand, value);
    else placeField(draft, canonicalName(operand.name), term, value);
    return;
  }
  const many = manyOf(draft, operand.name);
  if (many === undefined || first?.kind !== "key") return;
  const key = showBytes(first.value);
  const values = many.get(key) ?? [];
  many.set(key, values);
  if (term.kind === "array") {
    if (typeof value === "object") values.push(...value.map((one) => String(one)));
    if (values.length === 0) values.push("");
  } else if (second?.kind === "position" && second.value < 20) {
    while (values.length < second.value) values.push("");
    values[second.value] = String(value);
  }
}

function manyOf(draft: Draft, name: string): Headers | undefined {
  if (/^(?:raw\.)?http\.request\.headers$/.test(name)) return draft.headers;
  if (name === "http.request.cookies") return draft.cookies;
  return /^(?:raw\.)?http\.request\.uri\.args$/.test(name) ? draft.args : undefined;
}

function placeArray(draft: Draft, { name }: FieldOperand, value: NonNullable<ModelValue>): void {
  if (typeof value !== "object") return;
  const texts = value.map((one) => (typeof one === "bigint" ? Number(one) : text(one)));
  const many = manyOf(draft, name.replace(/\.(?:names|values)$/, ""));
  if (many !== undefined && name.endsWith(".names"))
    for (const one of texts) many.set(String(one), many.get(String(one)) ?? [""]);
  else if (many !== undefined && name.endsWith(".values"))
    texts.forEach((one, index) => many.set(`x${String(index)}`, [String(one)]));
  else if (name === "http.request.accepted_languages") draft.headers.set("accept-language", [texts.join(", ")]);
  else if (texts.every((one) => typeof one === "string" || typeof one === "number")) draft.fields[name] = texts;
}

function text(bytes: Bytes): string {
  const decoded = fromBytes(bytes);
  if (decoded === undefined) throw new TypeError("no UTF-8 text");
  return decoded;
}

const INPUTS: Readonly<Record<string, keyof RequestInput>> = {
  "http.request.method": "method",
  "http.request.version": "httpVersion",
  "http.request.timestamp.sec": "timestamp",
  "http.request.body.size": "bodySize",
  "ip.src": "ip",
  "ip.src.country": "country",
  "ip.src.continent": "continent",
  "ip.src.asnum": "asn",
  "cf.bot_management.score": "botScore",
  "cf.bot_management.verified_bot": "verifiedBot",
  "cf.threat_score": "threatScore",
};

function placeField(draft: Draft, name: string, term: Term, value: NonNullable<ModelValue>): void {
  const plain =
    typeof value === "bigint" ? plainNumber(value, term) : typeof value === "string" ? text(value) : undefined;
  if (plain === undefined) return;
  const input = INPUTS[name];
  const header = name === "http.host" ? undefined : HEADER_FIELDS.get(name);
  if (input !== undefined) draft.rest = { ...draft.rest, [input]: plain };
  else if (header !== undefined && plain !== "") draft.headers.set(header, [String(plain)]);
  else if (name === "ssl") draft.scheme = plain === true ? "https" : "http";
  else if (header === undefined && !placeInUrl(draft, name, String(plain))) draft.fields[name] = plain;
}

function placeInUrl(draft: Draft, name: string, value: string): boolean {
  switch (name.replace(/^raw\./, "")) {
    case "http.host":
      if (/^[a-z0-9.-]+$/.test(value)) draft.host = value;
      else draft.headers.set("host", [value]);
      return true;
    case "http.request.uri.path":
      draft.path = value;
      return true;
    case "http.request.uri.query":
      draft.query = value === "" ? undefined : value;
      return true;
    case "http.request.uri":
      splitUri(draft, value);
      return true;
    case "http.request.full_uri": {
      const [, scheme, host, uri] = /^(https?):\/\/([^/]+)(.*)$/.exec(value) ?? [];
      if (scheme !== undefined && host !== undefined) Object.assign(draft, { scheme, host });
      splitUri(draft, uri ?? "");
      return true;
    }
    case "http.request.uri.path.basename":
      if (draft.path === "/") draft.path = `/${value}`;
      return true;
    case "http.request.uri.path.extension":
      if (value !== "" && draft.path === "/") draft.path = `/file.${value}`;
      return true;
    default:
      return false;
  }
}

function splitUri(draft: Draft, uri: string): void {
  const at = uri.indexOf("?");
  draft.path = at < 0 ? uri : uri.slice(0, at);
  draft.query = at < 0 ? undefined : uri.slice(at + 1);
}

function plainNumber(value: bigint, term: Term): string | number | bigint | boolean {
  const { valueType } = term as NumberTerm;
  if (valueType === "boolean") return value === 1n;
  if (valueType === "ip") return formatIp(toAddress(value));
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

/** Defines lists so that they contain the field's value, or not, as the model requires. */
function withLists(input: RequestInput, model: Model, names: Iterable<string>): RequestInput {
  const lists: Record<string, (string | number)[]> = Object.fromEntries(Array.from(names, (name) => [name, []]));
  const request = makeRequest(input);
  for (const [term, value] of model.entries()) {
    const about = term.kind === "number" ? term.about : undefined;
    if (about?.kind !== "comparison" || about.test.kind !== "in" || about.test.right.kind !== "list") continue;
    const items = lists[about.test.right.name];
    const { left } = about;
    if (items === undefined || value !== 1n || left.kind !== "field" || left.path.length > 0) continue;
    const found = request.field(left.name);
    if (isAddress(found)) items.push(formatIp(found));
    else if (typeof found === "string") items.push(text(found));
    else if (typeof found === "number") items.push(found);
  }
  return Object.keys(lists).length === 0 ? input : { ...input, lists };
}
