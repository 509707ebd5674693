import { pick } from "../../../core/model/json.js";
import { pathText } from "../../../core/model/path.js";
import { ruleNames } from "../../../core/simulator/rule-names.js";
import type { LoadedRules } from "../loaded.js";
import type { CheckFinding, ReportedFinding } from "./finding.js";
import { checkPhase, ruleChecks } from "./rule-checks.js";

/** What the language finds in the expressions of a source: whether they are valid, and what their phases allow. */
export function expressionFindings(source: LoadedRules): readonly ReportedFinding[] {
  const found = ruleChecks({ rulesets: source.rulesets, now: 0, expiryWarningDays: 0 });
  return reportedAll(
    source,
    found.filter(({ path, character }) => path.at(-1) === "expression" && character !== undefined),
  );
}

/** What is wrong with the names of the phases of a source. */
export function phaseFindings(source: LoadedRules): readonly ReportedFinding[] {
  return reportedAll(
    source,
    source.rulesets.flatMap(({ input }, index) => checkPhase(input, index)),
  );
}

function reportedAll(source: LoadedRules, found: readonly CheckFinding[]): readonly ReportedFinding[] {
  const names = ruleNames(source.rulesets.map(({ input }) => input));
  return found.map((one) => reported(source, one, names[one.ruleset] ?? []));
}

/** The index of the rule that a finding is about; -1 if it is about no rule. */
export function positionOf({ path: [, index] }: CheckFinding): number {
  return typeof index === "number" ? index : -1;
}

/** A finding as reports show it. */
export function reported(
  { label, rulesets }: LoadedRules,
  found: CheckFinding,
  names: readonly string[],
): ReportedFinding {
  const ruleset = rulesets[found.ruleset];
  const index = positionOf(found);
  const rule = ruleset?.input.rules[index];
  return {
    ...found,
    source: label,
    ruleset: ruleset?.label ?? "",
    path: pathText(found.path),
    rule: rule === undefined ? undefined : { name: names[index] ?? "", ...pick(rule, ["ref", "id", "description"]) },
    file: ruleset?.place?.(found.path),
  };
}
