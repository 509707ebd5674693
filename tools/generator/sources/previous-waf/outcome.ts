import { isError } from "../../../../core/language/finding.js";
import { checkRule } from "../../../../provider/validation/index.js";
import type { FoundRule } from "../../inventory.js";
import { refusalText } from "../../program/adoption.js";
import { ruleToWrite } from "../../program/rule.js";

/** Something that the program does not contain, and why. */
export interface NotConverted {
  readonly what: string;
  readonly reason: string;
}

/** The result of converting a part of the previous WAF. */
export interface Outcome {
  readonly rules: readonly FoundRule[];
  readonly notConverted: readonly NotConverted[];
}

/** Creates a converted rule. */
export function convertedRule(fields: object): FoundRule {
  return fields;
}

/** A rule that lets requests skip all managed rules after it. */
export function skipRule(fields: object): FoundRule {
  return convertedRule({ ...fields, action: "skip", actionParameters: { ruleset: "current" } });
}

/** Why a preview would reject a rule of a zone; undefined if it would not. */
export function refusalOf(found: FoundRule, phase: string): string | undefined {
  const written = ruleToWrite(found);
  const failure = checkRule(written, { phase, kind: "zone" }, ["rule"]).find(isError);
  return failure === undefined ? undefined : `a preview rejects it: ${refusalText(failure, written)}`;
}
