import { bitsOf, formatIp, networkOf, parseIp } from "../language/ip.js";
import {
  isList,
  isObject,
  mapFrom,
  omit,
  sameJson,
  stableText,
  textOf,
  type Json,
  type JsonObject,
} from "../model/json.js";
import { isListKind, type ListKind } from "./kind.js";

/**
 * What an item has besides its key: only what differs from the service's defaults. Where that is nothing but a comment, it is
 * the comment itself, and otherwise an object, so that a state holds little more than the items' own text.
 */
export type Details = string | DetailFields;
/** The details of a redirect, or of a hostname with a switch. */
export interface DetailFields {
  readonly comment?: string;
  /** Of a redirect: where it leads. */
  readonly target?: string;
  /** @default 301 */
  readonly status?: number;
  readonly includeSubdomains?: boolean;
  /** @default true */
  readonly preservePathSuffix?: boolean;
  readonly preserveQueryString?: boolean;
  readonly subpathMatching?: boolean;
  /** Of a hostname that begins with `*.`: whether the domain itself is left out. @default true */
  readonly excludeExactHostname?: boolean;
  /** What has no name here, as the service has it: fields of a redirect or a hostname, or all of an item of an unknown kind. */
  readonly wire?: JsonObject;
}

/** Items by key, which is the item's value in the notation of the service. */
export type Items = Readonly<Record<string, Details>>;

/** An item as a program writes it. */
export type GivenItem = string | number | ItemFields | UncheckedItem;
export interface ItemFields extends Omit<DetailFields, "wire"> {
  /** The address, range, hostname or number. */
  readonly value?: string | number;
  /** Of a redirect: the URL that is redirected. */
  readonly source?: string;
}
/** An item as the service has it, which is sent as it is, and not checked. */
export interface UncheckedItem {
  readonly wire: JsonObject;
}

/** An item with its key, or why it is none: the field that is wrong, and the reason. */
type ParsedItem =
  | { readonly kind: "item"; readonly key: string; readonly details: Details }
  | { readonly kind: "invalid"; readonly field?: string; readonly reason: string };

const SWITCHES = ["includeSubdomains", "preservePathSuffix", "preserveQueryString", "subpathMatching"] as const;
/** https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/parameters/ */
const STATUSES = [301, 302, 307, 308];
const DEFAULT_STATUS = 301;
const MAX_COMMENT = 500;

/** The fields that an item of a kind may have. */
export const FIELDS: Readonly<Record<ListKind, readonly string[]>> = {
  ip: ["value", "comment"],
  asn: ["value", "comment"],
  hostname: ["value", "comment", "excludeExactHostname"],
  redirect: ["source", "target", "status", ...SWITCHES, "comment"],
};

/** Whether a program has an item as the service has it. */
export function isUncheckedItem(given: Json | undefined): boolean {
  return isObject(given) && given.wire !== undefined;
}

/** Parses an item as a program or a file writes it. */
export function parseItem(kind: string, given: Json | undefined): ParsedItem {
  if (isObject(given) && isObject(given.wire) && Object.keys(given).length === 1)
    return parseUnchecked(kind, given.wire);
  return isListKind(kind)
    ? parseFields(kind, given)
    : invalid(`must be in \`wire\`, as the service has it: ${unknownKind(kind)}`);
}

function parseUnchecked(kind: string, wire: JsonObject): ParsedItem {
  const item = itemFromWire(kind, wire);
  if (item !== undefined) return { kind: "item", key: item.key, details: item.details };
  const example = isListKind(kind) ? `, such as ${EXAMPLES[kind]}` : "";
  return invalid(`must be an item of the kind ${kind} as the service has it${example}`, "wire");
}

/** Why items of a list can only be as the service has them. */
export function unknownKind(kind: string): string {
  return `this version does not know the kind ${JSON.stringify(kind)}`;
}

const EXAMPLES: Readonly<Record<ListKind, string>> = {
  ip: '{ ip: "192.0.2.1" }',
  asn: "{ asn: 64496 }",
  hostname: '{ hostname: { url_hostname: "example.com" } }',
  redirect: '{ redirect: { source_url: "example.com/", target_url: "https://example.com/new" } }',
};

function parseFields(kind: ListKind, given: Json | undefined): ParsedItem {
  const fields = isObject(given) ? given : { value: given ?? null };
  if (!isObject(given) && kind === "redirect")
    return invalid("must be an object with source and target, because the list is of the kind redirect");
  const unknown = Object.keys(fields).find((name) => fields[name] !== undefined && !FIELDS[kind].includes(name));
  if (unknown !== undefined)
    return invalid(`does not exist for items of the kind ${kind}: they have ${FIELDS[kind].join(", ")}`, unknown);
  const fault = checkFields(fields);
  if (fault !== undefined) return fault;
  const name = kind === "redirect" ? "source" : "value";
  const key = KEYS[kind](fields[name]);
  if (typeof key !== "string") return { ...key, ...(isObject(given) ? { field: name } : {}) };
  if (kind === "redirect") {
    const reason = targetFault(fields.target, fields.preserveQueryString === true);
    if (reason !== undefined) return invalid(reason, "target");
  }
  if (fields.excludeExactHostname !== undefined && !key.startsWith("*."))
    return invalid('needs a value that begins with "*."', "excludeExactHostname");
  return { kind: "item", key, details: compact(omit(fields, ["value", "source"])) };
}

function invalid(reason: string, field?: string): ParsedItem & { readonly kind: "invalid" } {
  return { kind: "invalid", reason, ...(field === undefined ? {} : { field }) };
}

/** A text as a message shows it: a file may be one line of any length. */
function quoted(text: string): string {
  return text.length > MOST_SHOWN ? `${JSON.stringify(text.slice(0, MOST_SHOWN))}…` : JSON.stringify(text);
}

const MOST_SHOWN = 100;

function checkFields({ comment, status, ...fields }: JsonObject): ParsedItem | undefined {
  if (comment !== undefined && (typeof comment !== "string" || comment.length > MAX_COMMENT))
    return invalid(`must be a text of at most ${String(MAX_COMMENT)} characters`, "comment");
  if (comment?.startsWith("\0") === true) return invalid("cannot begin with a null character", "comment");
  if (status !== undefined && (typeof status !== "number" || !STATUSES.includes(status)))
    return invalid(`must be one of ${STATUSES.join(", ")}`, "status");
  const wrong = [...SWITCHES, "excludeExactHostname"].find(
    (name) => fields[name] !== undefined && typeof fields[name] !== "boolean",
  );
  return wrong === undefined ? undefined : invalid("must be true or false", wrong);
}

type Key = string | (ParsedItem & { readonly kind: "invalid" });

/** The key of a value of each kind, in the notation in which the service stores it. */
const KEYS: Readonly<Record<ListKind, (value: Json | undefined) => Key>> = {
  ip: (value) => (typeof value === "string" ? addressKey(value) : invalid(ADDRESS)),
  asn: asnKey,
  hostname: (value) => (typeof value === "string" ? hostnameKey(value) : invalid("must be a hostname")),
  redirect: (value) => (typeof value === "string" ? sourceKey(value) : invalid(SOURCE)),
};

const ADDRESS = "must be an IP address or a range, such as 192.0.2.0/24 or 2001:db8::/32";
/**
 * https://developers.cloudflare.com/waf/tools/lists/custom-lists/ says so of IPv6, and the service refuses wider ranges:
 * https://github.com/cloudflare/cloudflare-docs/pull/17133. Pages differ on whether IPv4 begins at /2 or at /8.
 */
const PREFIXES = { 4: { least: 2, most: 32 }, 6: { least: 12, most: 128 } };

/** Without the bits of the host, IPv6 in its short form, and a range of one address as that address. */
function addressKey(text: string): Key {
  const [first = "", prefix, ...more] = text.trim().split("/");
  const address = parseIp(first);
  if (address === undefined || more.length > 0) return invalid(`${ADDRESS}: ${quoted(text)} is neither`);
  if (prefix === undefined) return formatIp(address);
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (bits === bitsOf(address)) return formatIp(address);
  const { least, most } = PREFIXES[address.version];
  if (!(bits >= least && bits <= most))
    return invalid(
      `${text}: ranges of IPv${String(address.version)} in lists have prefixes from /${String(least)} to /${String(most)}`,
    );
  return `${formatIp(networkOf(address, bits).first)}/${String(bits)}`;
}

function asnKey(value: Json | undefined): Key {
  const text = typeof value === "number" ? String(value) : textOf(value).trim().replace(/^as/i, "");
  return /^\d{1,10}$/.test(text) && Number(text) <= 4_294_967_295
    ? String(Number(text))
    : invalid("must be the number of an autonomous system, such as 64496");
}

/** What a DNS name can be at most: the service takes names that are fully qualified. */
const MOST_OF_LABEL = 63;
const MOST_OF_NAME = 253;
const LABELS = new RegExp(`^(?:[a-z0-9_-]{1,${String(MOST_OF_LABEL)}}[.])+[a-z0-9-]{1,${String(MOST_OF_LABEL)}}$`);

/** In lower case and with punycode. */
function hostnameKey(text: string): Key {
  const [, wildcard = "", name = ""] = /^(\*[.])?(.*?)[.]?$/.exec(text.trim()) ?? [];
  const ascii = hostOf(name);
  return ascii === undefined
    ? invalid(
        `must be a hostname of at most ${String(MOST_OF_NAME)} characters, ${String(MOST_OF_LABEL)} between dots, which can begin ` +
          `with "*.": ${quoted(text)} is none`,
      )
    : `${wildcard}${ascii}`;
}

/** A name in lower case and with punycode; undefined if it is none. */
function hostOf(name: string): string | undefined {
  const isAscii = /^[\x21-\x7e]*$/.test(name);
  // A URL's host is in punycode.
  const ascii = isAscii ? name.toLowerCase() : URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : "";
  return LABELS.test(ascii) && ascii.length <= MOST_OF_NAME ? ascii : undefined;
}

const SOURCE = "must be a URL of http or https with a hostname and a path only, such as example.com/old";
const MAX_URL = 32 * 1024;

/**
 * With the host in lower case and with punycode, and with a slash for no path, as the service stores it; any other path stays as
 * it is. https://github.com/cloudflare/terraform-provider-cloudflare/issues/3121,
 * https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/url-components/
 */
function sourceKey(text: string): Key {
  const [whole, scheme = "", host = "", path = ""] =
    /^(https?:\/\/)?([^/?#\s:@]+)(\/[^\s?#]*)?$/i.exec(text.trim()) ?? [];
  const ascii = hostOf(host);
  if (whole === undefined || ascii === undefined || whole.length > MAX_URL)
    return invalid(`${SOURCE}: ${quoted(text)} is none`);
  return `${scheme.toLowerCase()}${ascii}${path === "" ? "/" : path}`;
}

/** What would be a scheme and a number, which only telephones have. */
const HOST_AND_PORT = /^(?!(?:tel|sms|fax):)[^/?#:]+:\d{1,5}(?:[/?#]|$)/i;

function targetFault(target: Json | undefined, preservesQuery: boolean): string | undefined {
  const example = "such as https://example.com/new";
  if (typeof target === "string" && HOST_AND_PORT.test(target))
    return `begins with a host and a port: put https:// in front of it, ${example}`;
  const isUrl = typeof target === "string" && !/\s/.test(target) && URL.canParse(target) && target.length <= MAX_URL;
  if (!isUrl) return `must be a URL with a scheme, ${example}`;
  return preservesQuery && /^[^#]*\?/.test(target)
    ? "cannot have a query string if preserveQueryString is true"
    : undefined;
}

/** Where no browser lets a redirect lead, although the service takes any URL. */
const NOT_FOLLOWED = ["javascript:", "data:", "blob:", "file:", "vbscript:"];

/** The redirects to URLs that browsers do not follow, by source. */
export function findUnfollowedRedirects(items: Items): readonly (readonly [source: string, scheme: string])[] {
  return Object.entries(items).flatMap(([source, details]) => {
    const target = typeof details === "object" ? (details.target ?? "") : "";
    const scheme = URL.canParse(target) ? new URL(target).protocol : "";
    return NOT_FOLLOWED.includes(scheme) ? [[source, scheme]] : [];
  });
}

/**
 * What the service assumes: https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/parameters/ and
 * https://developers.cloudflare.com/api/resources/rules/subresources/lists/subresources/items/
 */
const ON_BY_DEFAULT: ReadonlySet<string> = new Set<keyof DetailFields>(["preservePathSuffix", "excludeExactHostname"]);

/** Details without what the service assumes anyway. */
function compact({ comment, status, preservePathSuffix, ...others }: DetailFields): Details {
  // The rest of a path is only there below the source.
  const switches = others.subpathMatching === true ? { preservePathSuffix, ...others } : others;
  const fields: DetailFields = {
    ...Object.fromEntries(
      Object.entries(switches).filter(
        ([name, value]: [string, unknown]) => value !== undefined && value !== ON_BY_DEFAULT.has(name),
      ),
    ),
    ...(status === undefined || status === DEFAULT_STATUS ? {} : { status }),
  };
  const note = comment ?? "";
  if (Object.keys(fields).length === 0) return note;
  return note === "" ? fields : { ...fields, comment: note };
}

/** An item as a program writes it: as the service has it if a check would refuse or change it. */
export function writtenItem(kind: string, key: string, details: Details): GivenItem {
  return isListKind(kind) && whyUnchecked(kind, key, details) === undefined
    ? plainItem(kind, key, details)
    : { wire: itemToWire(kind, key, details) };
}

/** Why a program can have an item only as the service has it; undefined if it can have it under our names. */
export function whyUnchecked(kind: ListKind, key: string, details: Details): string | undefined {
  if (typeof details === "object" && details.wire !== undefined)
    return `this version does not know its ${Object.keys(details.wire).join(", ")}`;
  const parsed = parseFields(kind, plainItem(kind, key, details) as Json);
  if (parsed.kind === "invalid") return `${parsed.field ?? "it"} ${parsed.reason}`;
  const isSame = parsed.key === key && sameJson(parsed.details, details);
  return isSame ? undefined : "a program would spell it otherwise";
}

function plainItem(kind: ListKind, key: string, details: Details): GivenItem {
  const fields = typeof details === "string" ? (details === "" ? {} : { comment: details }) : details;
  if (kind === "redirect") return { source: key, ...fields };
  const value = kind === "asn" ? Number(key) : key;
  return Object.keys(fields).length === 0 ? value : { value, ...fields };
}

const WIRE_NAMES = {
  status: "status_code",
  includeSubdomains: "include_subdomains",
  preservePathSuffix: "preserve_path_suffix",
  preserveQueryString: "preserve_query_string",
  subpathMatching: "subpath_matching",
  excludeExactHostname: "exclude_exact_hostname",
  target: "target_url",
} as const;
const OUR_NAMES = new Map<string, string>(Object.entries(WIRE_NAMES).map(([ours, theirs]) => [theirs, ours]));
/** What the key of an item is called. */
const KEY_NAMES = ["url_hostname", "source_url"];

/** An item as the service takes it. */
export function itemToWire(kind: string, key: string, details: Details): JsonObject {
  const { comment, wire, ...fields } = typeof details === "string" ? ({ comment: details } as DetailFields) : details;
  const noted = comment === undefined || comment === "" ? {} : { comment };
  if (!isListKind(kind)) return { ...wire, ...noted };
  const own = {
    ...Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [WIRE_NAMES[name as keyof typeof WIRE_NAMES], value as Json]),
    ),
    ...wire,
  };
  const value: Readonly<Record<ListKind, Json>> = {
    ip: key,
    asn: Number(key),
    hostname: { url_hostname: key, ...own },
    redirect: { source_url: key, ...own },
  };
  return { [kind]: value[kind], ...noted };
}

/** An item that the service returned: its ID, its key in our notation, and its details; undefined if it has another kind. */
export function itemFromWire(kind: string, wire: JsonObject): StoredItem | undefined {
  if (!isListKind(kind)) return itemOfUnknownKind(wire);
  const value = wire[kind];
  const fields = isObject(value) ? value : {};
  const key = kind === "hostname" ? fields.url_hostname : kind === "redirect" ? fields.source_url : value;
  if (typeof key !== "string" && typeof key !== "number") return undefined;
  const canonical = KEYS[kind](key);
  const given = Object.entries(fields).filter(([, field]) => field !== undefined && field !== null);
  const own = given.flatMap(([theirs, field]) => {
    const ours = OUR_NAMES.get(theirs);
    return ours === undefined ? [] : [[ours, field] as const];
  });
  const unknown = given.filter(([theirs]) => !OUR_NAMES.has(theirs) && !KEY_NAMES.includes(theirs));
  const wired = unknown.length === 0 ? {} : { wire: withoutNulls(Object.fromEntries(unknown)) };
  return {
    id: textOf(wire.id),
    // What the service stores is an item, whatever this version thinks of it.
    key: typeof canonical === "string" ? canonical : String(key),
    details: compact({ ...(Object.fromEntries(own) as DetailFields), ...wired, comment: textOf(wire.comment) }),
  };
}

/** An item by its only value, or by the text of all that it has. */
function itemOfUnknownKind(wire: JsonObject): StoredItem | undefined {
  const value = withoutNulls(omit(wire, ["id", "comment", "created_on", "modified_on"]));
  const [only, ...more] = Object.values(value);
  if (only === undefined) return undefined;
  const key = more.length > 0 || typeof only === "object" ? stableText(value) : String(only);
  return { id: textOf(wire.id), key, details: compact({ wire: value, comment: textOf(wire.comment) }) };
}

/** Null means the same as a missing field, and not every language of programs has it. */
function withoutNulls(object: JsonObject): JsonObject {
  const bare = (value: Json): Json => (isList(value) ? value.map(bare) : isObject(value) ? withoutNulls(value) : value);
  return mapFrom(
    Object.entries(object).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, bare(value)] as const],
    ),
  );
}

/** An item at the service. */
export interface StoredItem {
  readonly id: string;
  readonly key: string;
  readonly details: Details;
}
