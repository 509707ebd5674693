import type { Rulesets } from "../../core/files/generated/validate-rulesets.js";
import { listInputOf } from "../../core/lists/list-input.js";
import { parseItem } from "../../core/lists/item.js";
import type { ListKind } from "../../core/lists/kind.js";
import { mapFrom, type Json } from "../../core/model/json.js";
import type { Steps, TextDocument } from "./text/text-document.js";
import type { ListInput, ListsInput } from "../../core/simulator/index.js";

/**
 * The lists beside rulesets in a document: `lists: { office: ["192.0.2.0/24"] }` and `redirectLists: { old: [{ sourceUrl, targetUrl }] }`.
 * Undefined if there are none.
 * @throws Error with the line of the mistake
 */
export function listsOfDocument(
  document: TextDocument,
  { lists, redirectLists }: Pick<Rulesets, "lists" | "redirectLists">,
  at: Steps,
): ListsInput | undefined {
  if (lists === undefined && redirectLists === undefined) return undefined;
  return mapFrom<ListInput>([
    ...Object.entries(lists ?? {}).map(
      ([name, items]) => [name, readItems(document, items, [...at, "lists", name])] as const,
    ),
    ...Object.entries(redirectLists ?? {}).map(([name, items]) => [name, { kind: "redirect", items }] as const),
  ]);
}

/** The kinds that a value alone can be an item of. The first one that all items fit is the kind of a list. */
const KINDS = ["ip", "asn", "hostname"] as const satisfies readonly ListKind[];

function readItems(document: TextDocument, items: readonly Json[], at: Steps): ListInput {
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
