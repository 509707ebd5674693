import { bitsOf, formatIp, networkOf, parseIp } from "../../core/language/ip.js";
import { bodyCheck, boolean, nonEmpty, listOf, object, oneOf, string, text, type CodesByPointer } from "../body.js";
import type { Body } from "../call.js";
import { invalidValue, refuse, type ServiceError } from "../failure.js";
import { KINDS, type Kind, type SentItem } from "./model.js";

const CODES: CodesByPointer = [["", 10_001]];
const description = { type: "string", maxLength: 500 };

export const checkNewList = bodyCheck(
  object({ name: { type: "string", pattern: "^[a-zA-Z0-9_]{1,50}$" }, kind: oneOf(...KINDS), description }, [
    "name",
    "kind",
  ]),
  CODES,
);
export const checkList = bodyCheck(object({ description }), CODES);
export const checkDelete = bodyCheck(
  object({ items: listOf(object({ id: { ...nonEmpty, maxLength: 36 } }, ["id"]), { minItems: 1 }) }, ["items"]),
  CODES,
);

const comment = { type: "string", maxLength: 500 };
const redirect = object(
  {
    source_url: nonEmpty,
    target_url: nonEmpty,
    include_subdomains: boolean,
    preserve_path_suffix: boolean,
    preserve_query_string: boolean,
    status_code: oneOf(301, 302, 307, 308),
    subpath_matching: boolean,
  },
  ["source_url", "target_url"],
);
const hostname = object({ url_hostname: nonEmpty, exclude_exact_hostname: boolean }, ["url_hostname"]);
const checks: Readonly<Record<Kind, (body: Body) => Body>> = {
  ip: bodyCheck(object({ ip: string, comment }, ["ip"]), CODES),
  asn: bodyCheck(object({ asn: { type: "integer", minimum: 0, maximum: 4_294_967_295 }, comment }, ["asn"]), CODES),
  hostname: bodyCheck(object({ hostname, comment }, ["hostname"]), CODES),
  redirect: bodyCheck(object({ redirect, comment }, ["redirect"]), CODES),
};

/** The items of a body, checked against the kind of the list. */
export function itemsOf(sent: readonly Body[], kind: Kind): SentItem[] {
  const items = sent.map((each): SentItem => {
    if (Array.isArray(each)) throw refuse(400, 10_001, "an item must be an object");
    const { comment: note, ...body } = checks[kind](each);
    if (kind === "redirect") checkRedirect(body.redirect as Body);
    if (kind === "hostname") checkHostname(text((body.hostname as Body).url_hostname));
    const value = valueOf(kind, body);
    return { key: keyOf(kind, value), value, ...(note === undefined ? {} : { comment: text(note) }) };
  });
  // https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-10xxx-errors/error-10028/
  if (new Set(items.map(({ key }) => key)).size < items.length)
    throw refuse(400, 10_028, "the add list items operation contains duplicate items");
  return items;
}

/** A value as the service stores it. */
function valueOf(kind: Kind, body: Body): unknown {
  if (kind === "ip") return addressOf(text(body.ip));
  if (kind !== "redirect") return body[kind];
  const redirect = body.redirect as Body;
  const source = text(redirect.source_url);
  // https://github.com/cloudflare/terraform-provider-cloudflare/issues/3121
  // It returns switches whether they were sent or not. https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/parameters/
  const { subpath_matching = false } = redirect;
  const unsent = { include_subdomains: false, preserve_path_suffix: subpath_matching, preserve_query_string: false };
  return {
    ...unsent,
    subpath_matching,
    ...redirect,
    source_url: /^(https?:\/\/)?[^/]+$/i.test(source) ? `${source}/` : source,
  };
}

function keyOf(kind: Kind, value: unknown): string {
  if (kind === "hostname") return text((value as Body).url_hostname).toLowerCase();
  // A host is the same in capitals.
  if (kind === "redirect")
    return text((value as Body).source_url).replace(/^(?:https?:\/\/)?[^/]+/i, (host) => host.toLowerCase());
  return String(value);
}

/** https://developers.cloudflare.com/waf/tools/lists/lists-api/json-object/, and for IPv6 https://developers.cloudflare.com/waf/tools/lists/custom-lists/ */
const PREFIXES = { 4: { least: 2, most: 32 }, 6: { least: 12, most: 128 } };

/**
 * An IP address or a range in CIDR, as the service stores it: without the bits of the host, IPv6 in its short form, and a range
 * of one address as that address. https://github.com/cloudflare/terraform-provider-cloudflare/issues/6242
 */
function addressOf(sent: string): string {
  const [first = "", prefix, ...more] = sent.split("/");
  const address = parseIp(first);
  if (address === undefined || more.length > 0)
    throw invalidItem(sent, "ip", "it must be an IP address or a range in CIDR");
  if (prefix === undefined) return formatIp(address);
  const { least, most } = PREFIXES[address.version];
  const bits = Number(prefix);
  if (!/^[1-9]\d{0,2}$/.test(prefix) || bits < least || bits > most) {
    const reason = `a range of IPv${String(address.version)} must have a prefix from /${String(least)} to /${String(most)}`;
    throw invalidItem(sent, "ip", reason);
  }
  const network = formatIp(networkOf(address, bits).first);
  return bits === bitsOf(address) ? network : `${network}/${prefix}`;
}

const MAX_URL_LENGTH = 32 * 1024;
const HOSTNAME = String.raw`(?=[^/?#]{1,253}(?:[/?#]|$))(?:[\p{L}\p{N}_-]{1,63}\.)+[\p{L}\p{N}-]{1,63}`;
/** Scheme, host and path. */
const SOURCE = new RegExp(String.raw`^(?:https?://)?${HOSTNAME}(?:/[^\s?#]*)?$`, "iu");

/**
 * Rejects URLs with parts that a redirect cannot have:
 * https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/reference/url-components/
 */
function checkRedirect(redirect: Body): void {
  const { source_url, target_url, preserve_query_string } = redirect;
  const [source, target] = [text(source_url), text(target_url)];
  const tooLong = `it is longer than ${String(MAX_URL_LENGTH)} bytes`;
  if (source.length > MAX_URL_LENGTH) throw invalidItem(source, "source_url", tooLong);
  if (target.length > MAX_URL_LENGTH) throw invalidItem(target, "target_url", tooLong);
  if (!SOURCE.test(source))
    throw invalidItem(source, "source_url", "it must be a URL of http or https with a host and a path only");
  if (/\s/.test(target) || !URL.canParse(target))
    throw invalidItem(target, "target_url", "it must be a URL with a scheme");
  if (preserve_query_string === true && /^[^#]*\?/.test(target))
    throw invalidItem(target, "target_url", "it cannot have a query string with preserve_query_string");
  // https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-10xxx-errors/error-10048/
  if (redirect.preserve_path_suffix === true && redirect.subpath_matching !== true)
    throw refuse(400, 10_048, "preserve_path_suffix requires subpath_matching");
}

/** https://developers.cloudflare.com/waf/tools/lists/custom-lists/#lists-with-hostnames */
function checkHostname(name: string): void {
  if (!new RegExp(String.raw`^(?:\*\.)?${HOSTNAME}$`, "iu").test(name))
    throw invalidItem(name, "url_hostname", "it must be a domain name, which can begin with *.");
}

function invalidItem(value: string, field: string, reason: string): ServiceError {
  return invalidValue(value, field, reason, { code: 10_001, pointer: `/${field}` });
}
