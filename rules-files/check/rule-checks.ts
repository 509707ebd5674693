import { normaliseRule } from "../../provider/rules/normalise.js";
import { checkPhaseName, checkRules, withCode, type Findings } from "../../provider/validation/index.js";
import type { RulesetInput } from "../../simulator/index.js";
import type { Check, CheckFinding } from "./finding.js";

/** The checks of a preview that need no service. */
export const ruleChecks: Check = ({ rulesets }) =>
  rulesets.flatMap(({ input, pending = input.rules }, ruleset) => {
    const kind = input.kind ?? (input.accountId === undefined ? "zone" : "root");
    const rules = checkRules(pending.map(normaliseRule), { phase: input.phase, kind });
    return [...checkPhase(input, ruleset), ...inRuleset(rules, ruleset)];
  });

/** What is wrong with the name of a phase. */
export function checkPhase({ phase }: RulesetInput, ruleset: number): readonly CheckFinding[] {
  return inRuleset(withCode("phase", checkPhaseName(phase)), ruleset);
}

export function inRuleset(findings: Findings, ruleset: number): readonly CheckFinding[] {
  return findings.map((one) => ({ code: "shape", ...one, ruleset }));
}
