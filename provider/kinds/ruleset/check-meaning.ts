import { checkCache } from "../../engine/check-cache.js";
import type { CheckRequest } from "../../engine/kind.js";
import { redactFindings } from "../../engine/secrets.js";
import { valueIfKnown } from "../../model/unknown.js";
import { NO_RULES } from "../../rules/keyed.js";
import { Rule } from "../../rules/rule.js";
import { checkMeaning, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { RULESET } from "./description.js";
import type { Desired } from "./desired.js";
import { haveSameEffects, reportEffect } from "./report-effect.js";
import type { RuleList } from "./restore/rule-list.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

/** Analyses what the rules mean together, in the preview of a ruleset that is created or whose rules change. */
export function checkRulesTogether(request: RulesetRequest, last: Desired | undefined, listed: RuleList): Findings {
  const { wanted, restored } = listed;
  const { session, preview } = request;
  if (!preview || session.ruleAnalysis === "off") return NO_FINDINGS;
  const { rules, order } = last?.rules ?? NO_RULES;
  const old = order.flatMap((ref) => rules[ref] ?? []);
  const change = { before: old, after: wanted.map((rule) => Rule.of(rule)) };
  if (last !== undefined && haveSameEffects(change)) return NO_FINDINGS;
  // In a shared ruleset, rules can move between resources, which only the comparison with the service shows.
  if (last !== undefined && request.wanted.ownership !== "shared" && !hasSecrets(request, listed))
    reportEffect(session, request.urn, request.wanted, change);
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
function hasSecrets({ olds, secretPaths }: RulesetRequest, { wanted, secretPathsIn }: RuleList): boolean {
  return (
    secretPaths.length > 0 ||
    wanted.some((_, index) => secretPathsIn(index).length > 0) ||
    Object.keys(valueIfKnown(olds?.__secretPaths) ?? {}).length > 0
  );
}
