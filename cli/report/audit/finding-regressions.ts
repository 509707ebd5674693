import { isWithin } from "../../../analysis/index.js";
import { pick } from "../../../provider/model/json.js";
import type { Finding, FindingName, Report, Regression } from "./report.js";

/** Findings on a whole phase: for zones in the baseline, the comparison of cells covers them. */
const OF_PHASES: ReadonlySet<FindingName> = new Set(["no-protection", "log-only"]);
/** Findings on what one rule does: comparing the rules covers changes, and an unchanged state is not news. */
const OF_RULES: ReadonlySet<FindingName> = new Set(["disabled-rule", "managed-for-some"]);

/** What a regression takes from its finding. */
const SAME = ["where", "phase", "name", "level", "key", "rule", "ruleset"] as const;

/** Findings that are new or increased, and skip rules that let different requests pass than before. */
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

function changedWords(finding: Finding, was: Finding): string | undefined {
  const { amount, message, name, rule, phase } = finding;
  if (amount !== undefined && amount > (was.amount ?? 0)) return `${message} (${String(was.amount ?? 0)} before)`;
  const [expression, earlier] = [rule?.expression, was.rule?.expression];
  if (name !== "skip" || expression === undefined || earlier === undefined || expression === earlier) return undefined;
  return isWithin(expression, earlier, phase) ? undefined : `${message}; before, when ${earlier}`;
}
