import { checkCache } from "../../../engine/check-cache.js";
import { redactFindings } from "../../../engine/secrets.js";
import { ownValue } from "../../../model/json.js";
import { isUnknown, valueIfKnown } from "../../../model/unknown.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { Rule } from "../../../rules/rule.js";
import { checkMeaning, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { ExistingCheck } from "./existing.js";
import { haveSameEffects, reportEffect, reportListEffects, reportTraffic, type RulesInForce } from "../effect.js";
import type { RulesetCheck } from "./inputs.js";
import type { RuleList } from "./rule-list.js";

/** Analyses what the rules mean together, in the preview of a ruleset that is created or whose rules change. */
export async function checkRulesTogether(checking: RulesetCheck, listed: RuleList): Promise<Findings> {
  const { wanted, restored } = listed;
  const { session, preview, urn, last, isShared } = checking;
  const { scope, phase, kind } = checking.target;
  if (!session.mayBePreview(urn) || session.ruleAnalysis === "off") return NO_FINDINGS;
  const change = rulesInForce(checking, listed);
  if (last !== undefined && haveSameEffects(change)) {
    reportListEffects(session, urn, { phase, kind, isPart: isShared }, change.after);
    return NO_FINDINGS;
  }
  if (!preview) return NO_FINDINGS;
  // In a shared ruleset, rules can move between resources, which only the comparison with the service shows.
  if (last !== undefined && !isShared) await reportEffect(session, urn, { scope, phase, kind, isPart: false }, change);
  // An earlier version was analysed when it was written, and its rules have no place in the program to report.
  if (restored !== undefined) return NO_FINDINGS;
  return redactFindings(
    session.part(checkCache).get("meaning", [wanted, phase, kind], () => checkMeaning(wanted, { phase, kind })),
    checking,
  );
}

/**
 * Says in a preview what the rules of a new resource would have done to past requests, unlike those that they replace, if these are
 * to be replayed. What others have in a shared ruleset stays.
 */
export async function replayNewRules(
  { session, urn, preview, target, isShared }: RulesetCheck,
  { isRead, found }: Pick<ExistingCheck, "isRead" | "found">,
  listed: RuleList,
): Promise<void> {
  const { scope, phase } = target;
  // Why nothing is known of what exists was said, unless the zone itself is not known yet.
  if (!preview || session.replaySeconds === undefined || !(isRead || isUnknown(scope.id))) return;
  const replaced = isShared ? found?.join?.kept.map(({ rule }) => rule) : found?.existing.rules;
  const before = (replaced ?? []).map((rule) => ({
    rule: Rule.of(rule),
    // Somebody may have copied a secret into it.
    secretPaths: session.secrets.contains(rule) ? [[]] : [],
  }));
  await reportTraffic(session, urn, { scope, phase }, { before, after: rulesAfter(listed) });
}

/** Says in a preview that the rules of a ruleset change, and that nothing is known of it. */
export function reportUnknownRules({ preview, session, urn, olds }: RulesetCheck): void {
  if (!preview || session.ruleAnalysis === "off" || olds === undefined) return;
  session.reporter.info(urn, "this change is not judged: the rules of this ruleset are not known before `pulumi up`");
}

function rulesInForce({ olds, last }: RulesetCheck, listed: RuleList): RulesInForce {
  const secretsBefore = valueIfKnown(olds?.__secretPaths) ?? {};
  const { rules, order } = last?.rules ?? NO_RULES;
  return {
    before: order.flatMap((ref) => {
      const rule = ownValue(rules, ref);
      return rule === undefined ? [] : [{ rule, secretPaths: ownValue(secretsBefore, ref) ?? [] }];
    }),
    after: rulesAfter(listed),
  };
}

function rulesAfter({ wanted, secretPathsIn }: RuleList): RulesInForce["after"] {
  return wanted.map((rule, index) => ({ rule: Rule.of(rule), secretPaths: secretPathsIn(index) }));
}
