import { checkCache } from "../../engine/check-cache.js";
import type { CheckRequest } from "../../engine/kind.js";
import { redactFindings } from "../../engine/secrets.js";
import { isObject } from "../../model/json.js";
import { valueIfKnown } from "../../model/unknown.js";
import { NO_RULES } from "../../rules/keyed.js";
import { Rule } from "../../rules/rule.js";
import { checkMeaning, describeEffect, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { RULESET } from "./description.js";
import type { Desired } from "./desired.js";
import type { RuleList } from "./restore/rule-list.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

/** Analyses what the rules mean together, in the preview of a ruleset that is created or whose rules change. */
export function checkRulesTogether(request: RulesetRequest, last: Desired | undefined, listed: RuleList): Findings {
  const { wanted, restored } = listed;
  const { session, preview } = request;
  if (!preview || session.ruleAnalysis === "off") return NO_FINDINGS;
  const { rules, order } = last?.rules ?? NO_RULES;
  const old = order.flatMap((ref) => rules[ref] ?? []);
  const current = wanted.map((rule) => Rule.of(rule));
  if (last !== undefined && haveSameEffects(old, current)) return NO_FINDINGS;
  if (last !== undefined) reportEffect(request, old, listed);
  // An earlier version was analysed when it was written, and its rules have no place in the program to report.
  if (restored !== undefined) return NO_FINDINGS;
  const { phase } = request.wanted;
  return redactFindings(
    session.part(checkCache).get("meaning", [wanted, phase], () => checkMeaning(wanted, phase)),
    request,
  );
}

/**
 * A sample request that shows the effect of a rule also reveals what the rule looks for, so nothing is reported if
 * there are secrets.
 */
function reportEffect(
  { session, urn, olds, wanted, secretPaths }: RulesetRequest,
  old: readonly Rule[],
  { wanted: current, secretPathsIn }: RuleList,
): void {
  const secret =
    secretPaths.length > 0 ||
    current.some((_, index) => secretPathsIn(index).length > 0) ||
    Object.keys(valueIfKnown(olds?.__secretPaths) ?? {}).length > 0;
  if (secret) return;
  const { phase } = wanted;
  const before = old.map(({ fields }) => fields);
  const text = session
    .part(checkCache)
    .get("effect", [phase, before, current], () => describeEffect(phase, before, current));
  if (text !== undefined) session.reporter.info(urn, text);
}

/** Whether both lists do the same to requests, rule by rule. */
function haveSameEffects(before: readonly Rule[], after: readonly Rule[]): boolean {
  const effectOf = (rule: Rule | undefined) => (isObject(rule?.fields) ? rule.effect : undefined);
  return before.length === after.length && before.every((rule, index) => effectOf(rule) === effectOf(after[index]));
}
