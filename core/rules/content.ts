import { isObject, sameJson, type Json, type JsonObject } from "../model/json.js";
import { KNOWN_DEFAULTS } from "./defaults.js";
import { inNormalForm } from "./form.js";
import { inOneSpelling } from "./spelling.js";

/** A rule's content as written, without IDs, versions, and defaults that the service fills in. */
export function contentOf(rule: JsonObject): JsonObject {
  return KNOWN_DEFAULTS.reduce((current, known) => known.strip(current), rule);
}

/**
 * The content with every expression in its normal form, and what else can be spelled in several ways in one. Rules with equal
 * meanings behave alike. Not for display.
 */
export function meaningOf(rule: JsonObject): JsonObject {
  return inOneSpelling(contentOf(inNormalForm(rule)));
}

/**
 * Merges drift into a declared value: the new value where the service's response changed since the last one, and the declared
 * value everywhere else. So defaults that the service adds never appear as drift.
 */
export function overlay(
  declared: Json | undefined,
  last: Json | undefined,
  deployed: Json | undefined,
): Json | undefined {
  if (sameJson(last, deployed)) return declared;
  if (isObject(last) && isObject(deployed)) {
    const base = isObject(declared) ? declared : {};
    const keys = new Set([...Object.keys(base), ...Object.keys(last), ...Object.keys(deployed)]);
    const entries = [...keys].map((key) => [key, overlay(base[key], last[key], deployed[key])] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  return deployed;
}
