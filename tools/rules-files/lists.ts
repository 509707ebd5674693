import { listInputOf } from "../../core/lists/list-input.js";
import { parseItem } from "../../core/lists/item.js";
import type { ListKind } from "../../core/lists/kind.js";
import { isObject, mapFrom, type Json } from "../../core/model/json.js";
import type { Steps, TextDocument } from "./text/text-document.js";
import type { ListInput, ListsInput, RedirectInput } from "../../core/simulator/index.js";

/** Lists of redirects by name. */
export type RedirectLists = Readonly<Record<string, readonly RedirectInput[]>>;

/**
 * The lists beside rulesets in a document, as requests and tests have them: `lists: { office: ["192.0.2.0/24"] }` and
 * `redirectLists: { old: [{ sourceUrl, targetUrl }] }`. Undefined if there are none.
 * @throws Error with the line of the mistake
 */
export function listsOfDocument(document: TextDocument, value: object, at: Steps): ListsInput | undefined {
  const { lists, redirectLists } = value as Readonly<Record<string, unknown>>;
  if (lists === undefined && redirectLists === undefined) return undefined;
  const place = [...at, "lists"];
  if (lists !== undefined && !isObject(lists)) throw document.errorAt(place, "must be an object of lists by name");
  const redirects = readRedirectLists(document, redirectLists, [...at, "redirectLists"]) ?? {};
  return mapFrom<ListInput>([
    ...Object.entries(lists ?? {}).map(
      ([name, items]) => [name, readItems(document, items, [...place, name])] as const,
    ),
    ...Object.entries(redirects).map(([name, items]) => [name, { kind: "redirect", items }] as const),
  ]);
}

/** @throws Error with the line of the mistake */
export function readRedirectLists(document: TextDocument, value: unknown, at: Steps): RedirectLists | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw document.errorAt(at, "must be an object of lists of redirects by name");
  for (const [name, items] of Object.entries(value)) {
    if (!Array.isArray(items) || !(items as unknown[]).every(isObject))
      throw document.errorAt([...at, name], "must be a list of redirects with sourceUrl and targetUrl");
  }
  return value as RedirectLists;
}

/** The kinds that a value alone can be an item of. The first one that all items fit is the kind of a list. */
const KINDS = ["ip", "asn", "hostname"] as const satisfies readonly ListKind[];

function readItems(document: TextDocument, value: unknown, at: Steps): ListInput {
  if (!Array.isArray(value)) throw document.errorAt(at, "must be a list of addresses, hostnames or AS numbers");
  const items = value as readonly Json[];
  const parsed = (kind: ListKind) => items.map((item) => parseItem(kind, item));
  const kind = KINDS.find((one) => parsed(one).every((item) => item.kind === "item"));
  if (kind === undefined) {
    const wrong = items.findIndex((item) => KINDS.every((one) => parseItem(one, item).kind === "invalid"));
    if (wrong >= 0)
      throw document.errorAt([...at, wrong], "must be an IP address or range, a hostname or an AS number");
    throw document.errorAt(at, "must have items of one kind: IP addresses and ranges, hostnames, or AS numbers");
  }
  const known = parsed(kind).flatMap((item) => (item.kind === "item" ? [[item.key, item.details] as const] : []));
  return listInputOf(kind, mapFrom(known));
}
