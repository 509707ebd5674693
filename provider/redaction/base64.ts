import type { Reading } from "./readings.js";

/**
 * The Base64 encodings of a text inside longer data, one for each offset in a group of three bytes, without the characters
 * at the ends that depend on the neighbouring bytes.
 */
export function inBase64(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

/** Converts the URL-safe Base64 alphabet to the standard one. */
export function withUsualSigns(reading: Reading): Reading {
  return { ...reading, text: reading.text.replaceAll("-", "+").replaceAll("_", "/") };
}
