import { checkRule } from "../../../provider/validation/index.js";
import type { FoundRule } from "../../inventory.js";
import { refusalText } from "../../program/adoption.js";
import { ruleToWrite } from "../../program/rule.js";

/** A thing that a program does not say, and why. */
export interface NotSaid {
  readonly what: string;
  readonly reason: string;
}

/** What a part of the previous WAF becomes. */
export interface Outcome {
  readonly rules: readonly FoundRule[];
  readonly notSaid: readonly NotSaid[];
}

/** A rule of one of the kinds that the previous WAF becomes. */
export function rule(fields: object): FoundRule {
  return fields;
}

/** A rule that lets requests past every managed rule after it. */
export function skipRest(fields: object): FoundRule {
  return rule({ ...fields, action: "skip", actionParameters: { ruleset: "current" } });
}

/** Why a preview would refuse a rule of a zone; undefined where it takes it. */
export function refusalOf(found: FoundRule, phase: string): string | undefined {
  const written = ruleToWrite(found);
  const [failure] = checkRule(written, { phase, kind: "zone" }, ["rule"]).failures;
  return failure === undefined ? undefined : `a preview refuses it: ${refusalText(failure, written)}`;
}
