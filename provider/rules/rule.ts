import { createHash } from "node:crypto";
import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, sameJson, stableText, type JsonObject } from "../model/json.js";
import { hasUnknown, isUnknown } from "../model/unknown.js";
import { contentOf, meaningOf } from "./content.js";

/**
 * A rule as a value: its fields as a program or the service wrote them, and what they say, to be compared. Each form is made
 * once, when it is first asked for. What is not known yet is its marker in place of the fields, or inside of them.
 */
export class Rule<Fields = unknown> {
  #content?: JsonObject;
  #meaning?: JsonObject;
  #written?: string;
  #text?: string;
  #pending?: boolean;

  constructor(readonly fields: Fields) {}

  /** What it says as it is written, without ids, versions, and what the service fills in. */
  get content(): JsonObject {
    return (this.#content ??= isObject(this.fields) ? contentOf(this.fields) : {});
  }

  /** The content with every expression in its normal form, to be compared and never shown: equal ones behave alike. */
  get meaning(): JsonObject {
    return (this.#meaning ??= isObject(this.fields) ? meaningOf(this.fields) : {});
  }

  /** The content as it is written, as a text. */
  get written(): string {
    return (this.#written ??= stableText(this.content));
  }

  /** The meaning as a text: equal texts mean rules that say the same. */
  get text(): string {
    return (this.#text ??= stableText(this.meaning));
  }

  /** What it does to requests, as a text: its meaning without the description. */
  get effect(): string {
    const { description: _description, ...effect } = this.meaning;
    return stableText(effect);
  }

  /** A short text that stands for the content as it is written. States hold it. */
  get fingerprint(): string {
    return createHash("sha256").update(this.written).digest("hex").slice(0, 16);
  }

  /** Whether anything in it is not known yet. */
  get pending(): boolean {
    return (this.#pending ??= hasUnknown(this.fields));
  }

  /** Whether both say the same, in the same words or others. */
  says(other: Rule): boolean {
    return this.isWrittenAs(other) || this.text === other.text;
  }

  /** Whether both say the same in the same words. */
  isWrittenAs(other: Rule): boolean {
    return this.fields === other.fields || this.written === other.written;
  }

  /** Whether both say the same, or may once everything in them is known. */
  maySay(other: Rule): boolean {
    if (isUnknown(this.fields) || isUnknown(other.fields)) return true;
    return this.pending || other.pending ? mayBeSame(this.meaning, other.meaning) : this.says(other);
  }

  /** The top-level fields in which the other one says something else. */
  changedFields(other: Rule): string[] {
    // The same words mean the same: what nobody touched need not be understood.
    if (this.isWrittenAs(other)) return [];
    const [before, after] = [this.meaning, other.meaning];
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].filter((key) => !sameJson(before[key], after[key])).sort();
  }
}

/** A rule of which nothing is said. */
export const NO_RULE: Rule<Partial<RulesetRule>> = new Rule({});

/** Whether two rules that are compared only once say the same, in the same words or others. */
export function sameContent(a: JsonObject, b: JsonObject): boolean {
  return new Rule(a).says(new Rule(b));
}

/** The same in the same words. */
export function sameForm(a: JsonObject, b: JsonObject): boolean {
  return new Rule(a).isWrittenAs(new Rule(b));
}

/** The top-level fields in which two rules that are compared only once say something else. */
export function changedFields(a: JsonObject, b: JsonObject): string[] {
  return new Rule(a).changedFields(new Rule(b));
}

/** Whether two values could be the same once everything in them is known. */
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
