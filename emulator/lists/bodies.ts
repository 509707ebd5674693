import { isIP, isIPv4 } from "node:net";
import { bodyCheck, boolean, nonEmpty, listOf, object, oneOf, string, text, type CodesByPointer } from "../body.js";
import type { Body } from "../call.js";
import { invalidValue, refuse } from "../failure.js";
import { KINDS, type Kind, type SentItem } from "./model.js";

const CODES: CodesByPointer = [["", 10_001]];
const description = { type: "string", maxLength: 500 };

export const checkNewList = bodyCheck(
  object({ name: { type: "string", pattern: "^[a-z0-9_]{1,50}$" }, kind: oneOf(...KINDS), description }, [
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
  return sent.map((each) => {
    if (Array.isArray(each)) throw refuse(400, 10_001, "an item must be an object");
    const { comment: note, ...body } = checks[kind](each);
    const value = kind === "ip" ? addressOf(text(body.ip)) : body[kind];
    return { key: keyOf(kind, value), value, ...(note === undefined ? {} : { comment: text(note) }) };
  });
}

function keyOf(kind: Kind, value: unknown): string {
  if (kind === "hostname") return text((value as Body).url_hostname).toLowerCase();
  if (kind === "redirect") return text((value as Body).source_url);
  return String(value);
}

/** An IP address, or a CIDR range. */
function addressOf(sent: string): string {
  const [address = "", prefix, ...more] = sent.toLowerCase().split("/");
  const most = isIPv4(address) ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= most);
  if (isIP(address) === 0 || more.length > 0 || !isPrefix)
    throw invalidValue(sent, "ip", "it must be an IP address or a range in CIDR", { code: 10_001, pointer: "/ip" });
  return prefix === undefined || Number(prefix) === most ? address : `${address}/${prefix}`;
}
