import type { Reading } from "./readings.js";

/**
 * How a text reads inside Base64, which depends on where in its groups of three bytes it begins: three texts, without
 * the signs at the ends that depend on what stands beside it.
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

/** The alphabet of URLs as the usual one. */
export function withUsualSigns(reading: Reading): Reading {
  return { ...reading, text: reading.text.replaceAll("-", "+").replaceAll("_", "/") };
}
