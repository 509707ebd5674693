import { createHash } from "node:crypto";
import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, sameJson, stableText, type Json, type JsonObject } from "../model/json.js";
import { isUnknown } from "../model/unknown.js";
import { KNOWN_DEFAULTS } from "./defaults.js";
import { inNormalForm } from "./form.js";

/** What is made of a rule, each when it is first asked for. */
interface Made {
  content?: JsonObject;
  writing?: string;
  meaning?: JsonObject;
  text?: string;
}

/** Kept by the rule it was made of: rules never change once they are made. */
const made = new WeakMap<object, Made>();

function madeOf(rule: object): Made {
  const kept = made.get(rule);
  if (kept !== undefined) return kept;
  const entry: Made = {};
  // What is not known yet is a text in place of a rule.
  if (isObject(rule)) made.set(rule, entry);
  return entry;
}

function withoutDefaults(rule: JsonObject): JsonObject {
  return KNOWN_DEFAULTS.reduce((current, known) => known.strip(current), rule);
}

/** What a rule says as it is written, without ids, versions, and what the service fills in. */
export function contentOf(rule: object): JsonObject {
  return (madeOf(rule).content ??= withoutDefaults(rule as JsonObject));
}

/** The content with every expression in its normal form, to be compared and never shown: equal ones behave alike. */
export function meaningOf(rule: object): JsonObject {
  return (madeOf(rule).meaning ??= withoutDefaults(inNormalForm(rule as JsonObject)));
}

/** A content as a rule again: what it was made of, without what means nothing. */
export function ruleOf(content: JsonObject): RulesetRule {
  // The service gives every rule an action; rules of managed rulesets have no expression, and nobody declares these.
  return content as RulesetRule;
}

/** The meaning as a text, for look-ups. */
export function contentText(rule: object): string {
  return (madeOf(rule).text ??= stableText(meaningOf(rule)));
}

/** The content as it is written, as a text. */
export function writtenText(rule: object): string {
  return (madeOf(rule).writing ??= stableText(contentOf(rule)));
}

/** What a rule does to requests, as a text for look-ups: its meaning without the description. */
export function effectText(rule: object): string {
  const { description: _description, ...effect } = meaningOf(rule);
  return stableText(effect);
}

/** A short text that stands for a content as it is written. States hold it. */
export function fingerprint(rule: object): string {
  return createHash("sha256").update(writtenText(rule)).digest("hex").slice(0, 16);
}

/** Whether two rules say the same, in the same words or others. */
export function sameContent(a: object, b: object): boolean {
  return sameForm(a, b) || contentText(a) === contentText(b);
}

/** Whether two rules say the same in the same words. */
export function sameForm(a: object, b: object): boolean {
  return a === b || writtenText(a) === writtenText(b);
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

/** The top-level fields in which two rules say something else. */
export function changedFields(a: object, b: object): string[] {
  const before = meaningOf(a);
  const after = meaningOf(b);
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
