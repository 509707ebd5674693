import type { ArgumentFinding, Findings } from "../model/failure.js";
import { isObject, mapFrom, type Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import { hasUnknown } from "../model/unknown.js";
import { isUncheckedItem, parseItem, type Details, type Items } from "./item.js";
import { late } from "../model/late.js";

/** An item as it is written, and where. */
export interface WrittenItem {
  readonly given: Json | undefined;
  /** The path in the arguments. */
  readonly path: Path;
  /** The place in a file: `blocked.csv:7`. */
  readonly place?: string;
}

export interface ParsedItems {
  readonly items: Items;
  /** Whether some are not known yet, so that `items` is not complete. */
  readonly hasUnknown: boolean;
  readonly faults: Findings;
  /** Those that are sent as they are. */
  readonly unchecked: readonly WrittenItem[];
}

/** Parses the items of a list; the same value twice is a mistake, because the service would keep only one of them. */
export function parseItems(kind: string, written: readonly WrittenItem[]): ParsedItems {
  const items: [string, Details][] = [];
  const places = new Map<string, WrittenItem>();
  const faults: ArgumentFinding[] = [];
  let unknown = false;
  for (const item of written) {
    // Files have none, and may be nested however deep.
    if (!("place" in item) && hasUnknown(item.given)) {
      unknown = true;
      continue;
    }
    const parsed = parseItem(kind, item.given);
    if (parsed.kind === "invalid") {
      faults.push(fault(item, parsed.reason, parsed.field));
      continue;
    }
    const before = places.get(parsed.key);
    if (before === undefined) {
      places.set(parsed.key, item);
      items.push([parsed.key, parsed.details]);
    } else faults.push(fault(item, `is ${parsed.key}, as ${placeOf(before)} is. Keep one of them`));
  }
  const unchecked = written.filter(({ given }) => isUncheckedItem(given));
  return { items: mapFrom(items), hasUnknown: unknown, faults, unchecked };
}

function fault({ path, place }: WrittenItem, reason: string, field?: string): ArgumentFinding {
  const inside = field === undefined ? path : [...path, field];
  if (place === undefined) return { severity: "error", path: inside, message: reason };
  return { severity: "error", path, message: `${place}: ${field === undefined ? "" : `${field} `}${reason}` };
}

function placeOf({ path, place }: WrittenItem): string {
  return place ?? `${String(path[0])}[${String(path[1])}]`;
}

/** The items of a file, each with its line; or why it cannot be read as one. */
type FileItems =
  | { readonly kind: "items"; readonly items: readonly WrittenItem[] }
  | { readonly kind: "invalid"; readonly reason: string };

/**
 * Reads a file of items: `.csv` with a header of field names, `.json` with an array, otherwise a value on each line, where `#` begins
 * its comment.
 */
export function parseItemsFile(file: string, text: string, path: Path): FileItems {
  const name = file.toLowerCase();
  if (name.endsWith(".json")) return fromJson(file, text.replace(/^\ufeff/, ""), path);
  return name.endsWith(".csv") ? fromCsv(file, text, path) : fromLines(file, text, path);
}

/** Only for a file that needs it. */
const loadCsv = late<typeof import("csv-parse/sync")>(() => require("csv-parse/sync"));

const CSV_OPTIONS = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  trim: true,
  record_delimiter: ["\r\n", "\n", "\r"],
};

/** Fields in any order; an empty one is a missing one. What has no header is not taken for a list without items. */
function fromCsv(file: string, text: string, path: Path): FileItems {
  let header: readonly string[] = [];
  const columns = (names: string[]): string[] => {
    header = names;
    return names;
  };
  try {
    // With `info`, the library returns each record with its place, which its types do not say.
    const records: readonly unknown[] = loadCsv().parse(text, { ...CSV_OPTIONS, columns });
    if (!header.includes("value") && !header.includes("source"))
      return {
        kind: "invalid",
        reason: `the first line of ${file} must name the fields, such as value,comment or source,target, with commas between them`,
      };
    const repeated = header.find((name, index) => name !== "" && header.indexOf(name) !== index);
    if (repeated !== undefined)
      return { kind: "invalid", reason: `the first line of ${file} names the field ${repeated} twice` };
    return {
      kind: "items",
      items: records.filter(isObject).map(({ record, info }) => ({
        given: isObject(record) ? Object.fromEntries(Object.entries(record).flatMap(csvField)) : null,
        path,
        place: `${file}:${isObject(info) && typeof info.lines === "number" ? String(info.lines) : ""}`,
      })),
    };
  } catch (error) {
    return { kind: "invalid", reason: `${file} is not valid CSV: ${(error as Error).message}` };
  }
}

function csvField([name, value]: [string, unknown]): [string, Json][] {
  if (typeof value !== "string" || value === "") return [];
  if (name === "comment") return [[name, value]];
  if (/^(true|false)$/i.test(value)) return [[name, value.toLowerCase() === "true"]];
  return [[name, name === "status" && /^\d+$/.test(value) ? Number(value) : value]];
}

function fromJson(file: string, text: string, path: Path): FileItems {
  try {
    const value = JSON.parse(text) as Json;
    if (Array.isArray(value)) {
      // Only mistakes need them.
      let lines: readonly number[] | undefined;
      const placeAt = (index: number): string =>
        `${file}[${String(index)}] (line ${String((lines ??= linesOfItems(text))[index])})`;
      const items = value.map((given: Json, index) => ({
        given,
        path,
        get place() {
          return placeAt(index);
        },
      }));
      return { kind: "items", items };
    }
    return { kind: "invalid", reason: `${file} must contain an array, as in \`items\`` };
  } catch (error) {
    return { kind: "invalid", reason: `${file} is not valid JSON: ${(error as Error).message}` };
  }
}

const JSON_TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},\n]|[^\s"[\]{},]+/g;

/** The lines on which the items of a JSON array begin. */
function linesOfItems(text: string): number[] {
  const lines: number[] = [];
  let [line, depth, isNext] = [1, 0, true];
  for (const [token] of text.matchAll(JSON_TOKENS)) {
    if (token === "\n") {
      line += 1;
      continue;
    }
    if (depth === 1 && isNext) lines.push(line);
    if (depth === 1) isNext = token === ",";
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
  }
  return lines;
}

/**
 * `192.0.2.7  # office Berlin`: what follows the value is its comment. A file that was never filled is not taken for a list without
 * items: one of these has a comment.
 */
function fromLines(file: string, text: string, path: Path): FileItems {
  if (text.trim() === "")
    return {
      kind: "invalid",
      reason: `${file} is empty: for a list without items, write a line that begins with # into it`,
    };
  const items = text.split(/\r\n?|\n/).flatMap((line, index) => {
    const [before = "", ...after] = line.split("#");
    const [value, comment] = [before.trim(), after.join("#").trim()];
    if (value === "") return [];
    const given = comment === "" ? value : { value, comment };
    return [{ given, path, place: `${file}:${String(index + 1)}` }];
  });
  return { kind: "items", items };
}

/** The items of an argument. */
export function writtenItems(items: readonly Json[]): WrittenItem[] {
  return items.map((given, index) => ({ given: withoutEngineNames(given), path: ["items", index] }));
}

/** The engine adds `__defaults` to objects of other providers. */
function withoutEngineNames(given: Json): Json {
  if (!isObject(given) || given.__defaults === undefined) return given;
  const { __defaults: _engine, ...own } = given;
  return own;
}
