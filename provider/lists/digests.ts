import { createHash } from "node:crypto";
import { mapFrom, ownValue, stableText } from "../model/json.js";
import type { Details, Items } from "./item.js";

/*
 * Items by digests. A state whose inputs have the items need not have them in its outputs too: a digest of all says whether they are
 * exactly those at the service, and short ones of each say which differ. What is neither there nor in a program has no name then.
 * A salt that only the state knows lets nobody choose items with equal digests.
 */

/** In front of a digest: no value of an item and no comment begins with it. */
const MARK = "\0";
/** The place of the salt and the digest of all items among digests of each. */
const HEAD = MARK;
/** Digits in hex. */
export const SALT_DIGITS = 32;
const WHOLE_DIGITS = 64;
export const HEAD_DIGITS = SALT_DIGITS + WHOLE_DIGITS;
/** So many that one of 10,000 items of others is taken for one of 10,000 own ones that are gone once in 45 million lists. */
export const KEY_DIGITS = 13;
/** Few, because the digest of all says whether any details differ: these say only of which item. */
export const DETAIL_DIGITS = 6;

/** The digests that stand for items. */
interface Digests {
  /** In hex: the salt, then the digest of all items. */
  readonly head: string;
  /** Digests of details by those of values. */
  readonly each: Items;
}

/** The digests in the place of items; undefined for items themselves. */
export function digestsIn({ [HEAD]: head, ...each }: Items): Digests | undefined {
  return typeof head === "string" ? { head, each } : undefined;
}

/** Puts digests in the place of items. */
export function asItems({ head, each }: Digests): Items {
  return { ...each, [HEAD]: head };
}

/** The digests of items; undefined where two would have the same one. */
export function digestsOf(items: Items, salt: string): Digests | undefined {
  const each = mapFrom(
    Object.entries(items).map(([key, details]) => [keyDigest(salt, key), detailsDigest(salt, key, details)] as const),
  );
  const isDistinct = Object.keys(each).length === Object.keys(items).length;
  return isDistinct ? { head: `${salt}${wholeDigest(salt, items)}`, each } : undefined;
}

/** Whether digests are those of just these items. */
export function areDigestsOf({ head }: Digests, items: Items): boolean {
  const salt = saltIn(head);
  return head === `${salt}${wholeDigest(salt, items)}`;
}

const saltIn = (head: string): string => head.slice(0, SALT_DIGITS);
const wholeDigest = (salt: string, items: Items): string => hashOf(`${salt}${stableText(items)}`, WHOLE_DIGITS);
const keyDigest = (salt: string, key: string): string => MARK + hashOf(`${salt}${key}`, KEY_DIGITS);

function detailsDigest(salt: string, key: string, details: Details): string {
  if (details === "") return "";
  const hex = hashOf(`${salt}${key}\n${stableText(details)}`, DETAIL_DIGITS);
  // Zeros stand for no details.
  return MARK + hex.replace(/^0+$/, (zeros) => zeros.replace(/.$/, "1"));
}

function hashOf(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

export function isDigest(text: string): boolean {
  return text.startsWith(MARK);
}

/** A digest of a value or of details from its digits, and the other way round. */
export const keyFrom = (hex: string): string => MARK + hex;
export const detailsFrom = (hex: string): string => (/^0*$/.test(hex) ? "" : MARK + hex);
export const hexOf = (digest: Details, digits: number): string =>
  (typeof digest === "string" ? digest : "").slice(MARK.length).padStart(digits, "0");

/**
 * Items with their values and details instead of digests, as far as one of the known ones has them. Where each digest has an item,
 * but they are not all as they were, it is not known whose details are not, so no details are named.
 */
export function named(items: Items, known: readonly Items[]): Items {
  const digests = digestsIn(items);
  if (digests === undefined) return items;
  const same = known.find((some) => areDigestsOf(digests, some));
  if (same !== undefined) return same;
  const { head, each } = digests;
  const names = namesFrom(saltIn(head), each, known);
  const found = [...names.values()].filter((name) => name !== undefined);
  const left = Object.entries(each).filter(([digest]) => names.get(digest) === undefined);
  const result = mapFrom<Details>([...found, ...left]);
  const isWhole = left.length === 0 && found.every(([, details]) => !isDetailsDigest(details));
  if (!isWhole || areDigestsOf(digests, result)) return result;
  const isOfDetails = Object.values(each).some((details) => details !== "");
  const unsure = [...names].flatMap(([digest, name]) =>
    name === undefined ? [] : [[name[0], each[digest] ?? ""] as const],
  );
  return isOfDetails ? mapFrom(unsure) : each;
}

/** By digest, the value and the details that a known item has; undefined where two values have it. */
function namesFrom(
  salt: string,
  each: Items,
  known: readonly Items[],
): ReadonlyMap<string, readonly [string, Details] | undefined> {
  const names = new Map<string, readonly [string, Details] | undefined>();
  for (const some of known) {
    for (const [key, details] of Object.entries(some)) {
      const digest = keyDigest(salt, key);
      const held = ownValue<Details>(each, digest);
      if (held === undefined) continue;
      const before = names.get(digest);
      const isSame = detailsDigest(salt, key, details) === held;
      if (names.has(digest) && before?.[0] !== key) names.set(digest, undefined);
      else if (isSame || before === undefined) names.set(digest, [key, isSame ? details : held]);
    }
  }
  return names;
}

function isDetailsDigest(details: Details): boolean {
  return typeof details === "string" && isDigest(details);
}
