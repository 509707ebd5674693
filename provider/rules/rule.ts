import { createHash } from "node:crypto";
import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, sameJson, stableText, type JsonObject } from "../model/json.js";
import { hasUnknown, isUnknown } from "../model/unknown.js";
import { contentOf, meaningOf } from "./content.js";

const rules = new WeakMap<object, Rule>();

/**
 * A rule as a value: its fields as the program or the service wrote them, and forms for comparison, each computed once when
 * it is first needed. A value that is not known yet is the unknown marker, instead of the fields or inside them.
 */
export class Rule<Fields = unknown> {
  #content?: JsonObject;
  #meaning?: JsonObject;
  #written?: string;
  #text?: string;
  #effect?: string;
  #pending?: boolean;

  constructor(readonly fields: Fields) {}

  /** The rule with these fields. For the same object it is the same rule, so its forms are computed once in a run. */
  static of<Fields>(fields: Fields): Rule<Fields> {
    if (!isObject(fields)) return new Rule(fields);
    const known = rules.get(fields) as Rule<Fields> | undefined;
    if (known !== undefined) return known;
    const rule = new Rule(fields);
    rules.set(fields, rule);
    return rule;
  }

  /** The content as written, without IDs, versions, and defaults that the service fills in. */
  get content(): JsonObject {
    return (this.#content ??= isObject(this.fields) ? contentOf(this.fields) : {});
  }

  /** The content with every expression in its normal form. Rules with equal meanings behave alike. Not for display. */
  get meaning(): JsonObject {
    return (this.#meaning ??= isObject(this.fields) ? meaningOf(this.fields) : {});
  }

  /** The content as text. */
  get written(): string {
    return (this.#written ??= stableText(this.content));
  }

  /** The meaning as text. */
  get text(): string {
    return (this.#text ??= stableText(this.meaning));
  }

  /** What it does to requests, as text: its meaning without the description. */
  get effect(): string {
    return (this.#effect ??= textWithoutDescription(this));
  }

  /** A short hash of the content as written, for states. */
  get fingerprint(): string {
    return createHash("sha256").update(this.written).digest("hex").slice(0, 16);
  }

  /** Whether anything in it is not known yet. */
  get pending(): boolean {
    return (this.#pending ??= hasUnknown(this.fields));
  }

  /** Whether both have the same meaning, however they are written. */
  meansSameAs(other: Rule): boolean {
    return this.isWrittenAs(other) || this.text === other.text;
  }

  /** Whether both are written alike. */
  isWrittenAs(other: Rule): boolean {
    return this.fields === other.fields || this.written === other.written;
  }

  /** Whether both have the same meaning, or may have it once they are fully known. */
  mayMeanSameAs(other: Rule): boolean {
    if (isUnknown(this.fields) || isUnknown(other.fields)) return true;
    return this.pending || other.pending ? mayBeSame(this.meaning, other.meaning) : this.meansSameAs(other);
  }

  /** The top-level fields whose meaning differs in the other rule. */
  changedFields(other: Rule): string[] {
    // Rules that are written alike need not be parsed.
    if (this.isWrittenAs(other)) return [];
    const [before, after] = [this.meaning, other.meaning];
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].filter((key) => !sameJson(before[key], after[key])).sort();
  }
}

function textWithoutDescription({ meaning, text }: Rule): string {
  const { description, ...effect } = meaning;
  return description === undefined ? text : stableText(effect);
}

/** A rule without fields. */
export const NO_RULE: Rule<Partial<RulesetRule>> = new Rule({});

/** Whether two rules have the same meaning; for rules that are compared only once. */
export function isSameMeaning(a: JsonObject, b: JsonObject): boolean {
  return new Rule(a).meansSameAs(new Rule(b));
}

/** Whether two rules are written alike; for rules that are compared only once. */
export function isSameForm(a: JsonObject, b: JsonObject): boolean {
  return new Rule(a).isWrittenAs(new Rule(b));
}

/** The top-level fields in which two rules differ; for rules that are compared only once. */
export function changedFields(a: JsonObject, b: JsonObject): string[] {
  return new Rule(a).changedFields(new Rule(b));
}

/** Whether two values could be equal once they are fully known. */
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
