import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { omit, sameJson } from "../../../../core/model/json.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { NOT_KNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { isSameForm, isSameMeaning, Rule } from "../../../../core/rules/rule.js";
import {
  fieldsOf,
  type KeyedRules,
  NO_RULES,
  requireKnownRule,
  type PendingFields,
} from "../../../../core/rules/keyed.js";
import { isSameText } from "../../../../core/rules/spelling.js";
import type { Desired, Target } from "../desired.js";

/** What is sent to the service: every rule with the ref that it has there. */
export interface Content {
  readonly name?: string;
  readonly description: string;
  readonly rules: readonly PendingFields[];
}

/** The content as it is sent. */
export function requireKnown<C extends Content>(content: C): C & { readonly rules: readonly RulesetRule[] } {
  return { ...content, rules: content.rules.map(requireKnownRule) };
}

export function contentFrom(
  { name, rules = NO_RULES }: Pick<Desired, "name"> & { readonly rules?: KeyedRules | undefined },
  description: string,
  refs: ReadonlyMap<string, string> = new Map(),
): Content {
  const written = rules.order.flatMap((ref) => {
    const rule = rules.rules[ref];
    return rule === undefined
      ? []
      : [Rule.of({ ...omit(fieldsOf(rule.fields), ["id"]), ref: refs.get(ref) ?? ref }, rule).fields];
  });
  return { ...(name === undefined || name === NOT_KNOWN ? {} : { name }), description, rules: written };
}

/** What is sent to create a ruleset. */
export function contentToCreate(desired: Pick<Desired, "name" | "description" | "rules">): Content {
  return contentFrom(desired, valueIfKnown(desired.description) ?? "");
}

/** Whether the service already has exactly what would be sent: the same rules in the same form, refs and order. */
export function isUpToDate(actual: Ruleset, content: Content, target: Target): boolean {
  return hasContent(actual, content, target, isSameForm) && actual.description === content.description;
}

/** Whether what the service has means the same as what would be sent: a takeover then sends nothing. */
export function meansSame(actual: Ruleset, content: Content, target: Target): boolean {
  return hasContent(actual, content, target, isSameMeaning) && isSameText(actual.description, content.description);
}

/** Whether a write is sent by the path of the phase: only so can an entry point be renamed. */
export function isRenamed(actual: Ruleset | undefined, { name }: Content, { entrypoint }: Target): boolean {
  return entrypoint && name !== undefined && actual !== undefined && name !== actual.name;
}

/** Whether every rule that would be sent is already there, possibly among others. */
export function containsRules(actual: Ruleset, { rules }: Content): boolean {
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return rules.every((rule) => isSameForm(byRef.get(rule.ref ?? "") ?? {}, rule));
}

function hasContent(actual: Ruleset, content: Content, target: Target, same: typeof isSameForm): boolean {
  return (
    (!target.entrypoint || content.name === undefined || actual.name === content.name) &&
    sameJson(
      actual.rules.map(({ ref }) => ref),
      content.rules.map(({ ref }) => ref),
    ) &&
    actual.rules.every((rule, index) => same(rule, content.rules[index] ?? {}))
  );
}

/**
 * The description to send: the declared one; empty if it was removed from the program; the existing one if none was
 * ever declared.
 */
export function wantedDescription(
  before: { readonly description?: string } | undefined,
  { description }: Pick<Desired, "description">,
  actual: Ruleset,
): string {
  if (typeof description === "string") return description;
  return before?.description === undefined ? actual.description : "";
}
