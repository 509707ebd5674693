import { brotliDecompressSync } from "node:zlib";
import { mapFrom, parseJson, type Json, type JsonObject } from "../model/json.js";
import { from85, fromText, toText } from "./dense-text.js";
import {
  joinColumns,
  ORDERED_COLUMNS,
  orderedColumns,
  orderedTexts,
  plainText,
  plainValue,
  splitColumns,
  TEXT_COLUMNS,
  textColumns,
  textsIn,
} from "./text-columns.js";

/*
 * The text of a large map in a state: keys in order, because another order would take more than a byte an item, then the values,
 * compressed.
 */

/** In front of the text. Without a mark, it is the compressed JSON in base64 that states had first. */
const MARK = "=";
/** In front of what states had after that: a line for each key and each value. */
const LINES = "~";

export function packedText(map: JsonObject): string {
  const names = Object.keys(map).sort();
  const columns = [...orderedColumns(names.map(plainText)), ...textColumns(names.map((name) => plainText(map[name])))];
  return `${MARK}${toText(joinColumns(columns))}`;
}

/** The opposite of `packedText`; undefined for any other text. */
export function mapOfText(text: string): Json | undefined {
  try {
    if (text.startsWith(MARK)) return mapOfColumns(splitColumns(fromText(text.slice(MARK.length))));
    if (text.startsWith(LINES)) return mapOfLines(brotliDecompressSync(from85(text.slice(LINES.length))).toString());
    return parseJson(brotliDecompressSync(Buffer.from(text, "base64")).toString()) as Json | undefined;
  } catch {
    return undefined;
  }
}

function mapOfColumns(columns: readonly Buffer[]): JsonObject | undefined {
  if (columns.length !== ORDERED_COLUMNS + TEXT_COLUMNS) return undefined;
  const [names, values] = [orderedTexts(columns), textsIn(columns.slice(ORDERED_COLUMNS))];
  if (names.length !== values.length) return undefined;
  return mapFrom(names.map((name, index) => [plainValue(name) as string, plainValue(values[index] ?? "")] as const));
}

/** Of a line, the first character says how many characters of the last key this one begins with. */
const BASE = 36;

function mapOfLines(text: string): JsonObject {
  const end = text.indexOf("\n\n");
  const values = text.slice(end + 2).split("\n");
  let last = "";
  return mapFrom(
    text
      .slice(0, end)
      .split("\n")
      .filter((line) => line !== "")
      .map((line, index) => {
        last = `${last.slice(0, Number.parseInt(line.charAt(0), BASE))}${JSON.parse(`"${line.slice(1)}"`) as string}`;
        const value = values[index] ?? "";
        return [last, value === "" ? "" : (JSON.parse(value) as Json)] as const;
      }),
  );
}
