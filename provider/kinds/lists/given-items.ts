import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Items } from "../../../core/lists/item.js";
import {
  parseItems,
  parseItemsFile,
  writtenItems,
  type ParsedItems,
  type WrittenItem,
} from "../../../core/lists/parse.js";
import { isList, type Json } from "../../../core/model/json.js";
import { isUnknown, NOT_KNOWN, type NotKnown } from "../../../core/model/unknown.js";
import { utf8Text } from "../../../core/model/utf8.js";

/** The items of the arguments; one fault if the file cannot be read. */
export function readItems(kind: string, items: Json | undefined, file: Json | undefined): ParsedItems | NotKnown {
  if (isUnknown(items) || isUnknown(file)) return NOT_KNOWN;
  if (typeof file === "string") {
    const written = readFile(file);
    if (typeof written !== "string") return parseItems(kind, written);
    const faults = [{ severity: "error", path: ["itemsFile"], message: written }] as const;
    return { items: {}, hasUnknown: false, faults, unchecked: [] };
  }
  return parseItems(kind, isList(items) ? writtenItems(items) : []);
}

/** The items in a file, or why it cannot be read. */
function readFile(file: string): readonly WrittenItem[] | string {
  try {
    const text = utf8Text(readFileSync(resolve(file)));
    if (text === undefined) return `${file} is not UTF-8, so its comments would be written wrong: save it as UTF-8`;
    const parsed = parseItemsFile(file, text, ["itemsFile"]);
    return parsed.kind === "items" ? parsed.items : parsed.reason;
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}

/** All items of the arguments, if all are known and valid. */
export function knownItems(kind: string | NotKnown, given: Json | undefined, file: Json | undefined): Items | NotKnown {
  if (kind === NOT_KNOWN) return NOT_KNOWN;
  const parsed = readItems(kind, given, file);
  return parsed === NOT_KNOWN || parsed.hasUnknown || parsed.faults.length > 0 ? NOT_KNOWN : parsed.items;
}
