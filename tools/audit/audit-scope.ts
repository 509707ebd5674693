import type { Reach } from "../../core/analysis/index.js";
import { shortRulesetId } from "../../core/model/ids.js";
import type { FoundAccount, FoundZone } from "./facts.js";
import type { Meanings } from "./meaning.js";
import type { RulesetLine } from "./report.js";
import { findingsOf, type FindingWithImpact, type RuleSubject } from "./rule-findings.js";
import { rulesetFindings, rulesetLine } from "./rulesets.js";
import { whereOf, type Context } from "./scope.js";

interface AuditedScope {
  readonly lines: readonly RulesetLine[];
  readonly judged: readonly FindingWithImpact[];
}

/** Audits the rulesets of a zone or an account: one line for each, and the findings on it and its rules. */
export function auditScope(found: FoundAccount | FoundZone, meanings: Meanings, context: Context): AuditedScope {
  const where = whereOf(found);
  const zones = found.level === "account" ? context.zonesOf(found.id) : [found];
  const zoneNames = new Map(zones.map(({ id, name }) => [id, name]));
  const audited = found.rulesets.map((ruleset) => {
    const subjects = ruleset.rules.map((rule): RuleSubject => ({
      ...{ rule, ruleset, where, meanings, zoneNames },
      reaches: new Map(zones.map((zone): [string, Reach] => [zone.id, context.reach(rule, ruleset.phase, zone)])),
      executesOwn: context.custom.has(shortRulesetId(rule.actionParameters?.id ?? "")),
    }));
    const line = rulesetLine(ruleset, subjects, found.level === "account" ? undefined : found.plan, context);
    const whole = rulesetFindings(where, ruleset, line, context.isExecuted(ruleset, found));
    const judged = [
      ...subjects.flatMap((subject) => findingsOf(subject, context)),
      ...whole.map((finding): FindingWithImpact => ({ finding, phases: [] })),
    ];
    return { line, judged };
  });
  return { lines: audited.map(({ line }) => line), judged: audited.flatMap(({ judged }) => judged) };
}
