import { pick } from "../provider/model/json.js";
import type { Finding, FindingName, Report, Regression } from "./report.js";

/** Findings on a whole phase: for zones in the baseline, the comparison of cells covers them. */
const OF_PHASES: ReadonlySet<FindingName> = new Set(["no-protection", "log-only"]);
/** Findings on what one rule does: comparing the rules covers changes, and an unchanged state is not news. */
const OF_RULES: ReadonlySet<FindingName> = new Set(["disabled-rule", "managed-for-some"]);

/** What a regression takes from its finding. */
const SAME = ["where", "phase", "name", "level", "key", "rule", "ruleset", "list"] as const;

/** Findings that are new or increased. What a rule does that was there before is judged with the other rules. */
export function findingRegressions(now: Report, before: Report): Regression[] {
  const old = new Map(before.findings.map((finding) => [finding.key, finding]));
  const known = new Set(before.zones.filter(({ failure }) => failure === undefined).map(({ zoneId }) => zoneId));
  return now.findings.flatMap((finding): Regression[] => {
    const { where, phase, name, level, key, ...about } = pick(finding, SAME);
    if (OF_RULES.has(name) || (OF_PHASES.has(name) && known.has(where.id))) return [];
    const was = old.get(key);
    const message = was === undefined ? finding.message : changedWords(finding, was);
    // A newly added exception is more severe than one that was there before.
    if (message === undefined) return [];
    return [{ where, phase, name, ...about, level: name === "skip" ? "medium" : level, message, key }];
  });
}

function changedWords({ amount, message }: Finding, was: Finding): string | undefined {
  return amount !== undefined && amount > (was.amount ?? 0)
    ? `${message} (${String(was.amount ?? 0)} before)`
    : undefined;
}
