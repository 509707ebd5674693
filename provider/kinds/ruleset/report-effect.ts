import { checkCache } from "../../engine/check-cache.js";
import type { Session } from "../../engine/session.js";
import { isObject } from "../../model/json.js";
import type { Rule } from "../../rules/rule.js";
import { describeEffect } from "../../validation/index.js";

/** The rules that are in force before and after a change, in order. */
export interface RulesInForce {
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
}

/** What is known of the ruleset. */
export interface ChangedRuleset {
  readonly phase: unknown;
  readonly kind?: unknown;
  readonly ownership?: unknown;
}

/** Reports what a change does to requests, with example requests. */
export function reportEffect(
  session: Session,
  urn: string | undefined,
  { phase, kind, ownership }: ChangedRuleset,
  rules: RulesInForce,
): void {
  const before = rules.before.map(({ fields }) => fields);
  const after = rules.after.map(({ fields }) => fields);
  const isPart = ownership === "shared";
  const text = session
    .part(checkCache)
    .get("effect", [phase, kind, isPart, before, after], () => describeEffect({ phase, kind, isPart, before, after }));
  if (text !== undefined) session.reporter.info(urn, text);
}

/** Whether both lists do the same to requests, rule by rule. */
export function haveSameEffects({ before, after }: RulesInForce): boolean {
  return before.length === after.length && before.every((rule, index) => hasSameEffect(rule, after[index]));
}

function hasSameEffect(rule: Rule, other: Rule | undefined): boolean {
  if (!isObject(rule.fields) || !isObject(other?.fields)) return isObject(rule.fields) === isObject(other?.fields);
  return rule.hasSameEffectAs(other);
}
