import { createRequire } from "node:module";
import type { AnalysisFinding } from "../../../analysis/checks/finding.js";
import type { RuleInput } from "../../../simulator/ruleset-input.js";
import { isObject } from "../../model/json.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import { join, named, NO_FINDINGS, warning, type Findings } from "../failure.js";

const load = createRequire(__filename);
/** Loaded with the first rules that change; and past the index, so that a preview never loads what compares. */
const loadAnalysis = () => load("../../../analysis/analyse.js") as typeof import("../../../analysis/analyse.js");

/** What a preview may spend on one ruleset: well below a second. */
const STEPS = 3_000_000;

/** Warns about rules that can never run, and about the like that is proved. A rule that is not known yet ends the look. */
export function checkMeaning(rules: readonly unknown[], phase: unknown): Findings {
  if (typeof phase !== "string" || isUnknown(phase)) return NO_FINDINGS;
  const end = rules.findIndex((rule) => !isKnownRule(rule));
  const known = (end < 0 ? rules : rules.slice(0, end)).filter(isKnownRule);
  const findings = loadAnalysis().analyse({ rulesets: [{ kind: "zone", phase, rules: known }], steps: STEPS });
  const told = findings.filter(({ check }) => !ELSEWHERE.has(check));
  return join(
    withoutRepeats(told).map(({ check, rule, message }) => named(check, warning(["rules", rule.index], message))),
  );
}

/** Told by other checks: of the language, and of the order of skip rules. */
const ELSEWHERE: ReadonlySet<string> = new Set(["invalid-expression", "late-skip"]);

/** A twin is covered, too; once is enough. */
function withoutRepeats(findings: readonly AnalysisFinding[]): readonly AnalysisFinding[] {
  const twins = new Set(findings.flatMap(({ check, rule }) => (check === "twin" ? [rule.index] : [])));
  return findings.filter(({ check, rule }) => check !== "covered" || !twins.has(rule.index));
}

function isKnownRule(rule: unknown): rule is RuleInput {
  return isObject(rule) && typeof rule.action === "string" && !hasUnknown(rule);
}
