import { createHmac, timingSafeEqual } from "node:crypto";
import type { Bytes } from "../../value.js";
import { decodeUrl } from "./encoding.js";
import type { Implementation } from "./implementation.js";

const TOKEN = /^([^]+)(\d{10})-([^]{43,})$/;

/**
 * A token is `message separator timestamp-mac`, and its MAC is the HMAC-SHA256 of message and timestamp.
 * https://developers.cloudflare.com/ruleset-engine/rules-language/functions/#hmac-validation
 */
export const isTimedHmacValid: Implementation = ([key, token, ttl, now, separator, flags]) => {
  if (typeof key !== "string" || typeof token !== "string") return undefined;
  const [, start, timestamp, mac] = TOKEN.exec(token) ?? [];
  if (start === undefined || timestamp === undefined || mac === undefined) return false;
  const message = start.slice(0, Math.max(0, start.length - Number(separator ?? 0)));
  const expected = createHmac("sha256", Buffer.from(key, "latin1"))
    .update(message + timestamp, "latin1")
    .digest();
  const isFresh = Number(now) < Number(timestamp) + Number(ttl);
  return message !== "" && isFresh && sameBytes(decodeMac(mac, flags === "s"), expected);
};

function decodeMac(mac: Bytes, urlSafe: boolean): Buffer {
  return Buffer.from(
    urlSafe ? mac : decodeUrl(mac.replaceAll("+", "%2B"), false, false),
    urlSafe ? "base64url" : "base64",
  );
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
