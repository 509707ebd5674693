import { createHash } from "node:crypto";
import { mapFrom, textOf } from "../model/json.js";
import type { Details, Items } from "./item.js";

/*
 * Items by digests. A state whose inputs have the items need not have them in its outputs too: a digest of each says whether an item
 * at the service is one of them, and has the same details. What is neither there nor in a program has no name then.
 */

/** In front of a digest: no value of an item and no comment begins with it. */
const MARK = "\0";
/** So many bytes that one of 10,000 items of others is taken for one of 10,000 own ones once in 10,000 lists. */
export const KEY_BYTES = 5;
export const DETAIL_BYTES = 3;

export const keyDigest = (key: string): string => digestOf(key, KEY_BYTES);
export const detailsDigest = (key: string, details: Details): string =>
  details === "" ? "" : digestOf(`${key}\n${JSON.stringify(sorted(details))}`, DETAIL_BYTES);

function digestOf(text: string, bytes: number): string {
  const hex = createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
  // Zeros stand for no details.
  return MARK + hex.replace(/^0+$/, (zeros) => zeros.replace(/.$/, "1"));
}

function sorted(details: Details): unknown {
  return typeof details === "string" ? details : Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1));
}

export function isDigest(text: string): boolean {
  return text.startsWith(MARK);
}

/** A digest from its bytes in hex, and the other way round. */
export const digestFrom = (hex: string): string => (/^0*$/.test(hex) ? "" : MARK + hex);
export const hexOf = (digest: string, bytes: number): string => digest.slice(MARK.length).padStart(2 * bytes, "0");

/** Items with their values and details instead of digests, as far as one of the known ones has them. */
export function named(items: Items, known: readonly Items[]): Items {
  const digests = Object.keys(items);
  if (!digests.some(isDigest)) return items;
  const names = new Map<string, readonly [string, Details]>();
  let left = digests.length;
  for (const some of known) {
    // Each digest takes some time.
    if (left === 0) break;
    for (const [key, details] of Object.entries(some)) {
      const digest = keyDigest(key);
      const held = items[digest];
      if (held === undefined) continue;
      const isSame = detailsDigest(key, details) === held;
      if (isSame && names.get(digest)?.[1] !== details) left -= 1;
      if (isSame || !names.has(digest)) names.set(digest, [key, isSame ? details : held]);
    }
  }
  return mapFrom(digests.map((digest) => names.get(digest) ?? [digest, textOf(items[digest])]));
}
