/** The ways in which a service may repeat a text, each character by character so that parts are encoded the same way. */
export const echoes: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  "json in json": (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  "json in ascii": (text) => units(text, (unit) => `\\u${unit.toString(16).padStart(4, "0")}`),
  url: (text) => bytes(text, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`),
  "url in small letters": (text) => bytes(text, (byte) => `%${byte.toString(16).padStart(2, "0")}`),
  "url in part": (text) => new URLSearchParams({ q: text }).toString().slice(2),
  html: (text) =>
    text.replace(/[&<>"']/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "&#39;"),
  "html numbers": (text) => Array.from(text, (one) => `&#${String(one.codePointAt(0))};`).join(""),
  go: (text) => bytes(text, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`),
  octal: (text) => bytes(text, (byte) => `\\${byte.toString(8).padStart(3, "0")}`),
  capitals: (text) => text.toUpperCase(),
  "small letters": (text) => text.toLowerCase(),
};

function units(text: string, encode: (unit: number) => string): string {
  return Array.from({ length: text.length }, (_, index) => encode(text.charCodeAt(index))).join("");
}

function bytes(text: string, encode: (byte: number) => string): string {
  return [...Buffer.from(text, "utf8")].map(encode).join("");
}

/** Every part of a text with the given length. */
export function partsOf(text: string, length: number): string[] {
  const characters = Array.from(text);
  return characters.flatMap((_, at) =>
    at + length <= characters.length ? [characters.slice(at, at + length).join("")] : [],
  );
}
