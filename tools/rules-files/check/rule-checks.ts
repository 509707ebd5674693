import { normaliseRule } from "../../../core/rules/normalise.js";
import {
  checkAtMostOne,
  checkPhaseName,
  checkPlace,
  checkRules,
  checkScope,
  withCode,
  type Findings,
} from "../../../provider/validation/index.js";
import type { RulesetInput } from "../../../core/simulator/index.js";
import type { SourceRuleset } from "../loaded.js";
import type { Check, CheckFinding } from "./finding.js";

/** The checks of a preview that need no service. */
export const ruleChecks: Check = ({ rulesets, zone }) =>
  rulesets.flatMap((source, ruleset) => {
    const { input, pending = input.rules } = source;
    const kind = input.kind ?? (input.accountId === undefined ? "zone" : "root");
    const level = input.zoneId !== undefined ? "zones" : input.accountId !== undefined ? "accounts" : undefined;
    const rules = checkRules(pending.map(normaliseRule), { phase: input.phase, kind, level });
    // A ruleset that a zone has exists.
    const isDeployed = (zone?.name ?? "") !== "";
    const place = isDeployed ? checkPhase(input, ruleset) : inRuleset(checkPlaceOf(source), ruleset);
    return [...place, ...inRuleset(rules, ruleset)];
  });

/** Where a ruleset is to be, as its resource checks it. In a program that runs without the engine, IDs are invented. */
function checkPlaceOf({ input: { zoneId, accountId, phase, kind }, type, pending }: SourceRuleset): Findings {
  const place = { zoneId, accountId, phase, kind };
  if (type !== undefined || pending !== undefined) return checkPlace(place);
  return [...checkAtMostOne(place, ["zoneId", "accountId"], "exactly one"), ...checkScope(place)];
}

/** What is wrong with the name of a phase. */
export function checkPhase({ phase }: RulesetInput, ruleset: number): readonly CheckFinding[] {
  return inRuleset(withCode("phase", checkPhaseName(phase)), ruleset);
}

export function inRuleset(findings: Findings, ruleset: number): readonly CheckFinding[] {
  return findings.map((one) => ({ code: "shape", ...one, ruleset }));
}
