import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { stableText, type Json } from "../model/json.js";

/*
 * Many texts as columns: what texts of one kind have in common, their lengths and their ends compress to almost nothing apart from
 * the characters between, and need no separators.
 */

/** A higher quality makes it hardly smaller. */
const QUALITY = 6;
/** As long as a byte is this one, the number goes on in the next. */
const MORE = 255;
const LENGTH_BYTES = 4;

/** In front of JSON: no value of an item begins with it, and no comment that a program gives. */
const JSON_MARK = "\0";

/** A text as it is, and anything else in JSON, also what is not valid in UTF-8. */
export function plainText(value: Json | undefined): string {
  const isPlain = typeof value === "string" && !value.startsWith(JSON_MARK) && !/\p{Cs}/u.test(value);
  return isPlain ? value : `${JSON_MARK}${stableText(value)}`;
}

/** The opposite of `plainText`. */
export function plainValue(text: string): Json {
  return text.startsWith(JSON_MARK) ? (JSON.parse(text.slice(JSON_MARK.length)) as Json) : text;
}

/** Columns in one, each compressed alone. */
export function joinColumns(columns: readonly Buffer[]): Buffer {
  return Buffer.concat(
    columns.flatMap((column) => {
      const compressed = brotliCompressSync(column, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(compressed.length);
      return [length, compressed];
    }),
  );
}

/** The opposite of `joinColumns`. */
export function splitColumns(bytes: Buffer): Buffer[] {
  const columns: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + LENGTH_BYTES;
    at = start + bytes.readUInt32BE(at);
    columns.push(brotliDecompressSync(bytes.subarray(start, at)));
  }
  return columns;
}

/** The number of columns of texts in order. */
export const ORDERED_COLUMNS = 5;
/** The last label of a hostname, also in front of the path of a redirect's source. */
const LAST_LABEL = /\.[a-z][^./]*\/?$/;

/** Texts in order, each without what it has in common with the one before it. */
export function orderedColumns(texts: readonly string[]): Buffer[] {
  const tails = texts.map((text) => LAST_LABEL.exec(text)?.[0] ?? "");
  const heads = texts.map((text, index) => text.slice(0, text.length - (tails[index]?.length ?? 0)));
  const common = heads.map((head, index) => commonLength(heads[index - 1] ?? "", head));
  const rests = heads.map((head, index) => head.slice(common[index]));
  return [numberColumn(common), lengthColumn(heads), lengthColumn(tails), textColumn(rests), textColumn(tails)];
}

/** The opposite of `orderedColumns`. */
export function orderedTexts([common, heads, tails, rests, ends]: readonly Buffer[]): string[] {
  const shared = numbersIn(common);
  const restTexts = textsOf(
    numbersIn(heads).map((length, index) => length - (shared[index] ?? 0)),
    rests,
  );
  const endTexts = textsOf(numbersIn(tails), ends);
  let last = "";
  return restTexts.map((rest, index) => {
    last = last.slice(0, shared[index]) + rest;
    return last + (endTexts[index] ?? "");
  });
}

/** The number of columns of texts in any order. */
export const TEXT_COLUMNS = 2;

/** Texts in any order. */
export function textColumns(texts: readonly string[]): Buffer[] {
  return [lengthColumn(texts), textColumn(texts)];
}

/** The opposite of `textColumns`. */
export function textsIn([lengths, texts]: readonly Buffer[]): string[] {
  return textsOf(numbersIn(lengths), texts);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  // Half of a pair of surrogates is no text.
  return /[\uD800-\uDBFF]/.test(one.charAt(length - 1)) ? length - 1 : length;
}

const lengthColumn = (texts: readonly string[]): Buffer => numberColumn(texts.map(({ length }) => length));
const textColumn = (texts: readonly string[]): Buffer => Buffer.from(texts.join(""));

function textsOf(lengths: readonly number[], column: Buffer = Buffer.alloc(0)): string[] {
  const all = column.toString();
  let end = 0;
  return lengths.map((length) => all.slice(end, (end += length)));
}

/** Numbers from zero on, in bytes. */
function numberColumn(numbers: readonly number[]): Buffer {
  return Buffer.from(
    numbers.flatMap((number) => [...Array.from({ length: Math.floor(number / MORE) }, () => MORE), number % MORE]),
  );
}

/** The opposite of `numberColumn`. */
function numbersIn(column: Buffer = Buffer.alloc(0)): number[] {
  let sum = 0;
  return [...column].flatMap((byte) => {
    sum += byte;
    if (byte === MORE) return [];
    const number = sum;
    sum = 0;
    return [number];
  });
}
