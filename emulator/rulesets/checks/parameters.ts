import type { Body } from "../../call.js";
import { invalidValue, refuse, type ServiceError } from "../../failure.js";
import type { Check } from "./check.js";

/** What the pages of some actions demand of their parameters beside the API description. */
export const parametersFault: Check = ({ action, action_parameters, expression }, { phase }, at) => {
  const parameters = (action_parameters ?? {}) as Body;
  const pointer = `${at}/action_parameters`;
  switch (action) {
    case "log_custom_field":
      if (String(expression).trim() !== "true")
        return invalidValue(expression, "expression", "it must be true", { pointer: `${at}/expression` });
      return logFault(parameters, pointer);
    case "rewrite":
      return placeFault(parameters, phase, pointer) ?? lengthFault(parameters, pointer);
    case "redirect":
      return placeFault(parameters, phase, pointer);
    case "route":
      return hostFault(parameters, pointer);
    case "set_cache_tags":
      return parameters.values === undefined || parameters.expression === undefined
        ? undefined
        : refuse(400, undefined, "values and expression are mutually exclusive", pointer);
    case "compress_response":
      return algorithmsFault(parameters, pointer);
    case "serve_error":
      return assetFault(parameters, pointer);
    case "set_cache_settings":
      return varyFault(parameters, pointer) ?? cacheKeyFault(parameters, pointer);
    default:
      return undefined;
  }
};

type Named = readonly { readonly name: string }[];
const LOGGED = [
  "request_fields",
  "transformed_request_fields",
  "response_fields",
  "raw_response_fields",
  "cookie_fields",
];
const MOST_LOGGED = 100;

/** https://developers.cloudflare.com/logs/logpush/logpush-job/custom-fields/ */
function logFault(parameters: Body, at: string): ServiceError | undefined {
  const fields = (name: string): readonly string[] =>
    ((parameters[name] ?? []) as Named).map(({ name: field }) => field);
  for (const list of LOGGED) {
    const names = fields(list);
    const pointer = `${at}/${list}`;
    if (names.length > MOST_LOGGED)
      return refuse(400, undefined, `${list} can have at most ${String(MOST_LOGGED)} fields`, pointer);
    if (list === "cookie_fields") continue;
    const index = names.findIndex((name) => name !== name.toLowerCase());
    if (index >= 0)
      return invalidValue(names[index], "name", "it must be in lower case", {
        pointer: `${pointer}/${String(index)}/name`,
      });
    if (list.endsWith("request_fields") && names.includes("range"))
      return invalidValue("range", "name", "it cannot be logged", { pointer });
  }
  for (const [raw, transformed] of [
    ["request_fields", "transformed_request_fields"],
    ["raw_response_fields", "response_fields"],
  ] as const) {
    const both = fields(raw).find((name) => fields(transformed).includes(name));
    if (both !== undefined)
      return invalidValue(both, "name", `it is in ${raw} and in ${transformed}`, { pointer: `${at}/${transformed}` });
  }
  return undefined;
}

/**
 * Phases of parameters: https://developers.cloudflare.com/rules/transform/ and https://developers.cloudflare.com/rules/url-forwarding/
 */
const PLACES: Readonly<Record<string, (phase: string) => boolean>> = {
  uri: (phase) => phase === "http_request_transform",
  headers: (phase) => phase !== "http_request_transform",
  from_list: (phase) => phase === "http_request_redirect",
  from_value: (phase) => phase === "http_request_dynamic_redirect",
};

function placeFault(parameters: Body, phase: string, at: string): ServiceError | undefined {
  const stray = Object.keys(parameters).find((name) => PLACES[name]?.(phase) === false);
  if (stray === undefined) return undefined;
  return refuse(
    400,
    undefined,
    `it is not possible to use ${stray} in a ruleset with phase ${phase}`,
    `${at}/${stray}`,
  );
}

/** https://developers.cloudflare.com/rules/origin-rules/features/ */
function hostFault({ host_header, origin, sni }: Body, at: string): ServiceError | undefined {
  const names = [
    ["origin/host", (origin as Body | undefined)?.host],
    ["sni/value", (sni as Body | undefined)?.value],
    ["host_header", typeof host_header === "string" ? host_header.replace(/:\d+$/, "") : undefined],
  ] as const;
  const [place, name] = names.find(([, host]) => typeof host === "string" && !isHost(host)) ?? [];
  if (place === undefined) return undefined;
  return invalidValue(name, place.replace(/.*\//, ""), "it is not a valid hostname", { pointer: `${at}/${place}` });
}

function isHost(name: string): boolean {
  return !/[\s/?#@:]/.test(name) && !/^[\d.]+$/.test(name);
}

const MOST_REWRITTEN = 4096;

/** https://developers.cloudflare.com/rules/transform/url-rewrite/reference/parameters/ */
function lengthFault({ uri }: Body, at: string): ServiceError | undefined {
  const { path, query } = (uri ?? {}) as Readonly<Record<string, Body | undefined>>;
  const texts = [path?.value, path?.expression, query?.value, query?.expression];
  const size = texts.reduce<number>((sum, text) => sum + (typeof text === "string" ? text.length : 0), 0);
  if (size <= MOST_REWRITTEN) return undefined;
  const text = `path and query can have at most ${String(MOST_REWRITTEN)} characters together`;
  return refuse(400, undefined, text, `${at}/uri`);
}

/** https://developers.cloudflare.com/rules/compression-rules/settings/ */
function algorithmsFault({ algorithms = [] }: Body, at: string): ServiceError | undefined {
  const names = (algorithms as Named).map(({ name }) => name);
  const early = names.slice(0, -1).find((name) => ["auto", "default", "none"].includes(name));
  if (early === undefined) return undefined;
  return invalidValue(early, "algorithms", "it must be the last algorithm", { pointer: `${at}/algorithms` });
}

/** https://developers.cloudflare.com/rules/custom-errors/reference/parameters/ */
function assetFault({ asset_name: name }: Body, at: string): ServiceError | undefined {
  if (name === undefined || (typeof name === "string" && /^\w{1,200}$/.test(name))) return undefined;
  return invalidValue(name, "asset_name", "it can only contain letters, digits and underscores", {
    pointer: `${at}/asset_name`,
  });
}

const NOT_VARIED = new Set(["connection", "host", "cache-control"]);

/** https://developers.cloudflare.com/cache/how-to/cache-rules/settings/#vary */
function varyFault({ vary }: Body, at: string): ServiceError | undefined {
  const { headers = {} } = (vary ?? {}) as { headers?: Readonly<Record<string, Body>> };
  const pointer = `${at}/vary/headers`;
  if (Object.keys(headers).length > 50) return refuse(400, undefined, "headers can have at most 50 entries", pointer);
  for (const name of Object.keys(headers)) {
    const isName = /^[a-z0-9_-]+$/.test(name) && name.length <= 128;
    if (!isName || name.startsWith("cf-") || name.startsWith("cf_") || NOT_VARIED.has(name))
      return invalidValue(name, "headers", "it is not a header that can be varied by", { pointer });
  }
  const lists = [
    ["accept", "media_types", 10],
    ["accept-language", "languages", 20],
  ] as const;
  for (const [header, field, most] of lists) {
    const values = (headers[header]?.[field] ?? []) as readonly string[];
    const place = `${pointer}/${header}/${field}`;
    if (values.length > most) return refuse(400, undefined, `${field} can have at most ${String(most)} items`, place);
    const [other] = Object.entries(headers).find(([name, own]) => name !== header && own[field] !== undefined) ?? [];
    if (other !== undefined)
      return refuse(400, undefined, `${field} is only valid for ${header}`, `${pointer}/${other}/${field}`);
    const strange = values.find((value) => !/^[\x20-\x7e]+$/.test(value));
    if (strange !== undefined) return invalidValue(strange, field, "it must be printable ASCII", { pointer: place });
  }
  return undefined;
}

const MOST_QUERY = 100;
const RESTRICTED = [
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-datetime",
  "accept-language",
  "referer",
  "user-agent",
];

/** Headers that a cache key cannot have: https://developers.cloudflare.com/cache/how-to/cache-keys/#headers */
const NOT_INCLUDED = new Set([
  ...["connection", "content-length", "cache-control", "if-match", "if-modified-since", "if-none-match"],
  ...["if-unmodified-since", "range", "upgrade", "cookie", "host", "origin"],
]);

function includedFault({ header, cookie }: Readonly<Record<string, Body | undefined>>, at: string) {
  const names = (part: Body | undefined): readonly string[] =>
    Array.isArray(part?.include) ? (part.include as string[]) : [];
  const refused = names(header).find((name) => NOT_INCLUDED.has(name.toLowerCase()) || /^cf-/i.test(name));
  if (refused !== undefined)
    return invalidValue(refused, "include", "the header cannot be in a cache key", { pointer: `${at}/header/include` });
  const own = names(cookie).find((name) => name.startsWith("__cf"));
  return own === undefined
    ? undefined
    : invalidValue(own, "include", "the cookie cannot be in a cache key", { pointer: `${at}/cookie/include` });
}

/** https://developers.cloudflare.com/cache/how-to/cache-rules/settings/#cache-key */
function cacheKeyFault({ cache_key }: Body, at: string): ServiceError | undefined {
  const { custom_key } = (cache_key ?? {}) as Body;
  const parts = (custom_key ?? {}) as Readonly<Record<string, Body | undefined>>;
  const { query_string, header } = parts;
  const pointer = `${at}/cache_key/custom_key`;
  for (const side of ["include", "exclude"]) {
    const sent = query_string?.[side];
    const list = Array.isArray(sent) ? (sent as readonly string[]) : (sent as Body | undefined)?.list;
    if (Array.isArray(list) && list.length > MOST_QUERY)
      return refuse(
        400,
        undefined,
        `a cache key can have at most ${String(MOST_QUERY)} query parameters`,
        `${pointer}/query_string/${side}`,
      );
  }
  const contains = (header?.contains ?? {}) as Readonly<Record<string, readonly string[]>>;
  const [crowded] =
    Object.entries(contains).find(([name, values]) => RESTRICTED.includes(name.toLowerCase()) && values.length > 10) ??
    [];
  if (crowded === undefined) return includedFault(parts, pointer);
  return refuse(400, undefined, `${crowded} can have at most ten values`, `${pointer}/header/contains/${crowded}`);
}
