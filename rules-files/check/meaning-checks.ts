import { analyse, type AnalysisCheck, type AnalysisFinding } from "../../analysis/index.js";
import { checkExpression } from "../../language/index.js";
import type { Check, CheckSubject } from "./finding.js";

/** Without those that have the names of other checks: unreadable expressions and late skip rules. */
type Named = Exclude<AnalysisCheck, "invalid-expression" | "late-skip">;

const NAMES: Readonly<Record<Named, string>> = {
  "never-matches": "No request matches a rule",
  "always-matches": "Every request matches a rule, though it is not written `true`",
  covered: "Earlier rules handle every request that a rule matches",
  twin: "Two rules match the same requests",
  "redundant-condition": "A part of an expression changes nothing",
  "contained-member": "A value of a set is covered by another one",
  "encoded-text": "A string is percent-encoded but the field is decoded, or the other way round",
  "header-name-case": "A header name is written as only some clients send it",
};

/** What rules do together, as far as that can be proved or shown by an example. */
export const meaningChecks: Check = {
  names: NAMES,
  run: ({ rulesets, steps }) => {
    const findings = analyse({ rulesets: rulesets.map(({ input }) => input), steps });
    const twins = new Set(findings.filter(({ check }) => check === "twin").map(({ rule }) => rule));
    return findings
      .filter(({ rule }) => isRight(rule.expression))
      .filter((finding) => finding.check in NAMES || isLateSkip(finding))
      .filter(({ check, rule }) => check !== "covered" || !twins.has(rule))
      .map((finding) => ({
        check: isLateSkip(finding) ? "skip-order" : finding.check,
        level: "warning",
        reason: finding.message,
        ruleset: placeOf(finding, rulesets),
        path: ["rules", finding.rule.index, "expression"],
        ...(finding.instead === undefined ? {} : { instead: finding.instead }),
      }));
  },
};

/** A skip rule after the rules that it would skip. The check of single rulesets reports it if these are executions. */
function isLateSkip({ check, by = [] }: AnalysisFinding): boolean {
  return check === "late-skip" && by.some(({ action }) => action !== "execute");
}

/** An expression with errors is reported by other checks first; its meaning is analysed once it is valid. */
function isRight(expression: string | undefined): boolean {
  return expression === undefined || checkExpression(expression).errors.length === 0;
}

/** The index of the ruleset that a finding is about. */
function placeOf({ rule }: AnalysisFinding, rulesets: CheckSubject["rulesets"]): number {
  return rulesets.findIndex(({ input }) => {
    const isIt = (input.id ?? input.name) === rule.ruleset && input.phase === rule.phase;
    return isIt && input.rules[rule.index]?.expression === rule.expression;
  });
}
