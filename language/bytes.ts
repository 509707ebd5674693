import type { Bytes } from "./value.js";

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** The UTF-8 bytes of a text. */
export function toBytes(text: string): Bytes {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

/** The text of UTF-8 bytes; undefined when they are not UTF-8. */
export function fromBytes(bytes: Bytes): string | undefined {
  if (!BEYOND_ASCII.test(bytes)) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

/** The text of bytes for people: what is not UTF-8 is shown as a replacement character. */
export function showBytes(bytes: Bytes): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

const UPPER = /[A-Z]/;

/** ASCII letters in lower case, every other byte as it is. */
export function lowerAscii(bytes: Bytes): Bytes {
  return UPPER.test(bytes) ? bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : bytes;
}

/** ASCII letters in upper case, every other byte as it is. */
export function upperAscii(bytes: Bytes): Bytes {
  return bytes.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
