import { brotliDecompressSync } from "node:zlib";
import {
  areDigestsOf,
  areLongEnough,
  asItems,
  detailsFrom,
  digestsIn,
  digestsOf,
  digitsIn,
  HEAD_DIGITS,
  hexOf,
  keyFrom,
} from "../lists/digests.js";
import type { Items } from "../lists/item.js";
import { mapFrom } from "../model/json.js";
import { from85, fromText, toText } from "./dense-text.js";
import {
  joinColumns,
  numberColumn,
  numbersIn,
  ORDERED_COLUMNS,
  orderedColumns,
  orderedTexts,
  plainText,
  plainValue,
  splitColumns,
} from "./text-columns.js";

/*
 * The text of the digests of items. It has the digest of all, the number of items, and the digits of each. Columns have what is in
 * order: values, or the first digits of digests, as distances from the one before, which take hardly more than half a byte.
 */

/** In front of the text. */
const MARK = ":";
/** In front of those that earlier versions wrote, in 85 characters, and their numbers of digits. */
const EARLIER_DIGITS: Readonly<Record<string, string>> = { "!": "d0", "?": "d6" };
const COUNT_DIGITS = 6;
/** So many of each digest of a value are stored as a distance. */
const STEP_DIGITS = 4;

/**
 * Digests of the entries, in the place of a map that the inputs beside it have, in the shortest form; undefined where none can be.
 * @param salt for new digests
 * @param before the text in the last state, which stays as long as the items do
 */
export function digestText(items: Items, salt: string, before?: unknown): string | undefined {
  if (typeof before === "string" && isDigestText(before)) {
    const held = digestsIn(mapOfDigests(before) ?? {});
    if (held !== undefined && areLongEnough(held) && areDigestsOf(held, items)) return before;
  }
  const hasDetails = Object.values(items).some((details) => details !== "");
  const texts = (hasDetails ? [true, false] : [true]).flatMap(
    (ofValues) => textOf(digestsOf(items, salt, ofValues)) ?? [],
  );
  return texts.toSorted((one, other) => one.length - other.length)[0];
}

function textOf(digests: ReturnType<typeof digestsOf>): string | undefined {
  if (digests === undefined) return undefined;
  const { head, each } = digests;
  const digits = digitsIn(head);
  const keys = Object.keys(each).sort();
  const rest = keys.map((key) => keyRest(digits.key, key) + hexOf(each[key]).padStart(digits.details, "0"));
  const count = keys.length.toString(16).padStart(COUNT_DIGITS, "0");
  const bytes = Buffer.from(evenHex(`${head}${count}${rest.join("")}`), "hex");
  const columns =
    digits.key === 0
      ? orderedColumns(keys.map(plainText))
      : [stepsOf(keys.map((key) => hexOf(key).slice(0, STEP_DIGITS)))];
  return `${MARK}${toText(Buffer.concat([bytes, joinColumns(columns)]))}`;
}

const keyRest = (digits: number, key: string): string => (digits === 0 ? "" : hexOf(key).slice(STEP_DIGITS));
const evenHex = (hex: string): string => `${hex}${"0".repeat(hex.length % 2)}`;

/** Whether a text is one of digests. */
export function isDigestText(text: string): boolean {
  return text.startsWith(MARK) || text.charAt(0) in EARLIER_DIGITS;
}

/** The opposite of `digestText`; undefined for a text that is damaged. */
export function mapOfDigests(text: string): Items | undefined {
  const [mark, content] = [text.charAt(0), text.slice(1)];
  const earlier = EARLIER_DIGITS[mark];
  try {
    if (earlier === undefined) return mapOf(fromText(content), splitColumns);
    const bytes = from85(content);
    bytes.write(earlier, HEAD_DIGITS / 2 - 1, "hex");
    return mapOf(bytes, (rest) => [brotliDecompressSync(rest)]);
  } catch {
    return undefined;
  }
}

function mapOf(bytes: Buffer, columnsIn: (bytes: Buffer) => readonly Buffer[]): Items | undefined {
  const hex = bytes.toString("hex");
  const head = hex.slice(0, HEAD_DIGITS);
  const digits = digitsIn(head);
  const keyWidth = Math.max(digits.key - STEP_DIGITS, 0);
  const width = keyWidth + digits.details;
  const start = HEAD_DIGITS + COUNT_DIGITS;
  const count = Number.parseInt(hex.slice(HEAD_DIGITS, start), 16);
  const rest = hex.slice(start, start + width * count);
  const columns = columnsIn(bytes.subarray(evenHex(hex.slice(0, start + rest.length)).length / 2));
  if (columns.length !== (digits.key === 0 ? ORDERED_COLUMNS : 1)) return undefined;
  const keys =
    digits.key === 0
      ? orderedTexts(columns).map((text) => plainValue(text) as string)
      : startsIn(columns[0]).map((first, index) =>
          keyFrom(first + rest.slice(index * width, index * width + keyWidth)),
        );
  const each = keys.map(
    (key, index) => [key, detailsFrom(rest.slice(index * width + keyWidth, (index + 1) * width))] as const,
  );
  const isWhole = keys.length === count && new Set(keys).size === count && rest.length === width * count;
  return isWhole ? asItems({ head, each: mapFrom(each) }) : undefined;
}

/** The distances of numbers in order, which are given in hex. */
function stepsOf(starts: readonly string[]): Buffer {
  const numbers = starts.map((start) => Number.parseInt(start, 16));
  return numberColumn(numbers.map((number, index) => number - (numbers[index - 1] ?? 0)));
}

/** The opposite of `stepsOf`. */
function startsIn(column: Buffer | undefined): string[] {
  let sum = 0;
  return numbersIn(column).map((step) => (sum += step).toString(16).padStart(STEP_DIGITS, "0"));
}
