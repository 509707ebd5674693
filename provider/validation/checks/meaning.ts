import { createRequire } from "node:module";
import type { AnalysisFinding } from "../../../analysis/checks/finding.js";
import type { CompareVerdict } from "../../../analysis/compare/result.js";
import type { RuleInput } from "../../../simulator/ruleset-input.js";
import { isObject } from "../../model/json.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import { joinFindings, withCheckName, NO_FINDINGS, warning, type Findings } from "../failure.js";

const load = createRequire(__filename);
/** Loaded on demand, when rules change. */
const loadAnalysis = () => load("../../../analysis/analyse.js") as typeof import("../../../analysis/analyse.js");
const loadComparison = () =>
  load("../../../analysis/compare/compare.js") as typeof import("../../../analysis/compare/compare.js");

/** Limit of the analysis steps for one ruleset in a preview: well below a second. */
const STEPS = 3_000_000;

/** Warns about rules that provably never run, and similar mistakes. Only checks the rules before the first unknown one. */
export function checkMeaning(rules: readonly unknown[], phase: unknown): Findings {
  if (typeof phase !== "string" || isUnknown(phase)) return NO_FINDINGS;
  const end = rules.findIndex((rule) => !isKnownRule(rule));
  const known = (end < 0 ? rules : rules.slice(0, end)).filter(isKnownRule);
  const findings = loadAnalysis().analyse({ rulesets: [{ kind: "zone", phase, rules: known }], steps: STEPS });
  const shown = findings.filter(({ check }) => !REPORTED_ELSEWHERE.has(check));
  return joinFindings(
    withoutRepeats(shown).map(({ check, rule, message }) =>
      withCheckName(check, warning(["rules", rule.index], message)),
    ),
  );
}

/** Findings that other checks report: of the language, and of the order of skip rules. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set(["invalid-expression", "late-skip"]);

/** A duplicate rule is also covered by the other one, but one finding is enough. */
function withoutRepeats(findings: readonly AnalysisFinding[]): readonly AnalysisFinding[] {
  const twins = new Set(findings.flatMap(({ check, rule }) => (check === "twin" ? [rule.index] : [])));
  return findings.filter(({ check, rule }) => check !== "covered" || !twins.has(rule.index));
}

const VERDICTS: Readonly<Partial<Record<CompareVerdict, string>>> = {
  equivalent: "this change makes no difference to any request",
  stricter: "this change stops requests that were not stopped",
  looser: "this change lets requests through that were stopped",
  both: "this change affects requests in more than one direction",
};

/** The effect of an edit on requests, with example requests. Undefined if it cannot be determined. */
export function describeEffect(
  phase: unknown,
  before: readonly unknown[],
  after: readonly unknown[],
): string | undefined {
  if (typeof phase !== "string" || !before.every(isKnownRule) || !after.every(isKnownRule)) return undefined;
  const side = (rules: readonly RuleInput[]) => [{ kind: "zone", phase, rules }];
  const { verdict, witnesses } = loadComparison().compare({ before: side(before), after: side(after), steps: STEPS });
  const words = VERDICTS[verdict] ?? (witnesses.length > 0 ? "this change affects requests" : undefined);
  if (words === undefined) return undefined;
  return witnesses.length === 0 ? words : [`${words}:`, ...witnesses.map(({ text }) => `  ${text}`)].join("\n");
}

function isKnownRule(rule: unknown): rule is RuleInput {
  return isObject(rule) && typeof rule.action === "string" && !hasUnknown(rule);
}
