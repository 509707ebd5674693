import { createHash } from "node:crypto";
import { toText } from "../../provider/engine/dense-text.js";
import { joinColumns, numberColumn } from "../../provider/engine/text-columns.js";
import type { Items } from "../../provider/lists/item.js";
import { stableText } from "../../provider/model/json.js";

/** Digests of items of which earlier versions wrote so few digits that others with the same can be searched for. */

export const SALT = "0123456789abcdef".repeat(2);
const DIGITS = 6;

const hexOf = (text: string, digits = DIGITS): string =>
  createHash("sha256").update(`${SALT}${text}`).digest("hex").slice(0, digits);

export const shortDigest = (key: string): string => hexOf(key);
export const shortDetails = (key: string, details: unknown): string =>
  details === "" ? "" : hexOf(`${key}\n${stableText(details)}`);

/** The salt, the digest of all items, and the numbers of digits. */
export function shortHead(items: Items): string {
  const hasDetails = Object.values(items).some((details) => details !== "");
  return `${SALT}${hexOf(stableText(items), 64)}${String(DIGITS)}${String(hasDetails ? DIGITS : 0)}`;
}

/** The digests in a state of an earlier version. */
export function earlierDigestText(items: Items): string {
  const head = shortHead(items);
  const width = head.endsWith("0") ? 0 : DIGITS;
  const rows = Object.entries(items)
    .map(([key, details]) => [shortDigest(key), shortDetails(key, details).padStart(width, "0")] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const hex = `${head}${rows.length.toString(16).padStart(6, "0")}${rows.map(([key, details]) => key.slice(4) + details).join("")}`;
  const starts = rows.map(([key]) => Number.parseInt(key.slice(0, 4), 16));
  const steps = numberColumn(starts.map((start, at) => start - (starts[at - 1] ?? 0)));
  return `:${toText(Buffer.concat([Buffer.from(hex.padEnd(hex.length + (hex.length % 2), "0"), "hex"), joinColumns([steps])]))}`;
}

/** Two hostnames whose digests with this salt have the same 40 bits, found among a million. */
export const EQUAL_DIGESTS = ["o223657.example", "o1269812.example"] as const;

/** One of the keys, and a hostname that is none of them and has the same digest. */
export function withDigestOf(keys: readonly string[]): readonly [own: string, foreign: string] {
  const byDigest = new Map(keys.map((key) => [shortDigest(key), key]));
  for (let at = 0; ; at += 1) {
    const foreign = `o${String(at)}.example`;
    const own = byDigest.get(shortDigest(foreign));
    if (own !== undefined) return [own, foreign];
  }
}
