import { createHash } from "node:crypto";
import { toBytes } from "../../bytes.js";
import type { Bytes } from "../../value.js";
import type { Implementation } from "./implementation.js";

/** Decodes `%HH` and `+`; with the flag `u` also `%uHHHH`, with `r` repeatedly until nothing changes. */
export const urlDecode: Implementation = ([text, options]) => {
  if (typeof text !== "string") return undefined;
  const flags = typeof options === "string" ? options : "";
  return decodeUrl(text, flags.includes("u"), flags.includes("r"));
};

const ESCAPE = /\+|%[0-9A-Fa-f]{2}/g;
const ESCAPE_WITH_UNICODE = /\+|%[0-9A-Fa-f]{2}|%[uU][0-9A-Fa-f]{4}/g;

/** Decodes once, or repeatedly until nothing changes. */
export function decodeUrl(text: Bytes, unicode: boolean, recursive: boolean): Bytes {
  if (!/[%+]/.test(text)) return text;
  if (recursive) return decodeAll(text, unicode);
  return text.replace(unicode ? ESCAPE_WITH_UNICODE : ESCAPE, (escape) => decodeEscape(escape));
}

function decodeEscape(escape: string): Bytes {
  if (escape === "+") return " ";
  const code = String.fromCharCode(parseInt(escape.slice(escape.length - (escape.length === 3 ? 2 : 4)), 16));
  return escape.length === 3 ? code : toBytes(code);
}

const TAIL = /%[0-9A-Fa-f]{2}$/;
const TAIL_WITH_UNICODE = /%(?:[0-9A-Fa-f]{2}|[uU][0-9A-Fa-f]{4})$/;

/** In one pass: whenever the output ends with an escape, the escape is replaced and the end is checked again. */
function decodeAll(text: Bytes, unicode: boolean): Bytes {
  const out: string[] = [];
  const tail = unicode ? TAIL_WITH_UNICODE : TAIL;
  const push = (byte: string): void => {
    out.push(byte === "+" ? " " : byte);
    const escape = tail.exec(out.slice(-6).join(""))?.[0];
    if (escape === undefined) return;
    out.length -= escape.length;
    for (const one of decodeEscape(escape)) push(one);
  };
  for (const byte of text) push(byte);
  return out.join("");
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export const decodeBase64: Implementation = ([text]) =>
  typeof text === "string" && BASE64.test(text) ? Buffer.from(text, "base64").toString("latin1") : undefined;

/** Flags: `u` for the URL-safe alphabet, `p` for padding. */
export const encodeBase64: Implementation = ([bytes, options]) => {
  if (typeof bytes !== "string") return undefined;
  const flags = typeof options === "string" ? options : "";
  const encoded = Buffer.from(bytes, "latin1").toString(flags.includes("u") ? "base64url" : "base64");
  const bare = encoded.replace(/=+$/, "");
  return flags.includes("p") ? bare.padEnd(Math.ceil(bare.length / 4) * 4, "=") : bare;
};

export const sha256: Implementation = ([bytes]) =>
  typeof bytes === "string" ? createHash("sha256").update(bytes, "latin1").digest().toString("latin1") : undefined;
