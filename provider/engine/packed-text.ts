import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import {
  areDigestsOf,
  asItems,
  DETAIL_DIGITS,
  detailsFrom,
  digestsIn,
  digestsOf,
  HEAD_DIGITS,
  hexOf,
  KEY_DIGITS,
  keyFrom,
} from "../lists/digests.js";
import type { Items } from "../lists/item.js";
import { mapFrom, parseJson, stableText, type Json, type JsonObject } from "../model/json.js";

/*
 * The text of a large map in a state: keys in order, each without what it has in common with the one before it, then the values,
 * compressed, in 85 characters that JSON does not escape. Sorting alone saves more than a byte an item, because no order is stored.
 */

/** A higher quality makes it hardly smaller. */
const QUALITY = 6;
/** In front of the text. Without it, it is the compressed JSON in base64 that states had before. */
const MARK = "~";
/** In front of digests of keys, and of keys and values: the digits of the values. */
const DIGESTS = { "!": 0, "?": DETAIL_DIGITS };
const COUNT_DIGITS = 8;
/** So many of each digest are stored as its distance from the one before. */
const STEP_DIGITS = 4;
/** As long as a byte is this one, the distance goes on in the next. */
const MORE = 255;

/**
 * Digests of the entries, in the place of a map that the inputs beside it have; undefined where that cannot be. They are in order,
 * so that their first digits, as distances, take hardly more than half a byte.
 * @param salt for new digests
 * @param before the text in the state before, which stays as long as the items do
 */
export function digestText(items: Items, salt: string, before?: unknown): string | undefined {
  if (typeof before === "string" && isDigestText(before)) {
    const held = digestsIn((mapOfText(before) ?? {}) as Items);
    if (held !== undefined && areDigestsOf(held, items)) return before;
  }
  const digests = digestsOf(items, salt);
  if (digests === undefined) return undefined;
  const mark = Object.values(items).every((details) => details === "") ? "!" : "?";
  const entries = Object.entries(digests.each)
    .map(([key, details]) => `${hexOf(key, KEY_DIGITS)}${hexOf(details, DIGESTS[mark])}`)
    .sort();
  const steps = stepsOf(entries.map((entry) => Number.parseInt(entry.slice(0, STEP_DIGITS), 16)));
  const count = entries.length.toString(16).padStart(COUNT_DIGITS, "0");
  const rest = entries.map((entry) => entry.slice(STEP_DIGITS)).join("");
  const bytes = Buffer.from(evenHex(`${digests.head}${count}${rest}`), "hex");
  return `${mark}${encode(Buffer.concat([bytes, compress(Buffer.from(steps))]))}`;
}

const evenHex = (hex: string): string => `${hex}${"0".repeat(hex.length % 2)}`;

/** Whether a text is one of digests. */
export function isDigestText(text: string): boolean {
  return text.charAt(0) in DIGESTS;
}

function mapOfDigests(text: string): Items {
  const hex = decode(text.slice(1)).toString("hex");
  const start = HEAD_DIGITS + COUNT_DIGITS;
  const width = KEY_DIGITS - STEP_DIGITS + DIGESTS[text.charAt(0) as keyof typeof DIGESTS];
  const rest = hex.slice(start, start + width * Number.parseInt(hex.slice(HEAD_DIGITS, start), 16));
  const steps = brotliDecompressSync(Buffer.from(hex.slice(evenHex(hex.slice(0, start + rest.length)).length), "hex"));
  const each = fromSteps(steps).map((first, index) => {
    const entry = `${first.toString(16).padStart(STEP_DIGITS, "0")}${rest.slice(index * width, (index + 1) * width)}`;
    return [keyFrom(entry.slice(0, KEY_DIGITS)), detailsFrom(entry.slice(KEY_DIGITS))] as const;
  });
  return asItems({ head: hex.slice(0, HEAD_DIGITS), each: mapFrom(each) });
}

/** The distances of numbers in order, in bytes. */
function stepsOf(numbers: readonly number[]): number[] {
  return numbers.flatMap((number, index) => {
    const step = number - (numbers[index - 1] ?? 0);
    return [...Array.from({ length: Math.floor(step / MORE) }, () => MORE), step % MORE];
  });
}

function fromSteps(steps: Uint8Array): number[] {
  let sum = 0;
  return [...steps].flatMap((step) => {
    sum += step;
    return step === MORE ? [] : [sum];
  });
}

export function packedText(map: JsonObject): string {
  return `${MARK}${encode(compress(linesOf(map)))}`;
}

function compress(content: string | Buffer): Buffer {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
}

/** The opposite of `packedText`, or digests as a map; undefined for a text that is neither. */
export function mapOfText(text: string): Json | undefined {
  try {
    if (isDigestText(text)) return mapOfDigests(text) as JsonObject;
    const isMarked = text.startsWith(MARK);
    const compressed = isMarked ? decode(text.slice(MARK.length)) : Buffer.from(text, "base64");
    const content = brotliDecompressSync(compressed).toString();
    return isMarked ? mapOfLines(content) : (parseJson(content) as Json | undefined);
  } catch {
    return undefined;
  }
}

/** A digit of this base before each key says how many characters of the last one it begins with. */
const BASE = 36;

function linesOf(map: JsonObject): string {
  let last = "";
  const names = Object.keys(map).sort();
  const keys = names.map((name) => {
    let common = 0;
    while (common < BASE - 1 && common < last.length && name[common] === last[common]) common += 1;
    last = name;
    return `${common.toString(BASE)}${JSON.stringify(name.slice(common)).slice(1, -1)}`;
  });
  const values = names.map((name) => (map[name] === "" ? "" : stableText(map[name])));
  return `${keys.join("\n")}\n\n${values.join("\n")}`;
}

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

/** Not those that JSON or an engine in Go escapes. */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?_;|()[]{}@%$#";

/** Four bytes in five characters. Of fewer at the end, one character more than bytes. */
function encode(bytes: Buffer): string {
  const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let text = "";
  for (let at = 0; at < padded.length; at += 4) {
    let rest = padded.readUInt32BE(at);
    let group = "";
    for (let digit = 0; digit < 5; digit += 1) {
      group = `${DIGITS.charAt(rest % 85)}${group}`;
      rest = Math.floor(rest / 85);
    }
    text += group;
  }
  return text.slice(0, text.length - (-bytes.length & 3));
}

function decode(text: string): Buffer {
  const missing = (5 - (text.length % 5)) % 5;
  // The largest digit: the bytes that are kept are the same whatever stands there.
  const padded = text + DIGITS.charAt(84).repeat(missing);
  const bytes = Buffer.alloc((padded.length / 5) * 4);
  for (let at = 0; at < padded.length; at += 5) {
    let value = 0;
    for (const digit of padded.slice(at, at + 5)) value = value * 85 + DIGITS.indexOf(digit);
    bytes.writeUInt32BE(value, (at / 5) * 4);
  }
  return bytes.subarray(0, bytes.length - missing);
}
