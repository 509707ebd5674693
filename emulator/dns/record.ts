import { isIPv4, isIPv6 } from "node:net";
import { bodyCheck, boolean, nonEmpty, listOf, object, oneOf, string, text, type CodesByPointer } from "../body.js";
import type { ApiResult, Body } from "../call.js";
import { refuse } from "../failure.js";

/** The content of a record, in the API's notation. */
interface RecordContent extends ApiResult {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly proxied: boolean;
  readonly ttl: number;
}

/** A stored record. */
export type DnsRecord = RecordContent & { readonly id: string };

/** Types with text content, and types described by their parts in `data`. */
const PLAIN = ["A", "AAAA", "CNAME", "MX", "NS", "OPENPGPKEY", "PTR", "TXT"];
const IN_PARTS: Readonly<Record<string, readonly string[]>> = {
  CAA: ["flags", "tag", "value"],
  CERT: ["type", "key_tag", "algorithm", "certificate"],
  DNSKEY: ["flags", "protocol", "algorithm", "public_key"],
  DS: ["key_tag", "algorithm", "digest_type", "digest"],
  HTTPS: ["priority", "target", "value"],
  LOC: ["lat_degrees", "lat_direction", "long_degrees", "long_direction", "altitude", "size"],
  NAPTR: ["order", "preference", "flags", "service", "regex", "replacement"],
  SMIMEA: ["usage", "selector", "matching_type", "certificate"],
  SRV: ["weight", "port", "target"],
  SSHFP: ["algorithm", "type", "fingerprint"],
  SVCB: ["priority", "target", "value"],
  TLSA: ["usage", "selector", "matching_type", "certificate"],
  URI: ["weight", "target"],
};
const PROXIABLE = new Set(["A", "AAAA", "CNAME"]);
const CODES: CodesByPointer = [["", 1004]];

const record = {
  name: { ...nonEmpty, maxLength: 255 },
  type: oneOf(...PLAIN, ...Object.keys(IN_PARTS)),
  content: string,
  data: { type: "object", additionalProperties: { type: ["string", "number", "null"] } },
  ttl: { anyOf: [{ const: 1 }, { type: "number", minimum: 30, maximum: 86_400 }] },
  priority: { type: "integer", minimum: 0, maximum: 65_535 },
  proxied: boolean,
  comment: { anyOf: [{ type: "string", maxLength: 500 }, { type: "null" }] },
  tags: listOf(nonEmpty),
  settings: object({ ipv4_only: boolean, ipv6_only: boolean, flatten_cname: boolean }),
};
export const checkRecord = bodyCheck(object(record, ["name", "type"]), CODES);
export const checkChange = bodyCheck(object(record), CODES);
export const checkBatch = bodyCheck(
  object(Object.fromEntries(["deletes", "patches", "puts", "posts"].map((name) => [name, listOf({ type: "object" })]))),
  CODES,
);

/** Creates a record from a complete body: its full name, its content, and what the service adds. */
export function recordOf(body: Body, zoneName: string): RecordContent {
  const type = text(body.type);
  const proxied = body.proxied === true;
  if (proxied && !PROXIABLE.has(type)) throw invalid(9004, `This record type cannot be proxied`, "/proxied");
  return {
    ...body,
    name: fullName(text(body.name), zoneName),
    type,
    content: contentOf(type, body),
    proxiable: PROXIABLE.has(type),
    proxied,
    ttl: proxied ? 1 : Number(body.ttl ?? 1),
    settings: body.settings ?? {},
    meta: {},
    comment: body.comment ?? null,
    tags: body.tags ?? [],
  };
}

function fullName(sent: string, zoneName: string): string {
  const name = sent.toLowerCase().replace(/\.$/, "");
  if (name === "@") return zoneName;
  return name === zoneName || name.endsWith(`.${zoneName}`) ? name : `${name}.${zoneName}`;
}

function contentOf(type: string, { content, data, priority }: Body): string {
  const parts = IN_PARTS[type];
  if (parts !== undefined && data !== undefined) {
    const values = data as Readonly<Record<string, string | number | undefined>>;
    return parts
      .map((part) => (part === "value" ? JSON.stringify(values[part] ?? "") : String(values[part] ?? "")))
      .join(" ");
  }
  const value = text(content).trim();
  if (value === "") throw invalid(9101, parts === undefined ? "content is required" : "data is required", "/content");
  if (type === "A" && !isIPv4(value))
    throw invalid(9005, "Content for A record must be a valid IPv4 address.", "/content");
  if (type === "AAAA" && !isIPv6(value))
    throw invalid(9006, "Content for AAAA record must be a valid IPv6 address.", "/content");
  if (type === "MX" && priority === undefined) throw invalid(9101, "priority is required", "/priority");
  return value;
}

function invalid(code: number, message: string, pointer: string) {
  return refuse(400, code, message, pointer);
}
