import { createHash } from "node:crypto";
import type { RulesetRule } from "../model/generated/rule.js";
import { isObject, sameJson, stableText, type JsonObject } from "../model/json.js";
import { parseRule } from "../model/parse-rule.js";
import type { DeployedRule } from "../model/ruleset.js";
import { hasUnknown, isUnknown } from "../model/unknown.js";
import { contentOf, meaningOf, overlay } from "./content.js";
import { outlineOfRule, writtenAs } from "./form.js";

/** What a rule is compared by. Each form is computed once, when it is first needed. */
class Forms {
  #content?: JsonObject;
  #meaning?: JsonObject;
  #written?: string;
  #outline?: string;
  #text?: string;
  #effect?: string;
  #fingerprint?: string;

  constructor(private readonly fields: JsonObject) {}

  get content(): JsonObject {
    return (this.#content ??= contentOf(this.fields));
  }

  get meaning(): JsonObject {
    return (this.#meaning ??= meaningOf(this.fields));
  }

  get written(): string {
    return (this.#written ??= stableText(this.content));
  }

  get outline(): string | undefined {
    return (this.#outline ??= outlineOfRule(this.fields));
  }

  get text(): string {
    return (this.#text ??= stableText(this.meaning));
  }

  get effect(): string {
    const { description, ...effect } = this.meaning;
    return (this.#effect ??= description === undefined ? this.text : stableText(effect));
  }

  get fingerprint(): string {
    return (this.#fingerprint ??= createHash("sha256").update(this.written).digest("hex").slice(0, 16));
  }
}

/** The rule of each object of fields, for as long as the object is in use. */
const known = new WeakMap<object, Rule>();

/**
 * A rule as a value: its fields as the program or the service wrote them, and forms for comparison. A value that is not known
 * yet is the unknown marker, instead of the fields or inside them.
 */
export class Rule<Fields = unknown> {
  #pending?: boolean;

  private constructor(
    readonly fields: Fields,
    private readonly forms: Forms,
  ) {}

  /**
   * The rule with these fields. Equal objects of fields make equal rules; the same object is always the same rule, so its forms
   * are computed once, wherever it is passed.
   * @param same a rule that differs at most in its ref, IDs and version: its forms are used
   */
  static of<Fields>(fields: Fields, same?: Rule): Rule<Fields> {
    if (!isObject(fields)) return new Rule(fields, new Forms({}));
    const made = (known.get(fields) as Rule<Fields> | undefined) ?? new Rule(fields, same?.forms ?? new Forms(fields));
    known.set(fields, made);
    return made;
  }

  /** The content as written, without IDs, versions, and defaults that the service fills in. */
  get content(): JsonObject {
    return this.forms.content;
  }

  /** The content with every expression in its normal form. Rules with equal meanings behave alike. Not for display. */
  get meaning(): JsonObject {
    return this.forms.meaning;
  }

  /** The content as text. */
  get written(): string {
    return this.forms.written;
  }

  /** Equal for rules whose expressions have the same meaning, and mostly different for others. Much cheaper than the meaning. */
  get outline(): string | undefined {
    return this.forms.outline;
  }

  /** The meaning as text. */
  get text(): string {
    return this.forms.text;
  }

  /** What it does to requests, as text: its meaning without the description. */
  get effect(): string {
    return this.forms.effect;
  }

  /** A short hash of the content as written, for states. */
  get fingerprint(): string {
    return this.forms.fingerprint;
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
    // Most are equal to the letter, which takes much less to see.
    return this.forms === other.forms || sameJson(this.fields, other.fields) || this.written === other.written;
  }

  /** Whether both do the same to requests. Their descriptions may differ. */
  hasSameEffectAs(other: Rule): boolean {
    return this.isWrittenAs(other) || this.effect === other.effect;
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

/** A rule without fields. */
export const NO_RULE: Rule<Partial<RulesetRule>> = Rule.of({});

/** Whether two rules have the same meaning. */
export function isSameMeaning(a: JsonObject, b: JsonObject): boolean {
  return Rule.of(a).meansSameAs(Rule.of(b));
}

/** Whether two rules are written alike. */
export function isSameForm(a: JsonObject, b: JsonObject): boolean {
  return Rule.of(a).isWrittenAs(Rule.of(b));
}

/** The top-level fields in which two rules differ. */
export function changedFields(a: JsonObject, b: JsonObject): string[] {
  return Rule.of(a).changedFields(Rule.of(b));
}

/** Whether everything in a list is a text, or has an ID, as overrides of rules have: then its order means nothing. */
function areNamed(list: readonly unknown[]): boolean {
  return list.every((item) => typeof item === "string" || (isObject(item) && item.id !== undefined));
}

/** Whether each of some things may be another one of as many. IDs that are not known yet have no place in an order. */
function mayBePaired(some: readonly unknown[], others: readonly unknown[]): boolean {
  const free = new Set(others);
  const open = some.filter((item) => {
    const same = [...free].find((other) => stableText(other) === stableText(item));
    return same === undefined || !free.delete(same);
  });
  return open.every((item) => {
    const like = [...free].find((other) => mayBeSame(item, other));
    return like !== undefined && free.delete(like);
  });
}

/** Whether two values could be equal once they are fully known. */
export function mayBeSame(a: unknown, b: unknown): boolean {
  if (isUnknown(a) || isUnknown(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    return a.every((item, index) => mayBeSame(item, b[index])) || (areNamed(a) && areNamed(b) && mayBePaired(a, b));
  }
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => mayBeSame(a[key], b[key]));
  }
  return sameJson(a, b);
}

/**
 * The current state of a program's rule, written as in the program as far as possible; the declared rule if nothing changed
 * since the service's last response.
 */
export function currentRule(
  declared: Rule<RulesetRule> | undefined,
  last: Rule<DeployedRule> | undefined,
  deployed: Rule<DeployedRule>,
): RulesetRule {
  const current = parseRule(deployed.content);
  if (declared === undefined) return current;
  if ((last ?? declared).meansSameAs(deployed)) return declared.fields;
  if (last === undefined) return current;
  const before = last.content;
  const overlaid = overlay(declared.fields, before, writtenAs(deployed.content, before));
  return isObject(overlaid) ? parseRule(overlaid) : current;
}
