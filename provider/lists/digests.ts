import { createHash } from "node:crypto";
import { mapFrom, ownValue, stableText } from "../model/json.js";
import type { Details, Items } from "./item.js";

/*
 * Items by digests. A state whose inputs have the items need not have them in its outputs too: a digest of all says whether they are
 * exactly those at the service, and short ones of each say which differ. What is neither there nor in a program has no name then.
 * Only lists that the stack owns as a whole have them: nothing tells own items from those of others for certain but their values.
 * A salt that only the state knows lets nobody choose items with equal digests.
 */

/** In front of a digest: no value of an item begins with it, and no comment that a program gives. */
const MARK = "\0";
/** The place of the salt and the digest of all items among digests of each. */
const HEAD = MARK;
/** Digits in hex. */
const SALT_DIGITS = 32;
const WHOLE_DIGITS = 64;
/** How many digits there are of each value, or none, and of the details of each, in one digit each. */
export const HEAD_DIGITS = SALT_DIGITS + WHOLE_DIGITS + 2;
/** Even if others have changed all items, one of them is overlooked in one of so many lists only. */
const LISTS = 1000;
/** Items of others may be many more than those of the list: one of them has the digest of one of n items once in 2^40 / n. */
const FEWEST_KEY_DIGITS = 10;
const FEWEST_DETAIL_DIGITS = 6;

const digitsFor = (pairs: number, fewest: number): number => Math.max(fewest, Math.ceil(Math.log2(pairs * LISTS) / 4));

/** The digests that stand for items. */
interface Digests {
  /** In hex: the salt, the digest of all items, and the numbers of digits. */
  readonly head: string;
  /** Digests of details by those of values, or by the values. */
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

/** The digests of items, of their values too or only of their details; undefined where two values would have the same one. */
export function digestsOf(items: Items, salt: string, ofValues = true): Digests | undefined {
  const all = Object.entries(items);
  const hasDetails = all.some(([, details]) => details !== "");
  const head =
    `${salt}${wholeDigest(salt, items)}` +
    (ofValues ? digitsFor(all.length ** 2, FEWEST_KEY_DIGITS) : 0).toString(16) +
    (hasDetails ? digitsFor(all.length, FEWEST_DETAIL_DIGITS) : 0).toString(16);
  const digest = digesterOf(head);
  const each = mapFrom(all.map(([key, details]) => [digest.key(key), digest.details(key, details)] as const));
  return Object.keys(each).length === all.length ? { head, each } : undefined;
}

/** Whether digests are those of just these items. */
export function areDigestsOf({ head }: Digests, items: Items): boolean {
  const salt = head.slice(0, SALT_DIGITS);
  return head.startsWith(`${salt}${wholeDigest(salt, items)}`);
}

/** Whether each digest of a value has as many digits as this version gives it, or values stand there themselves. */
export function areLongEnough({ head }: Digests): boolean {
  const { key } = digitsIn(head);
  return key === 0 || key >= FEWEST_KEY_DIGITS;
}

/** Those of the known items that are exactly the ones in a state, or are these themselves. */
export function exactly(items: Items, known: readonly Items[]): Items | undefined {
  const digests = digestsIn(items);
  return digests === undefined ? items : known.find((some) => areDigestsOf(digests, some));
}

/** Whether it is certain which items at the service are those in a state. */
export function areValuesKnown(items: Items, known: readonly Items[]): boolean {
  const digests = digestsIn(items);
  return digests === undefined || digitsIn(digests.head).key === 0 || exactly(items, known) !== undefined;
}

const wholeDigest = (salt: string, items: Items): string => hashOf(`${salt}${stableText(items)}`, WHOLE_DIGITS);

/** How many digits there are of each value and of its details. */
export function digitsIn(head: string): { readonly key: number; readonly details: number } {
  const [key, details] = [-2, -1].map((at) => Number.parseInt(head.at(at) ?? "0", 16));
  return { key: key ?? 0, details: details ?? 0 };
}

/** What stands for values and details among the digests with this head. */
function digesterOf(head: string): {
  key: (key: string) => string;
  details: (key: string, details: Details) => string;
} {
  const salt = head.slice(0, SALT_DIGITS);
  const digits = digitsIn(head);
  return {
    key: (key) => (digits.key === 0 ? key : MARK + hashOf(`${salt}${key}`, digits.key)),
    details: (key, details) => {
      if (details === "") return "";
      const hex = hashOf(`${salt}${key}\n${stableText(details)}`, digits.details);
      // Zeros stand for no details.
      return MARK + hex.replace(/^0+$/, (zeros) => zeros.replace(/.$/, "1"));
    },
  };
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
export const hexOf = (digest: Details = ""): string => (typeof digest === "string" ? digest : "").slice(MARK.length);

/**
 * Items with their values and details instead of digests, as far as one of the known ones has them. Where each digest has an item,
 * but they are not all as they were, one has the digest of another, so none is named.
 */
export function named(items: Items, known: readonly Items[]): Items {
  const digests = digestsIn(items);
  if (digests === undefined) return items;
  const same = exactly(items, known);
  if (same !== undefined) return same;
  const { head, each } = digests;
  const names = namesFrom({ head, each }, known);
  const found = [...names.values()].filter((name) => name !== undefined);
  const left = Object.entries(each).filter(([digest]) => names.get(digest) === undefined);
  const result = mapFrom<Details>([...found, ...left]);
  const isWhole = left.length === 0 && found.every(([, details]) => !isDetailsDigest(details));
  return !isWhole || areDigestsOf(digests, result) ? result : each;
}

/** By digest, the value and the details that a known item has; undefined where two values have it. */
function namesFrom(
  { head, each }: Digests,
  known: readonly Items[],
): ReadonlyMap<string, readonly [string, Details] | undefined> {
  const names = new Map<string, readonly [string, Details] | undefined>();
  const digester = digesterOf(head);
  for (const some of known) {
    for (const [key, details] of Object.entries(some)) {
      const digest = digester.key(key);
      const held = ownValue<Details>(each, digest);
      if (held === undefined) continue;
      const before = names.get(digest);
      const isSame = digester.details(key, details) === held;
      if (names.has(digest) && before?.[0] !== key) names.set(digest, undefined);
      else if (isSame || before === undefined) names.set(digest, [key, isSame ? details : held]);
    }
  }
  return names;
}

function isDetailsDigest(details: Details): boolean {
  return typeof details === "string" && isDigest(details);
}
