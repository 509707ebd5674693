import {
  unknownKind,
  whyUnchecked,
  writtenItem,
  type Details,
  type GivenItem,
  type Items,
} from "../../../core/lists/item.js";
import { isListKind } from "../../../core/lists/kind.js";
import { parseItems, parseItemsFile } from "../../../core/lists/parse.js";
import { isList, isObject, sameJson, type Json, type JsonObject } from "../../../core/model/json.js";
import { literal, type Code, type Member } from "../code/code.js";
import { compare } from "../code/module.js";
import type { FoundList } from "../inventory.js";

/** From this number on, items are written to a file beside the program. */
const MANY = 50;

/** The items of a list in a program: written there, or in a file. */
type WrittenItems =
  | { readonly kind: "inline"; readonly value: Code }
  | { readonly kind: "file"; readonly extension: "csv" | "json"; readonly text: string };

/** Why items are in `wire`, where a preview does not check them. */
export function uncheckedItems({ kind, items }: FoundList): readonly string[] {
  if (!isListKind(kind)) return [unknownKind(kind)];
  return Object.entries<Details>(items).flatMap(([key, details]) => {
    const reason = whyUnchecked(kind, key, details);
    return reason === undefined ? [] : [`${key}: ${reason}`];
  });
}

/** The items, in an order that does not depend on that of the service. */
export function writeItems({ kind, items }: Pick<FoundList, "kind" | "items">): WrittenItems {
  const given = inOrder(kind, items);
  if (given.length < MANY)
    return { kind: "inline", value: { kind: "list", items: given.map((item) => itemCode(item as Json)) } };
  const csv = csvOf(given);
  // What a CSV file cannot say, such as half of a surrogate pair, JSON can.
  return isReadBack(kind, items, csv)
    ? { kind: "file", extension: "csv", text: csv }
    : {
        kind: "file",
        extension: "json",
        text: `[\n${given.map((item) => `  ${JSON.stringify(item)}`).join(",\n")}\n]\n`,
      };
}

function inOrder(kind: string, items: Items): GivenItem[] {
  return Object.entries<Details>(items)
    .sort(([one], [other]) => compare(one, other))
    .map(([key, details]) => writtenItem(kind, key, details));
}

function itemCode(item: Json): Code {
  if (isList(item)) return { kind: "list", items: item.map(itemCode) };
  if (!isObject(item)) return literal(item);
  const members = Object.entries(item).map(([key, value]): Member => ({ key, value: itemCode(value ?? null) }));
  return { kind: "object", members };
}

/** The columns of a file, of which it has those that an item needs. */
const COLUMNS = [
  "value",
  "source",
  "target",
  "status",
  "includeSubdomains",
  "preservePathSuffix",
  "preserveQueryString",
  "subpathMatching",
  "excludeExactHostname",
  "comment",
];

function csvOf(given: readonly GivenItem[]): string {
  const rows = given.map((item): JsonObject => (typeof item === "object" ? { ...item } : { value: item }));
  const columns = COLUMNS.filter((name) => rows.some((row) => row[name] !== undefined));
  return [columns, ...rows.map((row) => columns.map((name) => fieldText(row[name])))]
    .map((fields) => `${fields.join(",")}\n`)
    .join("");
}

function fieldText(value: Json | undefined): string {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a provider reads the same items from the file. */
function isReadBack(kind: string, items: Items, text: string): boolean {
  const read = parseItemsFile("items.csv", text, []);
  if (read.kind === "invalid") return false;
  const parsed = parseItems(kind, read.items);
  return parsed.faults.length === 0 && isObject(parsed.items) && sameJson(parsed.items, items);
}
