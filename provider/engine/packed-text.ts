import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { DETAIL_BYTES, detailsDigest, digestFrom, hexOf, KEY_BYTES, keyDigest } from "../lists/digests.js";
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
/** In front of digests of keys, and of keys and values. */
const DIGESTS = { "!": 0, "?": DETAIL_BYTES };

/** Digests of the entries, in the place of a map that the inputs beside it have. */
export function digestText(items: Items): string {
  const mark = Object.values(items).every((details) => details === "") ? "!" : "?";
  const hex = Object.entries(items).map(([key, details]) => {
    const held = DIGESTS[mark] === 0 ? "" : hexOf(detailsDigest(key, details), DETAIL_BYTES);
    return `${hexOf(keyDigest(key), KEY_BYTES)}${held}`;
  });
  return `${mark}${encode(Buffer.from(hex.join(""), "hex"))}`;
}

/** Whether a text is one of digests. */
export function isDigestText(text: string): boolean {
  return text.charAt(0) in DIGESTS;
}

function mapOfDigests(text: string): Items {
  const bytes = DIGESTS[text.charAt(0) as keyof typeof DIGESTS];
  const hex = decode(text.slice(1)).toString("hex");
  const [keyEnd, width] = [2 * KEY_BYTES, 2 * (KEY_BYTES + bytes)];
  return mapFrom(
    Array.from({ length: hex.length / width }, (_, index) => {
      const entry = hex.slice(index * width, (index + 1) * width);
      return [digestFrom(entry.slice(0, keyEnd)), digestFrom(entry.slice(keyEnd))] as const;
    }),
  );
}

export function packedText(map: JsonObject): string {
  const compressed = brotliCompressSync(linesOf(map), { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  return `${MARK}${encode(compressed)}`;
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
