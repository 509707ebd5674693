import { analyse, type AnalysisFinding } from "../../../core/analysis/index.js";
import { checkExpression, isError } from "../../../core/language/index.js";
import type { Check, CheckSubject } from "./finding.js";

/** What rules do together, as far as that can be proved or shown by an example. */
export const meaningChecks: Check = ({ rulesets, steps }) => {
  const findings = analyse({ rulesets: rulesets.map(({ input }) => input), steps });
  const twins = new Set(findings.filter(({ code }) => code === "twin").map(({ rule }) => rule));
  return findings
    .filter(({ rule }) => isRight(rule.expression))
    .filter((finding) => !isReportedElsewhere(finding))
    .filter(({ code, rule }) => code !== "covered" || !twins.has(rule))
    .map((finding) => ({
      code: finding.code,
      severity: finding.severity,
      message: finding.message,
      ruleset: placeOf(finding, rulesets),
      path: ["rules", finding.rule.index, "expression"],
      instead: finding.instead,
    }));
};

/** What the checks of single rulesets find too: expressions with errors, and skip rules after the executions that they would skip. */
function isReportedElsewhere({ code, by = [] }: AnalysisFinding): boolean {
  return code === "invalid-expression" || (code === "skip-order" && by.every(({ action }) => action === "execute"));
}

/** An expression with errors is reported by other checks first; its meaning is analysed once it is valid. */
function isRight(expression: string | undefined): boolean {
  return expression === undefined || !checkExpression(expression).some(isError);
}

/** The index of the ruleset that a finding is about. */
function placeOf({ rule }: AnalysisFinding, rulesets: CheckSubject["rulesets"]): number {
  return rulesets.findIndex(({ input }) => {
    const isIt = (input.id ?? input.name) === rule.ruleset && input.phase === rule.phase;
    return isIt && input.rules[rule.index]?.expression === rule.expression;
  });
}
