import type { Bytes } from "./value.js";

const BEYOND_ASCII = /[^\x00-\x7f]/;

export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** Encodes text as UTF-8. */
export function toBytes(text: string): Bytes {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

/** Decodes UTF-8; undefined when the bytes are not valid UTF-8. */
export function fromBytes(bytes: Bytes): string | undefined {
  if (!BEYOND_ASCII.test(bytes)) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

/** Decodes bytes for display; invalid UTF-8 becomes a replacement character. */
export function showBytes(bytes: Bytes): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

const UPPER = /[A-Z]/;
const LOWER = /[a-z]/;

/** Converts ASCII letters to lower case and keeps every other byte. */
export function lowerAscii(bytes: Bytes): Bytes {
  if (!UPPER.test(bytes)) return bytes;
  return isAscii(bytes) ? bytes.toLowerCase() : bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Converts ASCII letters to upper case and keeps every other byte. */
export function upperAscii(bytes: Bytes): Bytes {
  if (!LOWER.test(bytes)) return bytes;
  return isAscii(bytes) ? bytes.toUpperCase() : bytes.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
