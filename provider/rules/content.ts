import { createHash } from "node:crypto";
import { isObject, sameJson, stableText, type Json, type JsonObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { KNOWN_DEFAULTS } from "./defaults.js";

/** Contents by the rule they were made of: rules never change once they are made. */
const made = new WeakMap<object, { readonly content: JsonObject; text?: string }>();

function madeOf(rule: object): { readonly content: JsonObject; text?: string } {
  const kept = made.get(rule);
  if (kept !== undefined) return kept;
  const content = KNOWN_DEFAULTS.reduce((current, known) => known.strip(current), rule as JsonObject);
  const entry = { content };
  // What is not known yet is a text in place of a rule.
  if (isObject(rule)) made.set(rule, entry);
  return entry;
}

/** What a rule says, without ids, versions, and what the service fills in: equal contents behave alike. Made once. */
export function contentOf(rule: object): JsonObject {
  return madeOf(rule).content;
}

/** The content as a text, for look-ups. Made once. */
export function contentText(rule: object): string {
  const entry = madeOf(rule);
  entry.text ??= stableText(entry.content);
  return entry.text;
}

/** What a rule does to requests, as a text for look-ups: its content without the description. */
export function effectText(rule: object): string {
  const { description: _description, ...effect } = contentOf(rule);
  return stableText(effect);
}

/** A short text that stands for a content. */
export function fingerprint(rule: object): string {
  return createHash("sha256").update(contentText(rule)).digest("hex").slice(0, 16);
}

/** Whether two rules say the same. */
export function sameContent(a: object, b: object): boolean {
  return a === b || contentText(a) === contentText(b);
}

/** Whether two rules could do the same once everything in them is known. */
export function mayBeSame(a: unknown, b: unknown): boolean {
  if (isUnknown(a) || isUnknown(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => mayBeSame(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => mayBeSame(a[key], b[key]));
  }
  return sameJson(a, b);
}

/** The top-level fields in which two rules differ. */
export function changedFields(a: object, b: object): string[] {
  const before = contentOf(a);
  const after = contentOf(b);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !sameJson(before[key], after[key])).sort();
}

/**
 * What a program's rule has become: where the service's answer changed since the last one, the new value; everywhere
 * else what the program wrote. So what the service adds by itself never shows.
 */
export function overlay(
  declared: Json | undefined,
  last: Json | undefined,
  actual: Json | undefined,
): Json | undefined {
  if (sameJson(last, actual)) return declared;
  if (isObject(last) && isObject(actual)) {
    const base = isObject(declared) ? declared : {};
    const keys = new Set([...Object.keys(base), ...Object.keys(last), ...Object.keys(actual)]);
    const entries = [...keys].map((key) => [key, overlay(base[key], last[key], actual[key])] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return actual;
}
